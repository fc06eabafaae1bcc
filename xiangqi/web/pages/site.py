"""A folder of pages: one for each game or case, and an index of them all.

The pages need neither a server nor a network. A page is written under another name first, so that
nobody finds half of one. Nothing is ever deleted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from xiangqi.casebook.disputes import Dispute
from xiangqi.casebook.verify import CaseResult
from xiangqi.drawing.svg import Lettering
from xiangqi.errors import Fact, FormatError, XiangqiError, reason_of
from xiangqi.files import name_input, new_file, open_input
from xiangqi.games.arbiter import rule_game
from xiangqi.games.formats import read_games
from xiangqi.games.tree import Game
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
from xiangqi.words.voice import PAGE_VOICE, Voice

__all__ = ["SiteReport"]

_INDEX: Final = "index.html"
_SIGN: Final = "meihua.css"
"""A folder that holds this file is an older report, which may be written over."""


@dataclass(slots=True)
class SiteReport:
    """Writes a report into a folder, page by page; of each page only the index line is kept.

    Raises FormatError where the folder holds anything but an older report, or cannot be made.
    """

    folder: Path
    voice: Voice = PAGE_VOICE
    rules: RuleSet = WXF
    lettering: Lettering | None = None
    """Lettering of the pieces; what suits the language, if left out."""
    others: Sequence[RuleSet] | None = None
    """The rule sets whose verdicts stand beside; the usual ones, if left out."""
    rows: list[IndexRow] = field(default_factory=list)
    """Pages written."""
    problems: list[str] = field(default_factory=list)
    """Inputs that could not be read."""

    def __post_init__(self) -> None:
        self.rules = find_rule_set(self.rules)  # which may be a name
        if self.others is not None:
            self.others = [find_rule_set(other) for other in self.others]
        _check_folder(self.folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FormatError(str(self.folder), "", reason_of(error)) from error
        for name, content in static_files():
            self._write(name, content)

    def write_games(self, names: Iterable[str]) -> Iterator[IndexRow]:
        """A page for each game of the files; the index is there after the last one.

        The name ``-`` is standard input. A file that cannot be read is a problem, and the next one
        comes.
        """
        return self._write_all(self._game_pages(names), "games")

    def write_cases(self, results: Iterable[CaseResult]) -> Iterator[IndexRow]:
        """A page for each case; the index is there after the last one."""
        pages = (
            (
                index_case(result, f"{_file_name(result.case.id, number)}.html", self.voice),
                make_case_page(result, self.rules, self.voice, self.others),
            )
            for number, result in enumerate(results, start=1)
        )
        return self._write_all(pages, "cases")

    def write_cycles(self, disputes: Iterable[Dispute]) -> Iterator[IndexRow]:
        """A page for each cycle on which two rule sets differ; the index comes after the last."""
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
        text = render_game(
            page, lettering=self.lettering, index=_INDEX, previous=previous, following=following
        )
        self._write(row.href, _encode(text))

    def _write(self, name: str, content: bytes) -> None:
        with new_file(self.folder / name, replace=True) as out:
            out.write(content)


def _check_folder(folder: Path) -> None:
    """Raise FormatError unless a report may be written there."""
    if folder.is_dir():
        if any(folder.iterdir()) and not (folder / _SIGN).exists():
            raise FormatError(str(folder), "", Fact("file.other_files"))
    elif folder.exists():
        raise FormatError(str(folder), "", Fact("file.not_folder"))


def _file_name(case_id: str, number: int) -> str:
    """The id where it is a safe name of a file, else the number."""
    plain = case_id.isascii() and case_id.replace("_", "").replace("-", "").isalnum()
    return case_id if plain else f"{number:06}"


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "replace")
