"""The weights of the hand-made evaluation, as tables.

Each row has the values for the middlegame, a bar, and those for the endgame. Piece-square tables
are seen from Red's side, rank 9 on top, and show files a to e; files f to i mirror them. The text
beside a name describes the feature that is counted; ``ext/xiangqi/core/evaluation/terms.pyx``
counts it.

``train/tune_weights.py`` fits the weights and rewrites the tables in this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

from xiangqi.core.evaluator import GROUP_STARTS, Terms

Weight = tuple[int, int]
"""Values for the middlegame and the endgame."""


class WeightGroup(NamedTuple):
    """Weights of one evaluation term."""

    name: str
    meaning: str
    table: str

    def weights(self) -> list[Weight]:
        """Parse the table."""
        pairs: list[Weight] = []
        for row in self.table.strip().splitlines():
            middle_game, end_game = (map(int, half.split()) for half in row.split("|"))
            pairs += zip(middle_game, end_game, strict=True)
        return pairs


# Tables begin
GROUPS: Final = (
    WeightGroup(
        "material",
        "a king, advisor, elephant, horse, chariot, cannon, soldier",
        """
        0  202  207  324  931  418   45  |    0   71   53  448 1040  397   65
        """,
    ),
    WeightGroup(
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
        0    0    0 -240 -142  |    0    0    0    0  -33
        0    0    0  -88  -11  |    0    0    0   11    5
        0    0    0   34   74  |    0    0    0    4   -2
        """,
    ),
    WeightGroup(
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
        0    0    0   -4    0  |    0    0    0  -32    0
        0    0    0    0   29  |    0    0    0    0  -34
        0    0    0   17    0  |    0    0    0  -51    0
        """,
    ),
    WeightGroup(
        "bishop_squares",
        "an elephant on a square",
        """
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0   -6    0    0  |    0    0  -55    0    0
        0    0    0    0    0  |    0    0    0    0    0
      -21    0    0    0   54  |  -51    0    0    0  -50
        0    0    0    0    0  |    0    0    0    0    0
        0    0   22    0    0  |    0    0  -48    0    0
        """,
    ),
    WeightGroup(
        "knight_squares",
        "a horse on a square",
        """
      -36   -3  -18    6    5  |   23   22   54   32   13
      -10  -62  142   62   67  |    7   57   -2    2   45
       91   51   13  119  129  |   18   -1   26   26   23
      -24  146   14  119  -17  |    8   14   29   23   22
       -8   22   17   79   57  |   43    6   31   30   21
       63  -42   84   11   56  |    9   11    5   29    9
     -119  -24  -28  -20   -2  |   37    9   28   16   30
      -45  -39  -33   58  -26  |  -16   12  -32   14  -14
      -80  -72  -50  -19  -76  |  -77    0  -17  -43 -115
      -76  -96  -61 -113  -62  |  -83  -25  -68   12  -58
        """,
    ),
    WeightGroup(
        "rook_squares",
        "a chariot on a square",
        """
      -23  -17  -34   54   13  |    1   -4   10  -11    3
       -8   -2  -15   29   68  |   -7   15   23   34   23
      -47  -15  -28   31   36  |   29   17   32   50    3
       11   14   79   33   -7  |    7    8  -13   29   38
      -46    2   38   19    6  |   16   -3   -5   23   22
       -5   10   16   38    7  |    4    4    3    9   28
       -7  -11   15    4   30  |   14    9    7   24   16
      -27    6    6   19    4  |  -44  -17   -3  -11   14
      -40  -24  -34  -13    6  |  -69  -14  -24  -39  -21
      -50  -10    7   -3  -27  |  -48  -42  -77  -18  -20
        """,
    ),
    WeightGroup(
        "cannon_squares",
        "a cannon on a square",
        """
       70   33  -73  -73  -31  |  -40  -19   15  -20  -15
      -23  -66  -72  -59  -14  |  -18   11   -7  -21   22
       36  -42  -31  -30  -84  |  -15   -5  -36  -45  -34
       40   -8   10  -52   21  |  -16    6   -8   23   21
       55  -28  -40  -16   45  |  -35   16   26    3   10
       -2  -33   -7  -42    5  |    8    9    3   28   17
      -55  -32   15  -24   66  |   23   12    7   22   10
       22  -21   17    5   37  |    3   23    5   14   20
       10  -16   47   13   36  |  -14   22  -23   12   15
      -11  -23   27   25   40  |  -35  -22  -46   16   46
        """,
    ),
    WeightGroup(
        "pawn_squares",
        "a soldier on a square",
        """
      -14   -5   33   71    2  |  -26  -39  -15  -31  -33
       64  149  301  367  166  |   45   12   -9   54  135
       58  182  195  183  155  |   32   26   45  156  126
       27   76  118  138  158  |   47   60   64   66   77
        3   26   82  119  131  |   48   70   76   70   77
      -31    0   24    0   13  |   19    0   10    0   67
      -35    0  -25    0   21  |   37    0    4    0   43
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        0    0    0    0    0  |    0    0    0    0    0
        """,
    ),
    WeightGroup(
        "army",
        "pieces of one side together: rows 0 to 2 chariots; 3 horses by 3 cannons in each",
        """
       35   24  -78  -79 -106  -28 -107  -37  -46  |  177    0  -66  -62  -10   14 -154   81  -15
      121   48  -15  -22   23   35  -31   78   98  |   76  -33  -67  -16   51   60   37   91   53
      -55  -35  -22  -82   17  -16  -32   53  -16  | -154  -28   -4  -10   32   -2   35   52   11
        """,
    ),
    WeightGroup(
        "no_advisor",
        "each missing enemy advisor for each own horse, chariot, cannon, soldier",
        """
      -21   75 -101   -6  |    9  -34  -36   31
        """,
    ),
    WeightGroup(
        "no_bishop",
        "each missing enemy elephant for each own horse, chariot, cannon, soldier",
        """
      -17   16  -16   -5  |    8  -31    5   28
        """,
    ),
    WeightGroup(
        "cannon_mounts",
        "each own advisor or elephant for each own cannon",
        """
        3  |   -1
        """,
    ),
    WeightGroup(
        "rook_mobility",
        "a chariot that can go to 0 to 17 squares",
        """
      -36  -48  -47  -42  -30  -26  -15    1   -6  |  -33 -112 -117  -89  -71  -10  -12   -5    6
       -4   -2    5    4    0   12    6   18   13  |    4   11    9    9   15   20   35   27   24
        """,
    ),
    WeightGroup(
        "cannon_mobility",
        "a cannon that can go to 0 to 17 squares",
        """
      -80  -32  -35  -21  -11  -11   -8    1    2  |  -62  -14  -16  -10  -11  -12   -5   -3   -8
        7    3    9   10   17   14   18   28   28  |    2    7   -3    3   -4   -9    1   -6   -7
        """,
    ),
    WeightGroup(
        "knight_mobility",
        "a horse that can go to 0 to 8 squares",
        """
      -64  -51  -43  -34  -19  -12   -7    5   16  | -127  -54  -37   -7    0   17   12   19    4
        """,
    ),
    WeightGroup(
        "rook_open_file",
        "a chariot on a file without own soldiers: none at all, enemy ones",
        """
       15   -5  |  -20   27
        """,
    ),
    WeightGroup(
        "rook_on_rib",
        "a chariot on file d or f that looks into the enemy palace",
        """
      -26  |  -14
        """,
    ),
    WeightGroup(
        "linked",
        "a king (never), advisor, elephant, horse, chariot, cannon, soldier beside its like",
        """
        0   21    8   23    0    2  -90  |    0   -5   -5   -5    0  -15   24
        """,
    ),
    WeightGroup(
        "knight_outpost",
        "a protected horse across the river that no soldier attacks",
        """
       -9  |   -5
        """,
    ),
    WeightGroup(
        "pawn_protected",
        "a protected soldier across the river",
        """
        9  |  -18
        """,
    ),
    WeightGroup(
        "crossed",
        "0 to 6 chariots, horses and cannons across the river",
        """
       10    1    5   29   53   60   50  |    5    3   13    1   34   31   30
        """,
    ),
    WeightGroup(
        "bare_cannon",
        "a cannon with nothing before the enemy king: on its rank, on its file",
        """
      -17   90  |   26  -15
        """,
    ),
    WeightGroup(
        "bare_cannon_rooks",
        "each own chariot beside a bare cannon",
        """
       30  |  -19
        """,
    ),
    WeightGroup(
        "cannon_behind_two",
        "a cannon behind two pieces before the king, 0 to 2 of them the king's: rank, file",
        """
        8  188   20  |    6   88   26
       -6    4   23  |   15   73   17
        """,
    ),
    WeightGroup(
        "rook_behind_one",
        "a chariot behind one piece before the king, its own or the king's: rank, file",
        """
      157  -11  |   77    8
       56   16  |   38    2
        """,
    ),
    WeightGroup(
        "king_commands_file",
        "a king that looks into the enemy palace along its file",
        """
        1  |    6
        """,
    ),
    WeightGroup(
        "king_danger",
        "0 to 31 attack units against the enemy palace",
        """
        1    1    2   14   31   36   30   67  |   50    0    1   26   31   24   34   21
       56   57   63   59   79   82   97  100  |    5    5   11   23   37   27   26   32
       85  104  202  179  211  257  250  238  |   83   60   28   52   77   97  112  116
      249  251  250  250  250  250  250  250  |  120  120  120  120  120  120  120  120
        """,
    ),
    WeightGroup(
        "pawn_threat",
        "a horse, chariot, cannon that a soldier attacks",
        """
       92   68   72  |   25   59   47
        """,
    ),
    WeightGroup(
        "rook_threatened",
        "a chariot that a horse or a cannon attacks",
        """
       62  |    1
        """,
    ),
    WeightGroup(
        "hanging",
        "a king (never), advisor, elephant, horse, chariot, cannon, soldier that hangs",
        """
        0   21   57   56   21   72   10  |    0   19   10   35    4   25   28
        """,
    ),
    WeightGroup(
        "tempo",
        "the right to move",
        """
       40  |    2
        """,
    ),
)
# Tables end


def flatten() -> list[Weight]:
    """All weights in the order of the core."""
    return [weight for group in in_order() for weight in group.weights()]


def in_order() -> list[WeightGroup]:
    """All groups in the order of the core."""
    return sorted(GROUPS, key=lambda group: GROUP_STARTS[group.name])


NAMES: Final = tuple(
    f"{group.name}[{place}]" for group in in_order() for place in range(len(group.weights()))
)
"""Name of each weight, in the order of :func:`flatten`."""


def dump(values: Iterable[Weight]) -> str:
    """Format weights as the source of ``GROUPS``.

    >>> dump(flatten()).splitlines()[1]
    '    WeightGroup('
    """
    left = list(values)
    if len(left) != len(NAMES):
        raise ValueError(f"{len(left)} weights, expected {len(NAMES)}")
    lines = ["GROUPS: Final = ("]
    for group in in_order():
        size = len(group.weights())
        columns = len(group.table.strip().splitlines()[0].split("|")[0].split())
        lines += _dump_group(group, left[:size], columns)
        del left[:size]
    return "\n".join([*lines, ")"])


def _dump_group(group: WeightGroup, weights: Sequence[Weight], columns: int) -> list[str]:
    lines = [
        "    WeightGroup(",
        f'        "{group.name}",',
        f'        "{group.meaning}",',
        '        """',
    ]
    for start in range(0, len(weights), columns):
        row = weights[start : start + columns]
        halves = ("".join(f"{weight[phase]:5}" for weight in row) for phase in (0, 1))
        lines.append("    " + "  |".join(halves))
    return [*lines, '        """,', "    ),"]


@cache
def make_terms() -> Terms:
    """Hand-made evaluation with these weights, for a searcher."""
    return Terms(flatten())
