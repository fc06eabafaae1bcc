"""Rulings on games.

Rule sets as data (``rules``), a ruling (``ruling``) and who makes it (``judging``) of what the core
finds (``replay``) or of rounds in a row (``runs``), how a game ends (``outcome``), what would have
been right (``remedies``), all of it in words (``reasons`` in a sentence, ``explanation`` in full),
and the safety of every piece of a position (``safety``).
"""
