"""HTML reports (``pages``), the board in the browser (``serve``, ``site``), the HTTP service
(``api``), the referee's calls in JSON (``calls``), and an MCP server (``agents``)."""
