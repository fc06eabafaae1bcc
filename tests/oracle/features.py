"""A network's features by the words of their definition: slow, and on FEN text alone."""

from __future__ import annotations

KINDS = "kabnrcp"
WEIGHT = dict(zip(KINDS, (64, 1, 1, 2, 4, 2, 16), strict=True))
MASK = 2**64 - 1


def split_mix(place: int) -> int:
    """The random number at a place, from 1 on, of the sequence SplitMix64."""
    mixed = (0x6D65696875616C65 + place * 0x9E3779B97F4A7C15) & MASK
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
    return mixed ^ (mixed >> 31)


def pieces_of(fen: str) -> list[tuple[str, int, int]]:
    """Letter, file and rank of each piece, from a0 to i9."""
    pieces = []
    for rank, row in enumerate(reversed(fen.split()[0].split("/"))):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                pieces.append((letter, file, rank))
                file += 1
    return pieces


def seen_by(fen: str, is_red: bool) -> list[tuple[bool, int, int, int]]:
    """The pieces (enemy?, kind, file, rank) as a side sees them from its own bank."""
    return [
        (
            letter.isupper() != is_red,
            KINDS.index(letter.lower()),
            file,
            rank if is_red else 9 - rank,
        )
        for letter, file, rank in pieces_of(fen)
    ]


def lean(seen: list[tuple[bool, int, int, int]]) -> int:
    """To which side the board leans; below 0 is left."""
    total = 0
    for is_enemy, kind, file, rank in seen:
        folded = min(file, 8 - file)
        if folded == 4:
            continue
        place = ((is_enemy * 7 + kind) * 10 + rank) * 4 + folded + 1
        value = WEIGHT[KINDS[kind]] * 2**40 + split_mix(place) // 2**32
        total += value if file > 4 else -value
    return total


def king_bucket(kings: str, seen: list[tuple[bool, int, int, int]]) -> int:
    """Set of features of a side that sees these pieces."""
    own = {KINDS[kind]: file for is_enemy, kind, file, _ in seen if not is_enemy}
    on_file_e = own["k"] == 4
    if kings == "files":
        return on_file_e
    return ("r" in own) * 2 + on_file_e


def features(fen: str, kings: str) -> tuple[list[int], list[int], int]:
    """The features of the side to move and of the other, and the output bucket."""
    us = fen.split()[1] in "wr"
    lists = []
    for is_red in (us, not us):
        seen = seen_by(fen, is_red)
        king_file = next(file for enemy, kind, file, _ in seen if kind == 0 and not enemy)
        bucket = king_bucket(kings, seen)
        is_mirrored = lean(seen) > 0 if king_file == 4 else king_file == 5
        lists.append(
            [
                ((bucket * 2 + enemy) * 7 + kind) * 90
                + rank * 9
                + (8 - file if is_mirrored else file)
                for enemy, kind, file, rank in seen
            ]
        )
    return lists[0], lists[1], (len(pieces_of(fen)) - 1) // 4
