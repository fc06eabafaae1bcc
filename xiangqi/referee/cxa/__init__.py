"""Rules of the Chinese Xiangqi Association (editions of 1999, 2011 and 2020).

If a chase is a gain, a ruling depends on mates and on lines of captures and checks. The core's
solver finds them within a node limit (``search``); from them come the threats of a side and the
pieces that take part in each (``threats``), and the facts of a move (``facts``). A rule set turns
these into marks, each side's conduct, a verdict and a ruling with its evidence (``judging``).
"""
