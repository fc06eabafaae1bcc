"""Text of other programs and of files decoded into lines, and other spellings of option values.

Programs may write CRLF, any encoding, or a last line without an end; each line is decoded on its
own.

Old Chinese files are in GB2312 or GBK, both subsets of GB18030, or, from Taiwan and Hong Kong, in
Big5; new ones are in UTF-8. The first non-ASCII text decides the encoding of a file. A line that is
invalid in it is decoded in the alternative one; bytes invalid in both are escaped, as in
``\\xff``, and reported.
"""

from __future__ import annotations

import codecs
import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, BinaryIO, Final, NamedTuple

from xiangqi.ground.errors import Fact, FormatError
from xiangqi.ground.errors.copies import NotCopied

__all__ = [
    "BLANKS_BEFORE",
    "CHECK_WORDS",
    "MAX_LINE_LENGTH",
    "REPETITION_RULES",
    "FaultyText",
    "LineReader",
    "decode_escaped",
    "decode_known",
    "decode_line",
    "find_encoding",
    "is_text",
    "one_line",
    "read_lines",
]

ENCODINGS: Final = ("utf-8", "gb18030")
MAX_LINE_LENGTH: Final = 1 << 20
"""Maximum length of a command; a game of 1000 moves takes some 10 kB."""
MAX_FILE_LINE_LENGTH: Final = 1 << 24
"""Maximum length of a line in a file, which may hold a whole game with its comments."""
BLANKS_BEFORE: Final = r"(?:(?<!\s)\s+)?"
"""Pattern of the blanks before a match. With a leading ``\\s*`` instead, the time of a search would
grow with the square of the length of a run of blanks."""
_BIG5: Final = "cp950"
"""Big5 as Windows writes it."""
_PAIR: Final = re.compile(rb"[\x81-\xfe][\x40-\xfe]")
_FREQUENT: Final = (
    "车車马馬炮砲兵卒仕士相象帅帥将將进進退平前后後中一二三四五六七八九红紅黑方胜勝负負和棋局先手"
    "对對赛賽杯年月日第回合的是不"
)
"""Characters that are frequent in game texts, traditional and simplified."""
_FREQUENT_GB: Final = frozenset(word.encode("gb18030") for word in _FREQUENT)
_FREQUENT_BIG5: Final = frozenset(word.encode(_BIG5, "ignore") for word in _FREQUENT) - {b""}
_FREQUENT_WEIGHT: Final = 2
"""Score of such a character, added to 1 for a common pair of bytes."""
_SAMPLE_SIZE: Final = 1 << 16  # number of bytes from which an encoding is guessed
_WORDS_IN_GB: Final = re.compile(
    rb"(?:[\0-\x7f]|(?<![A-Za-z])(?:[\xc4-\xcd\xd2-\xd7][\xa1-\xbf])+(?![A-Za-z\x80-\xff]))+"
)
"""Chinese characters in GB2312 that are letters in UTF-8 too, neither of English, French, Greek or
Russian nor beside an English letter: a lone 一 is D2 BB, which is also a letter of Abkhaz."""
_CONTROLS: Final = re.compile(r"[\x01-\x08\x0e-\x19\x1b-\x1f\x7f]")
_CHARACTERS_PER_CONTROL: Final = 50  # minimum in a text, for each control character
_CHARACTERS_PER_FAULT: Final = 4  # minimum in a text, for each undecodable character


# Output of programs


def read_lines(stream: BinaryIO) -> Iterator[str | None]:
    """Lines of a stream without their ends; None for one that is too long."""
    with contextlib.suppress(OSError, ValueError):  # closed at either end
        while chunk := stream.readline(MAX_LINE_LENGTH):
            is_whole = len(chunk) < MAX_LINE_LENGTH or chunk.endswith(b"\n")
            while len(chunk) == MAX_LINE_LENGTH and not chunk.endswith(b"\n"):
                chunk = stream.readline(MAX_LINE_LENGTH)
            yield decode_line(chunk).strip() if is_whole else None


def decode_line(line: bytes) -> str:
    """Decode as UTF-8 or GB18030, or else as UTF-8 with invalid bytes escaped."""
    text = decode_known(line)
    return decode_escaped(line) if text is None else text


def decode_known(line: bytes, encodings: Sequence[str] = ENCODINGS) -> str | None:
    """Decode with the first encoding that fits; None if none does."""
    for encoding in encodings:
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            continue
    return None


def decode_escaped(line: bytes) -> str:
    """Decode as UTF-8, with invalid bytes as escapes such as ``\\xff``."""
    return line.decode("utf-8", "backslashreplace")


def one_line(text: str) -> str:
    """Collapse each run of whitespace, line ends included, to one blank."""
    return " ".join(text.split())


# Files


class FaultyText(NamedTuple):
    """Decoded text of a file, with its undecodable lines."""

    text: str
    faults: list[tuple[str, Fact]]
    """Lines with invalid bytes, each with the reason."""


