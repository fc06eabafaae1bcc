"""Text of other programs: lines from bytes of programs and files, and words of options.

The output of programs may contain CRLF, several blanks, bytes of any encoding, or lines without an
end. Each line is decoded on its own.

Old Chinese files are GB2312 or GBK, both parts of GB18030, and Big5 in Taiwan and Hong Kong; new
ones are UTF-8. The first non-ASCII text decides for the whole file. A line that breaks the file's
encoding is read in the other one; bytes in neither are escaped, as in ``\\xff``, and reported.
"""

from __future__ import annotations

import codecs
import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, BinaryIO, Final, NamedTuple

from xiangqi.errors import Fact, FormatError

__all__ = [
    "BLANKS_BEFORE",
    "CHECK_WORDS",
    "MAX_LINE_LENGTH",
    "REPETITION_RULES",
    "FaultyText",
    "LineReader",
    "decode_known",
    "decode_line",
    "find_encoding",
    "is_text",
    "one_line",
    "read_lines",
    "spell_out",
]

ENCODINGS: Final = ("utf-8", "gb18030")
MAX_LINE_LENGTH: Final = 1 << 20
"""Maximum length of a command; a game of 1000 moves takes some 10 kB."""
MAX_FILE_LINE_LENGTH: Final = 1 << 24
"""Maximum length of a line in a file, which may hold a whole game with its comments."""
BLANKS_BEFORE: Final = r"(?:(?<!\s)\s+)?"
"""Pattern of the blanks before a match. Where ``\\s*`` begins a pattern, a search tries every part
of a run of blanks, which takes the square of its length."""
_BIG5: Final = "cp950"
"""Big5 as Windows writes it."""
_PAIR: Final = re.compile(rb"[\x81-\xfe][\x40-\xfe]")
_WORDS: Final = (
    "车車马馬炮砲兵卒仕士相象帅帥将將进進退平前后後中一二三四五六七八九红紅黑方胜勝负負和棋局先手"
    "对對赛賽杯年月日第回合的是不"
)
"""Characters that are frequent in game texts, traditional and simplified."""
_GB_WORDS: Final = frozenset(word.encode("gb18030") for word in _WORDS)
_BIG5_WORDS: Final = frozenset(word.encode(_BIG5, "ignore") for word in _WORDS) - {b""}
_KNOWN_WORD: Final = 2
"""Weight of such a character, beside that of being common."""
_ENOUGH: Final = 1 << 16  # bytes of text that decide on the encoding
_CONTROLS: Final = re.compile(r"[\x01-\x08\x0e-\x19\x1b-\x1f\x7f]")
_CONTROLS_APART: Final = 50  # characters to one of them, at least, in a text
_FAULTS_APART: Final = 4  # characters to one that cannot be read, likewise


# What programs say


def read_lines(stream: BinaryIO) -> Iterator[str | None]:
    """Lines of a stream without their ends; None for one that is too long."""
    with contextlib.suppress(OSError, ValueError):  # the other end has gone, or we closed it
        while chunk := stream.readline(MAX_LINE_LENGTH):
            is_whole = len(chunk) < MAX_LINE_LENGTH or chunk.endswith(b"\n")
            while len(chunk) == MAX_LINE_LENGTH and not chunk.endswith(b"\n"):
                chunk = stream.readline(MAX_LINE_LENGTH)
            yield decode_line(chunk).strip() if is_whole else None


def decode_line(line: bytes) -> str:
    """Decode UTF-8, or the encodings of Chinese programs on Windows; other bytes become escapes."""
    text = decode_known(line)
    return spell_out(line) if text is None else text


def decode_known(line: bytes, encodings: Sequence[str] = ENCODINGS) -> str | None:
    """Decode with the first encoding that fits; None if none does."""
    for encoding in encodings:
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            continue
    return None


def spell_out(line: bytes) -> str:
    """Decode UTF-8, with invalid bytes as escapes such as ``\\xff``."""
    return line.decode("utf-8", "backslashreplace")


def one_line(text: str) -> str:
    """Escape line ends and control characters, so that the text is one line."""
    return " ".join(text.split())


# Files


class FaultyText(NamedTuple):
    """Text of a file, with the faults of its bytes."""

    text: str
    faults: list[tuple[str, Fact]]
    """Lines in no known encoding, each with its fault."""


