"""The slow twin: Xiangqi and its repetition rules once more, written to be read.

Everything here was written from the rules of the game and from the WXF rules of repetition, and
shares nothing with the package that it is meant to check: it imports the standard library only,
and the one language it has in common with anything else is text, FEN for positions and ICCS
("h2e2": file a-i from Red's left, rank 0-9 from Red's side) for moves.

Its worth is that a reader can hold each function against the sentence of the rules that it stands
for.  So a board is a dict from (file, rank) to a letter, a position is copied on every move,
attacks are found by asking every piece, and nothing is kept from one question to the next.  Where
it and a faster program differ, one of them misreads a rule; being slow and plain is how this one
earns the benefit of the doubt.

    game     board, movement of the pieces, check, legal moves, perft
    mates    mate by checks alone
    gains    what captures and checks win
    see      what a series of captures on one square is worth
    choices  what the rules of repetition leave open, with a default each
    threats  one ply: which enemy pieces it attacks, and for each attack why it is or is no chase
    judge    a game: the window of a repetition, the conduct of both sides in it, the verdict
    cxa      the Chinese rules (2020, 1999) once more: kills, gains, marks and verdicts
    superko  moves that are barred because they recreate an earlier position
"""
