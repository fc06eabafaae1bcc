"""The rules of the Chinese Xiangqi Association (editions of 1999 and 2020).

Where a chase is a gain, the core's facts do not reach: a ruling needs mates and lines of captures.
The core finds them, within a limit of nodes (``finder``); from them come the kills and gains of a
side (``gains``), how many pieces it takes (``roots``), all that a move did (``facts``); a reading
of the rules makes a mark of it (``marking``), and marks make a ruling (``judging``).
"""
