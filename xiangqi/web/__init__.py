"""Pages to be kept as files (``pages``), the board in the browser (``serve``, ``site``), and other
programs: the referee's ``calls`` as JSON, UCI without threads (``conversation``), tools for
agents (``agents``)."""
