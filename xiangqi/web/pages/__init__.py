"""HTML pages of games and cases, with an index: they need no server."""
