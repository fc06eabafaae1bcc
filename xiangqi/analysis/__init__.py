"""Games analysed by an engine: what each move is worth, and what the rules demanded.

``values`` says what a position is worth and ``marks`` what a loss is; ``engines`` asks our engine
or a foreign one; ``knowledge`` asks tables and books, ``demands`` the referee. ``game`` looks at a
game move by move, ``summary`` counts, and ``annotation`` writes it all into the game. What is
exported is imported when it is asked for.
"""
