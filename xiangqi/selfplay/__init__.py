"""The engine against itself, to learn from: ``samples`` of positions, and their ``generation``."""
