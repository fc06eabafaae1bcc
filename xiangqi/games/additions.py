"""Seals on the comments, marks and variations that a program adds to a game.

They distinguish additions from people's comments. A seal such as ``[%meihua bc6a3898 2]`` precedes
the added words; it holds their checksum and the number of the added mark. A seal without words at
the first move of a variation holds the checksum of its moves. Text that has been edited does not
match its seal: it is kept, and only the seal is removed.

>>> comment = seal("A slip.", 2) + "\\nWell played!"
>>> comment
'[%meihua bc6a3898 2] A slip.\\nWell played!'
>>> read_words("[%eval -0.35] " + comment)
'A slip.\\nWell played!'
"""

from __future__ import annotations

import functools
import re
import zlib
from collections.abc import Iterable
from typing import Final

from xiangqi.games.comments import without_eval
from xiangqi.games.tree import Game, GameNode
from xiangqi.ground.lines import BLANKS_BEFORE

__all__ = ["read_words", "seal", "seal_line", "take_out_additions"]

_SEAL: Final = re.compile(BLANKS_BEFORE + r"\[%meihua ([0-9a-f]{8})(?: (\d{1,3}))?\]\s*")
_WORD: Final = re.compile(r"\S+")


def seal(words: str, mark: int | None = None) -> str:
    """Put a seal before added words, which may be empty; it includes an added ``mark``."""
    number = "" if mark is None else f" {mark}"
    return f"[%meihua {_checksum(words.split())}{number}] {words}".rstrip()


def seal_line(first: GameNode) -> None:
    """Seal an added variation; ``first`` is its first node."""
    first.comment = f"{first.comment} [%meihua {_checksum(_moves(first))}]".lstrip()


def read_words(comment: str) -> str:
    """Return a comment without its evaluations and seals."""
    return without_eval(_without_seal(comment))


def _without_seal(comment: str) -> str:
    return _SEAL.sub(" ", comment).strip() if "[%meihua" in comment else comment


def take_out_additions(game: Game) -> None:
    """Remove all sealed additions that have not been edited, but no evaluations."""
    for node in list(game.nodes()):
        main, others = node.variations[:1], node.variations[1:]
        node.variations = main + [child for child in others if not _is_added(child)]
        found = _SEAL.search(node.comment)
        if found is not None:
            head, tail = node.comment[: found.start()], node.comment[found.end() :]
            rest = _without_seal(tail[_length_of_words(tail, found[1]) :])
            node.comment = " ".join(filter(None, [head, rest]))
            if found[2] is not None and int(found[2]) in node.nags:
                node.nags.remove(int(found[2]))


def _add_word(checksum: int, word: str) -> int:
    """Add a word to a checksum, which does not depend on the blanks between words."""
    return zlib.crc32(f"{word} ".encode("utf-8", "backslashreplace"), checksum)


def _checksum(words: Iterable[str]) -> str:
    return f"{functools.reduce(_add_word, words, 0):08x}"


def _length_of_words(text: str, checksum: str) -> int:
    """Length of the words at the beginning of a text that have this checksum; 0 without any."""
    crc = 0
    for word in _WORD.finditer(text):
        crc = _add_word(crc, word[0])
        if f"{crc:08x}" == checksum:
            return word.end()
    return 0


def _moves(first: GameNode) -> list[str]:
    return [node.move.iccs() for node in (first, *first.mainline()) if node.move is not None]


def _is_added(first: GameNode) -> bool:
    """Is this an added variation with unchanged moves and no words or marks of others?"""
    found = _SEAL.search(first.comment)
    line = (first, *first.mainline())
    return (
        found is not None
        and not any(node.nags or len(node.variations) > 1 for node in line)
        and not read_words(first.comment)
        and not any(node.comment for node in line[1:])
        and _checksum(_moves(first)) == found[1]
    )
