"""A board, a referee and an opponent in the browser.

The pages keep no game on the server: each request brings the whole game, and the response has all
that the page shows. ``server`` listens, ``connections`` see to it that requests arrive in time,
``pages`` hands them on when the ``guard`` lets them in: these four speak HTTP. ``application``
knows the addresses, and the other modules answer, each one question.
"""
