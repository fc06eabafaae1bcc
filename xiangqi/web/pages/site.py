"""A report: a folder with a page for each game, case or cycle, and an index.

The pages need neither a server nor a network. Each file is written under a temporary name and then
renamed, so that it is always complete. Nothing is deleted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from xiangqi.casebook.disputes import Dispute
from xiangqi.casebook.verify import CaseResult
from xiangqi.drawing.svg import Lettering
from xiangqi.games.arbiter import rule_game
from xiangqi.games.formats import read_games
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact, FormatError, XiangqiError, reason_of
from xiangqi.ground.files import name_input, new_file, open_input, remove_abandoned
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set
from xiangqi.web.pages.game_page import (
    GamePage,
    make_case_page,
    make_cycle_page,
    make_game_page,
    render_game,
)
from xiangqi.web.pages.index_page import (
    IndexRow,
    Kind,
    index_case,
    index_cycle,
    index_game,
    render_index,
)
from xiangqi.web.pages.render import static_files
from xiangqi.web.pages.sheet import render_sheet
from xiangqi.words.voice import PAGE_VOICE, Voice

__all__ = ["SiteReport"]

_INDEX: Final = "index.html"
_MARKER: Final = "meihua.css"
"""File that shows that a folder is an older report, which may be overwritten."""


@dataclass(slots=True)
class SiteReport:
    """Writes a report into a folder, page by page; only the index rows stay in memory.

    Raises FormatError if the folder holds anything but an older report, or cannot be created.
    """

    folder: Path
    voice: Voice = PAGE_VOICE
    rules: RuleSet = WXF
    lettering: Lettering | None = None
    """Lettering of the pieces; None for that of the language."""
    others: Sequence[RuleSet] | None = None
    """Rule sets to compare with; None for all others."""
    rows: list[IndexRow] = field(default_factory=list)
    """Pages written."""
    problems: list[str] = field(default_factory=list)
    """Errors in the input."""

    def __post_init__(self) -> None:
        self.rules = find_rule_set(self.rules)  # a name is accepted, too
        if self.others is not None:
            self.others = [find_rule_set(other) for other in self.others]
        if self.folder.is_dir():
            if any(self.folder.iterdir()) and not (self.folder / _MARKER).exists():
                raise FormatError(str(self.folder), "", Fact("file.other_files"))
        elif self.folder.exists():
            raise FormatError(str(self.folder), "", Fact("file.not_folder"))
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FormatError(str(self.folder), "", reason_of(error)) from error
        remove_abandoned(self.folder)
        for name, content in static_files():
            self._write(name, content)

    def write_games(self, names: Iterable[str]) -> Iterator[IndexRow]:
        """Write a page for each game of the files, yielding its index row; at last the index.

        The name ``-`` is standard input. A file that cannot be read is added to ``problems``.
        """
        return self._write_all(self._game_pages(names), "games")

    def write_cases(self, results: Iterable[CaseResult]) -> Iterator[IndexRow]:
        """Write a page for each case, yielding its index row; at last the index."""
        pages = (
            (
                index_case(result, f"{_file_name(result.case.id, number)}.html", self.voice),
                make_case_page(result, self.rules, self.voice, self.others),
            )
            for number, result in enumerate(results, start=1)
        )
        return self._write_all(pages, "cases")

    def write_cycles(self, disputes: Iterable[Dispute]) -> Iterator[IndexRow]:
        """Write a page for each disputed cycle, yielding its index row; at last the index."""
        pages = (
            (
                index_cycle(dispute, number, f"{number:06}.html", self.voice),
                make_cycle_page(dispute, self.voice),
            )
            for number, dispute in enumerate(disputes, start=1)
        )
        return self._write_all(pages, "cycles")

    def _game_pages(self, names: Iterable[str]) -> Iterator[tuple[IndexRow, GamePage]]:
        count = 0
        for name in names:
            for number, game in self._read(name):
                count += 1
                ruled = rule_game(game, self.rules, source=name_input(name), number=number)
                self.problems.extend(error.say(self.voice.language) for error in ruled.errors)
                row = index_game(ruled, game.headers, f"{count:06}.html", self.voice)
                yield row, make_game_page(game, ruled, self.rules, self.voice, self.others)

    def _read(self, name: str) -> Iterator[tuple[int, Game]]:
        try:
            with open_input(name) as data:
                yield from enumerate(read_games(data, source=name_input(name)), start=1)
        except XiangqiError as error:
            self.problems.append(error.say(self.voice.language))
        except OSError as error:
            self.problems.append(str(error))

    def _write_all(
        self, pages: Iterable[tuple[IndexRow, GamePage]], kind: Kind
    ) -> Iterator[IndexRow]:
        """Write each page once the next one is known, to which it links."""
        previous = None
        waiting: tuple[IndexRow, GamePage] | None = None
        for row, page in pages:
            if waiting is not None:
                self._write_page(*waiting, previous, row.href)
                previous = waiting[0].href
            waiting = row, page
            self.rows.append(row)
            yield row
        if waiting is not None:
            self._write_page(*waiting, previous, None)
        index = render_index(self.rows, self.voice, kind=kind, problems=self.problems)
        self._write(_INDEX, _encode(index))

    def _write_page(
        self, row: IndexRow, page: GamePage, previous: str | None, following: str | None
    ) -> None:
        links = []
        if page.sheet is not None:
            name = row.href.replace(".html", "-sheet.html")
            links.append((name, self.voice.say("sheet_title")))
            sheet = render_sheet(replace(page.sheet, lettering=self.lettering))
            self._write(name, _encode(sheet))
        text = render_game(
            page,
            lettering=self.lettering,
            index=_INDEX,
            previous=previous,
            following=following,
            links=links,
        )
        self._write(row.href, _encode(text))

    def _write(self, name: str, content: bytes) -> None:
        with new_file(self.folder / name, replace=True, tidy=False) as out:
            out.write(content)


def _file_name(case_id: str, number: int) -> str:
    """The id if it is safe as a file name, else the number."""
    plain = case_id.isascii() and case_id.replace("_", "").replace("-", "").isalnum()
    return case_id if plain else f"{number:06}"


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "replace")