class LineReader(NotCopied):
    """Lines of a file without their ends, which are LF, CRLF or CR.

    >>> import io
    >>> list(LineReader(io.BytesIO("红\\r\\n黑".encode("gb18030")), "a.pgn"))
    ['红', '黑']
    """

    HOLDS = "an open file"

    def __init__(self, data: IO[bytes], source: str) -> None:
        self._data = data
        self._source = source
        self._encodings = ENCODINGS
        self.number = 0
        """Number of the last line returned, from 1."""
        self._faults: list[tuple[str, Fact]] = []

    def __iter__(self) -> Iterator[str]:
        """Iterate over the lines. Raises FormatError for one that is too long."""
        for raw in self._raw_lines():
            line = decode_known(raw, self._encodings)
            if line is None:
                line = decode_escaped(raw)
                self._faults.append((line.strip(), Fact("text.encoding", line=self.number + 1)))
            if "\r" not in line:
                self.number += 1
                yield line.rstrip("\n")
                continue
            for part in line.removesuffix("\n").removesuffix("\r").split("\r"):
                self.number += 1
                yield part

    def take_faults(self) -> list[tuple[str, Fact]]:
        """Return and clear the undecodable lines read since the last call, with the reasons."""
        faults, self._faults = self._faults, []
        return faults

    def _raw_lines(self) -> Iterator[bytes]:
        """Lines as bytes; the encoding is guessed before the first non-ASCII line is returned."""
        sample: list[bytes] = []
        size = 0
        is_first = True
        for raw in self._limited():
            if is_first:
                raw, is_first = raw.removeprefix(codecs.BOM_UTF8), False
            if not sample and raw.isascii():
                yield raw
                continue
            sample.append(raw)
            size += len(raw)
            if size >= _SAMPLE_SIZE:
                break
        self._encodings = find_encoding(b"".join(sample))
        yield from sample
        yield from self._limited()

    def _limited(self) -> Iterator[bytes]:
        while raw := self._data.readline(MAX_FILE_LINE_LENGTH):
            if len(raw) == MAX_FILE_LINE_LENGTH and not raw.endswith(b"\n"):
                place = Fact("place.line", line=self.number + 1)
                why = Fact("file.bytes", most=MAX_FILE_LINE_LENGTH)
                raise FormatError(self._source, place, why)
            yield raw


def is_text(beginning: bytes) -> bool:
    """Is a file with this beginning text? It must not have a NUL, several other control characters,
    or many bytes in no known encoding.

    >>> is_text("红先胜".encode("gb18030")), is_text(b"\\x7fELF\\2\\1\\1\\0")
    (True, False)
    """
    text = beginning.decode(find_encoding(beginning)[0], "replace")
    controls = len(_CONTROLS.findall(text))
    is_clean = "\0" not in text and controls <= 1 + len(text) // _CHARACTERS_PER_CONTROL
    return is_clean and text.count("\ufffd") <= len(text) // _CHARACTERS_PER_FAULT


def find_encoding(text: bytes) -> tuple[str, str]:
    """Guess the encoding of a text; also return the alternative for lines invalid in it.

    >>> find_encoding("红先胜".encode("gb18030"))
    ('gb18030', 'utf-8')
    >>> find_encoding("一".encode("gb18030")), find_encoding("à Bảo".encode())
    (('gb18030', 'utf-8'), ('utf-8', 'gb18030'))
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(text)  # the text may end within a character
    except UnicodeDecodeError:
        return (_BIG5 if _is_big5(text) else "gb18030", "utf-8")
    if not text.isascii() and _WORDS_IN_GB.fullmatch(text[:_SAMPLE_SIZE]):
        return ("gb18030", "utf-8")
    return ("utf-8", "gb18030")


def _is_big5(text: bytes) -> bool:
    """Does a Chinese text that is not UTF-8 look more like Big5 than like GB18030?

    Nearly all pairs of bytes are characters in both encodings, but few are common in both. Common
    ones have a first byte of B0 to D7 and a second one from A1 on in GB2312, a first byte of A4 to
    C6 in Big5. Frequent words of game texts decide short texts. A tie means GB18030.
    """
    gb = big5 = 0
    for pair in _PAIR.findall(text[:_SAMPLE_SIZE]):
        lead, tail = pair
        gb += (0xB0 <= lead <= 0xD7 and tail >= 0xA1) + _FREQUENT_WEIGHT * (pair in _FREQUENT_GB)
        big5 += (0xA4 <= lead <= 0xC6) + _FREQUENT_WEIGHT * (pair in _FREQUENT_BIG5)
        big5 -= lead < 0xA1 or lead > 0xF9 or 0x7F <= tail < 0xA1  # not a character of Big5
    return big5 > gb + 1


# Values of options

CHECK_WORDS: Final[Mapping[str, bool]] = {
    **dict.fromkeys(("true", "on", "yes", "1"), True),
    **dict.fromkeys(("false", "off", "no", "0"), False),
}
"""Spellings of the value of a check option."""

REPETITION_RULES: Final[Mapping[str, str]] = {
    **{
        name: name
        for name in (
            "wxf", "axf", "fairy-axf", "computer", "cxa2020", "cxa2011", "cxa1999", "checks-only",
            "all-draws", "superko-positional", "superko-situational", "tiantian", "xiangqi.com",
            "taiwan2024", "vietnam2021", "vietnam2004",
        )
    },
    "computerrule": "computer",
    "allowchase": "checks-only",
    "nojudgement": "all-draws",
    "asianrule": "axf",
    "chineserule": "cxa2020",
    "checkban": "checks-only",
    "alwaysdraw": "all-draws",
}  # fmt: skip
"""Names of :data:`~xiangqi.RULE_SETS` by their own and other programs' spellings. The last four are
from UCCI up to version 2.3; Pikafish has the first two of these and the three before them."""
