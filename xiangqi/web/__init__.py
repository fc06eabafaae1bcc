"""Pages to be kept as files (``pages``), the board in the browser (``serve``, ``site``), the HTTP
service (``api``), the referee's ``calls`` as JSON, and tools for agents (``agents``)."""
