"""Pages to be kept as files (``pages``), the board in the browser (``serve``, ``site``), and other
programs: the referee's ``calls`` as JSON, and UCI without threads (``conversation``)."""
