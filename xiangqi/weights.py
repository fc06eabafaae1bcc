"""The weights of the evaluation, drawn as tables; importing this module puts them to use.

Each row gives the middle game's values, a bar, and the end game's. Piece-square boards are
drawn from Red's bank, the far rank on top, and show files a to e: right is as left. What a
weight counts is said beside its name; ``ext/xiangqi/core/evaluate.pyx`` counts it.

``train/tune_weights.py`` fits the weights and writes this file's tables anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from xiangqi.core.evaluate import set_weights

Weight = tuple[int, int]
"""A value for the middle game and one for the end game."""


class Group(NamedTuple):
    """Weights of one term, or of one term's cases."""

    name: str
    meaning: str
    table: str

    def weights(self) -> list[Weight]:
        """Read the table."""
        pairs: list[Weight] = []
        for row in self.table.strip().splitlines():
            middle_game, end_game = (map(int, half.split()) for half in row.split("|"))
            pairs += zip(middle_game, end_game, strict=True)
        return pairs


# Tables begin
GROUPS: Final = (
    Group(
        "material",
        "a king, advisor, elephant, horse, chariot, cannon, soldier",
        """
        0  181  191  355  964  443   56  |    0   79   56  461 1108  416   81
        """,
    ),
    Group(
        "king_squares",
        "the king on a square",
        """
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0 -246 -137  |    0    0    0  -16  -33
        0    0    0  -92  -14  |    0    0    0   12   18
        0    0    0   31   82  |    0    0    0   -1   -1
        """,
    ),
    Group(
        "advisor_squares",
        "an advisor on a square",
        """
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0  -23    0  |    0    0    0  -31    0
        0    0    0    0   35  |    0    0    0    0  -32
        0    0    0    4    0  |    0    0    0  -43    0
        """,
    ),
    Group(
        "bishop_squares",
        "an elephant on a square",
        """
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0  -15    0    0  |    0    0  -51    0    0
        0    0    0    0    0  |    0    0    0    0    0
      -21    0    0    0   45  |  -60    0    0    0  -43
        0    0    0    0    0  |    0    0    0    0    0
        0    0   21    0    0  |    0    0  -46    0    0
        """,
    ),
    Group(
        "knight_squares",
        "a horse on a square",
        """
      -34   -5  -18    5    5  |   19   19   55   29   13
      -13  -63  136   64   67  |    2   74   12   -7   44
       85   61    3  120  117  |   26   -6   21   21   40
      -18  143   25  125  -19  |   19   15   29   18   21
      -11   34   30   90   60  |   30   13   32   23   26
       62  -28   85   18   66  |    4   12    8   30   15
     -113  -25  -17  -12   -7  |   41   18   24   24   29
      -35  -35  -33   50  -36  |  -22   18  -25   14  -23
      -95  -61  -46  -28  -56  |  -80    8  -17  -50 -112
      -75  -92  -75 -135  -62  |  -84  -27  -75    4  -58
        """,
    ),
    Group(
        "rook_squares",
        "a chariot on a square",
        """
      -30  -15  -39   66   16  |    0    6   13   -3    0
        9    3  -12   28   64  |  -10   24   41   37   16
      -43   -3  -29   25   45  |   25    7   44   35   -2
       -4    9   77   27   -7  |   13   14  -12   26   38
      -44   12   27   24    3  |   14   -4   18   13   36
       10    7   25   47   -4  |    3   19   13   14   34
        5    9   25    2   28  |   27   17   27   49   20
      -23    4    8   18   -5  |  -47   -9    3  -10   15
      -37  -21  -22  -12    2  |  -68  -15  -29  -35  -23
      -65  -18  -11    4  -25  |  -62  -38  -88  -23  -18
        """,
    ),
    Group(
        "cannon_squares",
        "a cannon on a square",
        """
       86   34  -80  -81  -35  |  -38  -17   16  -29  -17
      -11  -42  -64  -63  -11  |  -12    8   -2  -17   20
       34  -54  -25  -27  -83  |  -11   -4  -29  -48  -28
       40    4   20  -47    9  |  -12    5  -10   22   21
       73  -44  -42  -16   53  |  -32   26   29   -5    2
      -13  -20  -25  -45   -3  |   10   17   18   29   15
      -57  -24   22  -36   70  |   23   19    8   27    5
       14  -24   25    9   44  |    0   16    4    3   26
       14   -9   50   -2   46  |  -15   31  -16   25   16
        5  -30   38   14   33  |  -34  -35  -37   10   35
        """,
    ),
    Group(
        "pawn_squares",
        "a soldier on a square",
        """
      -15   -5   35   72    2  |  -33  -40  -13  -29  -33
       56  145  306  362  173  |   26    4    1   46  154
       62  184  201  183  153  |   38   30   49  143  143
       21   69  100  134  167  |   43   60   70   82   87
       14   27   79  132  133  |   38   77   84   80   88
      -15    0   16    0   20  |   11    0   15    0   64
      -31    0  -36    0   29  |   17    0   11    0   54
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        """,
    ),
    Group(
        "army",
        "pieces of one side together: rows 0 to 2 chariots; 3 horses by 3 cannons in each",
        """
       30   12  -78  -73  -99  -28 -100  -48  -47  |  150  -24  -74  -64   -9    4 -132   51  -18
       88   30    0  -18   22   54  -22   84   97  |   60  -26  -34  -13   52   79   44   91   51
      -76  -27   -7  -77   22    6  -19   60  -43  | -142  -12    2   -1   36    2   39   49    8
        """,
    ),
    Group(
        "no_advisor",
        "each missing enemy advisor for each own horse, chariot, cannon, soldier",
        """
      -12   59  -98    4  |   15  -13  -41   31
        """,
    ),
    Group(
        "no_bishop",
        "each missing enemy elephant for each own horse, chariot, cannon, soldier",
        """
      -27   29  -11   -1  |   10  -14    8   20
        """,
    ),
    Group(
        "cannon_mounts",
        "each own advisor or elephant for each own cannon",
        """
        7  |    7
        """,
    ),
    Group(
        "rook_mobility",
        "a chariot that can go to 0 to 17 squares",
        """
      -42  -41  -50  -38  -25  -24  -11   -2   -3  |  -33 -112 -120  -88  -57  -10   -7    9    7
        2    1    1    6    8   12    5   17   23  |   13   18   25   28   30   27   47   40   34
        """,
    ),
    Group(
        "cannon_mobility",
        "a cannon that can go to 0 to 17 squares",
        """
      -77  -33  -29  -18  -15   -7   -9   -2    3  |  -58  -19   -9  -17  -11  -11    3    5   -4
        8    7   13   18   30   27   27   29   34  |    2    5    4    1    0   -3    0    4    5
        """,
    ),
    Group(
        "knight_mobility",
        "a horse that can go to 0 to 8 squares",
        """
      -66  -50  -42  -27  -11   -6   -2   15   26  | -129  -55  -29   -7    3   20   19   19   12
        """,
    ),
    Group(
        "rook_open_file",
        "a chariot on a file without own soldiers: none at all, enemy ones",
        """
       18   10  |    2   36
        """,
    ),
    Group(
        "rook_on_rib",
        "a chariot on file d or f that looks into the enemy palace",
        """
      -21  |  -13
        """,
    ),
    Group(
        "linked",
        "a king (never), advisor, elephant, horse, chariot, cannon, soldier beside its like",
        """
        0   13    9   27   -1   -1  -96  |    0    0   -2   -3   17   -6   24
        """,
    ),
    Group(
        "knight_outpost",
        "a protected horse across the river that no soldier attacks",
        """
       -5  |   -7
        """,
    ),
    Group(
        "pawn_protected",
        "a protected soldier across the river",
        """
       16  |  -12
        """,
    ),
    Group(
        "crossed",
        "0 to 6 chariots, horses and cannons across the river",
        """
        5  -10    4   30   78   65   50  |   -2    0   10    7   58   32   30
        """,
    ),
    Group(
        "bare_cannon",
        "a cannon with nothing before the enemy king: on its rank, on its file",
        """
      -18   91  |   23    1
        """,
    ),
    Group(
        "bare_cannon_rooks",
        "each own chariot beside a bare cannon",
        """
       39  |  -17
        """,
    ),
    Group(
        "cannon_behind_two",
        "a cannon behind two pieces before the king, 0 to 2 of them the king's: rank, file",
        """
        8  184   28  |    6   91    3
      -13   -3   31  |   13   89   38
        """,
    ),
    Group(
        "rook_behind_one",
        "a chariot behind one piece before the king, its own or the king's: rank, file",
        """
      159   -9  |   78   12
       59   19  |   38    1
        """,
    ),
    Group(
        "king_commands_file",
        "a king that looks into the enemy palace along its file",
        """
       -7  |    9
        """,
    ),
    Group(
        "king_danger",
        "0 to 31 attack units against the enemy palace",
        """
       -3    1    2   14   26   36   32   61  |   48    0    1   25   29   23   30   13
       58   54   54   62   82   79   89  108  |    4    7   22   22   33   25   13   38
       83  111  215  189  209  260  252  239  |   77   77   36   55   76   99  113  116
      249  251  250  250  250  250  250  250  |  120  120  120  120  120  120  120  120
        """,
    ),
    Group(
        "pawn_threat",
        "a horse, chariot, cannon that a soldier attacks",
        """
       96   64   74  |   26   60   48
        """,
    ),
    Group(
        "rook_threatened",
        "a chariot that a horse or a cannon attacks",
        """
       66  |   -6
        """,
    ),
    Group(
        "hanging",
        "a king (never), advisor, elephant, horse, chariot, cannon, soldier that hangs",
        """
        0   10   54   66   31   78   14  |    0   17    8   44   -1   39   31
        """,
    ),
    Group(
        "tempo",
        "the right to move",
        """
       47  |    3
        """,
    ),
)
# Tables end


