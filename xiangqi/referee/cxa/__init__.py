"""The rules of the Chinese Xiangqi Association (editions of 1999 and 2020).

Where a chase is a gain, the core's facts are not enough: a ruling needs mates and lines of captures
and checks. The core finds them, within a limit of nodes (``search``); from them come the threats of
a side and the pieces that each takes (``threats``), and the facts of a move (``facts``). Under a
reading of the rules these become marks, each side's conduct, a verdict and a ruling with its
evidence (``judging``).
"""
