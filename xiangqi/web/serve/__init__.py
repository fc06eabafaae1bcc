"""Local web server for the board page: play, analysis and rulings.

The server keeps no game: each request sends the whole game. HTTP is handled by ``server``
(uvicorn), ``connections`` (time limits), ``guard`` (access control) and ``pages`` (ASGI).
``application`` routes requests to the other modules.
"""