def flatten() -> list[Weight]:
    """Give all weights in the order of the evaluation."""
    return [weight for group in GROUPS for weight in group.weights()]


def _names() -> tuple[str, ...]:
    return tuple(
        f"{group.name}[{place}]" for group in GROUPS for place in range(len(group.weights()))
    )


NAMES: Final = _names()
"""The name of each weight, in the order of :func:`flatten`."""


def dump(values: Iterable[Weight]) -> str:
    """Print weights as the source of ``GROUPS``.

    >>> dump(flatten()).splitlines()[1]
    '    Group('
    """
    left = list(values)
    if len(left) != len(NAMES):
        raise ValueError(f"{len(left)} weights, expected {len(NAMES)}")
    lines = ["GROUPS: Final = ("]
    for group in GROUPS:
        size = len(group.weights())
        columns = len(group.table.strip().splitlines()[0].split("|")[0].split())
        lines += _dump_group(group, left[:size], columns)
        del left[:size]
    return "\n".join([*lines, ")"])


def _dump_group(group: Group, weights: Sequence[Weight], columns: int) -> list[str]:
    lines = ["    Group(", f'        "{group.name}",', f'        "{group.meaning}",', '        """']
    for start in range(0, len(weights), columns):
        row = weights[start : start + columns]
        halves = ("".join(f"{weight[phase]:5}" for weight in row) for phase in (0, 1))
        lines.append("    " + "  |".join(halves))
    return [*lines, '        """,', "    ),"]


set_weights(flatten())
