"""The command ``xiangqi``: a module for each of its commands, put together in ``main``."""
