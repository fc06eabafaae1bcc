"""What a browser shows: ``pages`` to be kept as files, and a board that is served (``serve``)."""
