"""Parsing records in XML, safe against what XML allows.

A document type, and with it any entity, is refused, and so is deep nesting. The bytes show the
encoding of a file, whatever its declaration says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from xml.parsers import expat

from xiangqi.ground.errors import Fact
from xiangqi.ground.lines import decode_line

__all__ = ["XmlParser", "decode_xml"]

_DECLARATION: Final = re.compile(r"<\?xml\b[^>]*\?>")


def decode_xml(data: bytes) -> str:
    """Decode a file and drop its XML declaration."""
    text = decode_line(data).removeprefix("\ufeff").lstrip()
    found = _DECLARATION.match(text)
    return text if found is None else text[found.end() :]


class _NotARecord(Exception):
    """Raised at a text that ends parsing, with the reason."""


class XmlParser:
    """Parser of a file's elements; subclasses take what they need of them."""

    root: str
    """Name of the element around all others."""
    max_depth: int
    """Maximum nesting of elements."""

    def __init__(self) -> None:
        self.open: list[str] = []
        """Names of the elements that are open, the root first."""

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        """Take the beginning of an element, which is not yet in :attr:`open`."""

    def end(self) -> None:
        """Take the end of the last element of :attr:`open`."""

    def add_text(self, text: str) -> None:
        """Take text within the last element of :attr:`open`."""

    def parse(self, text: str) -> tuple[str, Fact] | None:
        """Parse a file; if it is damaged or no record, return the faulty text and the reason."""
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse_document_type
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self.add_text
        try:
            parser.Parse(text.encode("utf-8", "replace"), True)
        except _NotARecord as error:
            found, reason = error.args
            return found, reason
        except expat.ExpatError as error:
            line = "".join(text.splitlines()[error.lineno - 1 : error.lineno])
            place = {"line": error.lineno, "column": error.offset + 1}
            return line.strip(), Fact("xml.bad", **place, error=expat.ErrorString(error.code))
        return None

    def _refuse_document_type(self, name: str, *_: object) -> None:
        raise _NotARecord(f"<!DOCTYPE {name}", Fact("xml.document_type"))

    def _begin(self, name: str, attributes: Mapping[str, str]) -> None:
        if not self.open and name != self.root:
            raise _NotARecord(f"<{name}", Fact("xml.element", name=f"<{self.root}>"))
        if len(self.open) == self.max_depth:
            raise _NotARecord(f"<{name}", Fact("xml.nested", most=self.max_depth))
        self.begin(name, attributes)
        self.open.append(name)

    def _end(self, _: str) -> None:
        self.end()
        self.open.pop()