class LineReader:
    """Lines of a file without their ends, in the style of any system.

    >>> import io
    >>> list(LineReader(io.BytesIO("红\\r\\n黑".encode("gb18030")), "a.pgn"))
    ['红', '黑']
    """

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
            line = self._decode(raw)
            if "\r" not in line:
                self.number += 1
                yield line.rstrip("\n")
                continue
            for part in line.removesuffix("\n").removesuffix("\r").split("\r"):
                self.number += 1
                yield part

    def take_faults(self) -> list[tuple[str, Fact]]:
        """Lines in no known encoding since the last call, each with its fault."""
        faults, self._faults = self._faults, []
        return faults

    def _raw_lines(self) -> Iterator[bytes]:
        """Lines as bytes; the encoding is known before the first line outside ASCII."""
        waiting: list[bytes] = []
        size = 0
        is_first = True
        for raw in self._limited():
            if is_first:
                raw, is_first = raw.removeprefix(codecs.BOM_UTF8), False
            if not waiting and raw.isascii():
                yield raw
                continue
            waiting.append(raw)
            size += len(raw)
            if size >= _ENOUGH:
                break
        self._encodings = find_encoding(b"".join(waiting))
        yield from waiting
        yield from self._limited()

    def _limited(self) -> Iterator[bytes]:
        while raw := self._data.readline(MAX_FILE_LINE_LENGTH):
            if len(raw) == MAX_FILE_LINE_LENGTH and not raw.endswith(b"\n"):
                place = Fact("place.line", line=self.number + 1)
                raise FormatError(
                    self._source, place, Fact("file.bytes", most=MAX_FILE_LINE_LENGTH)
                )
            yield raw

    def _decode(self, raw: bytes) -> str:
        text = decode_known(raw, self._encodings)
        if text is not None:
            return text
        text = spell_out(raw)
        self._faults.append((text.strip(), Fact("text.encoding", line=self.number + 1)))
        return text


def is_text(beginning: bytes) -> bool:
    """May a file with this beginning be text? Not with a null, several other control characters, or
    many bytes in neither encoding.

    >>> is_text("红先胜".encode("gb18030")), is_text(b"\\x7fELF\\2\\1\\1\\0")
    (True, False)
    """
    text = beginning.decode(find_encoding(beginning)[0], "replace")
    controls = len(_CONTROLS.findall(text))
    is_clean = "\0" not in text and controls <= 1 + len(text) // _CONTROLS_APART
    return is_clean and text.count("\ufffd") <= len(text) // _FAULTS_APART


def find_encoding(text: bytes) -> tuple[str, str]:
    """Encoding of a text, and the alternative for lines that it cannot decode.

    >>> find_encoding("红先胜".encode("gb18030"))
    ('gb18030', 'utf-8')
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(text)  # it may break off within a character
    except UnicodeDecodeError:
        return (_BIG5 if _is_big5(text) else "gb18030", "utf-8")
    return ("utf-8", "gb18030")


def _is_big5(text: bytes) -> bool:
    """Does a Chinese text that is not UTF-8 look more like Big5 than like GB18030?

    Nearly all pairs of bytes are characters in both encodings, but few are common ones in both:
    these have the first bytes B0 to D7 and second ones from A1 in GB2312, the first bytes A4 to C6
    in Big5. The words of the game settle short texts. Where neither is more likely, it is GB18030.
    """
    gb = big5 = 0
    for pair in _PAIR.findall(text[:_ENOUGH]):
        lead, tail = pair
        gb += (0xB0 <= lead <= 0xD7 and tail >= 0xA1) + _KNOWN_WORD * (pair in _GB_WORDS)
        big5 += (0xA4 <= lead <= 0xC6) + _KNOWN_WORD * (pair in _BIG5_WORDS)
        big5 -= lead < 0xA1 or lead > 0xF9 or 0x7F <= tail < 0xA1  # no character of Big5
    return big5 > gb + 1


# Words for the values of options

CHECK_WORDS: Final[Mapping[str, bool]] = {
    **dict.fromkeys(("true", "on", "yes", "1"), True),
    **dict.fromkeys(("false", "off", "no", "0"), False),
}
"""Values of a check option in engines' dialogues."""

REPETITION_RULES: Final[Mapping[str, str]] = {
    "wxf": "wxf",
    "axf": "axf",
    "fairy-axf": "fairy-axf",
    "computer": "computer",
    "cxa2020": "cxa2020",
    "cxa2011": "cxa2011",
    "cxa1999": "cxa1999",
    "checks-only": "checks-only",
    "all-draws": "all-draws",
    "superko-positional": "superko-positional",
    "superko-situational": "superko-situational",
    "tiantian": "tiantian",
    "xiangqi.com": "xiangqi.com",
    "taiwan2024": "taiwan2024",
    "vietnam2021": "vietnam2021",
    "vietnam2004": "vietnam2004",
    "computerrule": "computer",
    "allowchase": "checks-only",
    "nojudgement": "all-draws",
    "asianrule": "axf",
    "chineserule": "cxa2020",
    "checkban": "checks-only",
    "alwaysdraw": "all-draws",
}
"""Names of :data:`~xiangqi.RULE_SETS` by the words of other programs. The last four are the words
of UCCI up to version 2.3; the three before them and two of these are also Pikafish's."""
