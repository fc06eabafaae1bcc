"""A board, a referee and an opponent in the browser, on this machine only.

The pages keep no game on the server: each request brings the whole game, and the answer tells
all that the page shows. ``server`` speaks HTTP and turns away what does not come
from this machine's own browser, ``application`` knows the addresses, and the other
modules answer, each one question.
"""
