"""Self-play for training: ``samples`` of positions, and their ``generation``."""
