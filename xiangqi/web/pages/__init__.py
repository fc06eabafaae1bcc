"""Pages for a browser: the board as a drawing that moves, and what stands around it."""
