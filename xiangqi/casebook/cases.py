"""Repetition cases of the rule books, read from the TOML files of ``wxf_cases``.

Cases of the WXF book are in that folder, those of another book in a subfolder of its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from itertools import cycle
from pathlib import Path
from typing import Any, Final, TypeVar

from xiangqi.board import Board
from xiangqi.games.record import GameRecord
from xiangqi.ground.errors import CaseError, Fact, reason_of
from xiangqi.ground.files import parse_toml
from xiangqi.ground.texts import Language, name_keys, translations
from xiangqi.referee.rules import RULE_SETS, WXF, RuleSet
from xiangqi.referee.ruling import Conduct, Mark, Verdict

__all__ = ["DISPUTES", "Case", "find_case", "find_case_folder", "load_all_cases", "load_cases"]

DISPUTES: Final = "disputes"
"""Subfolder of positions reported to other programs' authors, with verdicts by several books."""

_CONFIDENCES: Final = ("high", "medium", "low")
Word = TypeVar("Word", Verdict, Conduct, Mark)


@dataclass(frozen=True, slots=True)
class Case:
    """Position, lead-in moves, repeating cycle, and expected ruling."""

    id: str
    chapters: Mapping[Language, str] = field(hash=False)
    """Titles of the chapter by language."""
    titles: Mapping[Language, str] = field(hash=False)
    """Titles of the case by language."""
    fen: str
    lead_in: tuple[str, ...]
    cycle: tuple[str, ...]
    verdict: Verdict
    red: Conduct | None
    """Red's conduct; None where the book has only the verdict."""
    black: Conduct | None
    """Black's conduct, likewise."""
    source: str
    confidence: str
    notes: Mapping[Language, str] = field(hash=False)
    """Notes by language; empty if there are none."""
    marks: tuple[Mark, ...] = ()
    """Mark of each ply of the cycle; empty if the book has none."""
    verdicts: tuple[tuple[str, Verdict], ...] = ()
    """Names of rule sets with their verdicts, if several books rule on the case; ``verdict`` is
    then that of the WXF book."""
    diagram: int | None = None

    @property
    def chapter(self) -> str:
        """Title of the chapter, in English."""
        return self.chapters["en"]

    @property
    def title(self) -> str:
        """Title of the case, in English."""
        return self.titles["en"]

    @property
    def note(self) -> str:
        """Note on the case, in English; empty if there is none."""
        return self.notes["en"]

    def by_book(self, rules: str) -> Case | None:
        """Case with the verdict by a rule set; None if that is unknown.

        A case of one book only is returned unchanged.
        """
        if not self.verdicts or rules == WXF.name:
            return self
        verdict = dict(self.verdicts).get(rules)
        return None if verdict is None else replace(self, verdict=verdict, red=None, black=None)

    def record(self, *, rounds: int, phase: int = 0) -> GameRecord:
        """Game that plays the cycle ``rounds`` times, starting ``phase`` plies into it."""
        lead_in = self.lead_in + self.cycle[:phase]
        rotated = self.cycle[phase:] + self.cycle[:phase]
        return GameRecord(self.fen, lead_in + rotated * rounds)

    def play_until(self, occurrences: int) -> Board:
        """Board when the cycle's first position has occurred this many times.

        Some cases give their round more than once, and so reach the count within the cycle.
        """
        board = self.record(rounds=0).play()
        start = board.key
        for move in cycle(self.cycle):
            board.push_iccs(move)
            if board.key == start and board.repetitions() >= occurrences:
                break
        return board

    def play_by(self, rules: RuleSet | str) -> Board:
        """Board when the repeated cycle ends the game, by a barred move or a draw, under a rule set
        that counts rounds."""
        board = self.record(rounds=0).play()
        for move in cycle(self.cycle):
            if board.outcome(rules) is not None:
                break
            board.push_iccs(move)
        return board


_CONDUCT_KEYS: Final = {"red", "black"}
_TEXTS: Final = frozenset((*name_keys("title"), *name_keys("note")))
_KEYS: Final = _TEXTS | {one.name for one in fields(Case)} - {"chapters", "titles", "notes"}


def find_case_folder(rules: str = "wxf") -> Path:
    """Folder of a rule book's cases, in the installed package or in the checkout.

    A rule set without cases of its own gets those of the WXF book.
    """
    package = Path(__file__).parents[1]
    for folder in (package / "wxf_cases", package.parent / "wxf_cases"):
        if folder.is_dir():
            own = folder / rules
            return own if own.is_dir() else folder
    raise CaseError("wxf_cases", "", "", Fact("case.no_folder", folder=str(package)))


def load_cases(paths: Iterable[Path] = ()) -> list[Case]:
    """Load the cases of files or folders, in order; without paths those of the WXF book.

    A folder means its TOML files or, if it has none, for those of its subfolders. Raises
    CaseError, which names file, case and key.
    """
    cases: list[Case] = []
    seen: dict[str, Path] = {}
    for path in _files(list(paths) or [find_case_folder()]):
        for case in _load_file(path):
            if case.id in seen:
                raise CaseError(
                    str(path), case.id, "id", Fact("case.twice", path=str(seen[case.id]))
                )
            seen[case.id] = path
            cases.append(case)
    return cases


def load_all_cases() -> list[Case]:
    """Load the cases of all rule books, those of the WXF book first."""
    folder = find_case_folder()
    return load_cases([folder, *sorted(path for path in folder.iterdir() if path.is_dir())])


def find_case(case_id: str, cases: Iterable[Case]) -> Case:
    """Find a case by its id, case-insensitive; raises CaseError if there is none.

    ``D12`` also finds D12a.
    """
    by_id = {case.id.lower(): case for case in cases}
    for name in (case_id.lower(), f"{case_id.lower()}a"):
        if name in by_id:
            return by_id[name]
    raise CaseError("", case_id, "", Fact("case.unknown"))


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            found = sorted(path.glob("*.toml")) or sorted(path.rglob("*.toml"))
            if not found:
                raise CaseError(str(path), "", "", Fact("case.no_files"))
            yield from found
        else:
            yield path


def _load_file(path: Path) -> tuple[Case, ...]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CaseError(str(path), "", "", reason_of(error)) from error
    return _read_cases(path, content)


@lru_cache(maxsize=64)
def _read_cases(path: Path, content: bytes) -> tuple[Case, ...]:
    """Read the cases of a file; files that have not changed are parsed once."""
    try:
        data = parse_toml(content)
    except ValueError as error:
        raise CaseError(str(path), "", "", reason_of(error)) from error
    chapters: dict[str, str] = {}
    for key in name_keys("chapter"):
        chapter = data.get(key, "" if chapters else None)
        if not isinstance(chapter, str):
            why = Fact("found", value=chapter, expected=Fact("a_text"))
            raise CaseError(str(path), "", key, why)
        chapters[key] = chapter
    tables = data.get("case", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise CaseError(str(path), "", "case", Fact("case.tables"))
    return tuple(
        _Reader(path, number, table).case(translations("chapter", chapters))
        for number, table in enumerate(tables, start=1)
    )


class _Reader:
    """Reader of the table of one case; raises CaseError for an invalid value."""

    def __init__(self, path: Path, number: int, table: Mapping[str, Any]) -> None:
        self.path = path
        self.name = str(table.get("id", f"number {number} of the file"))
        self.table = table

    def case(self, chapters: Mapping[Language, str]) -> Case:
        for key in self.table:
            if key not in _KEYS:
                why = Fact("case.key", keys=", ".join(sorted(_KEYS)))
                raise CaseError(str(self.path), self.name, key, why)
        verdict = self.word("verdict", Verdict)
        is_ruled = verdict is not Verdict.UNDECIDED and not _CONDUCT_KEYS.isdisjoint(self.table)
        confidence = self.text("confidence")
        if confidence not in _CONFIDENCES:
            raise self.error("confidence", confidence, Fact("one_of", choices=_CONFIDENCES))
        return Case(
            id=self.text("id"),
            chapters=chapters,
            titles=self.translations("title", self.text("title")),
            fen=self.text("fen"),
            lead_in=self.moves("lead_in"),
            cycle=self.moves("cycle"),
            verdict=verdict,
            red=self.word("red", Conduct) if is_ruled else None,
            black=self.word("black", Conduct) if is_ruled else None,
            source=self.text("source"),
            confidence=confidence,
            marks=self.marks(),
            verdicts=self.verdicts(),
            diagram=self.number("diagram"),
            notes=self.translations("note", self.optional_text("note")),
        )

    def error(self, key: str, value: object, expected: Fact) -> CaseError:
        why = Fact("found", value=value, expected=expected)
        return CaseError(str(self.path), self.name, key, why)

    def text(self, key: str) -> str:
        value = self.table.get(key)
        if not isinstance(value, str) or not value:
            raise self.error(key, value, Fact("a_text"))
        return value

    def optional_text(self, key: str) -> str:
        return self.text(key) if key in self.table else ""

    def translations(self, key: str, english: str) -> Mapping[Language, str]:
        return translations(
            key, {key: english, **{one: self.optional_text(one) for one in name_keys(key)[1:]}}
        )

    def number(self, key: str) -> int | None:
        value = self.table.get(key)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise self.error(key, value, Fact("a_number"))
        return value

    def moves(self, key: str) -> tuple[str, ...]:
        value = self.table.get(key)
        if not isinstance(value, list) or not all(isinstance(move, str) for move in value):
            raise self.error(key, value, Fact("move_list"))
        return tuple(value)

    def word(self, key: str, kind: type[Word]) -> Word:
        return self.word_of(key, self.table.get(key), kind)

    def word_of(self, key: str, value: object, kind: type[Word]) -> Word:
        try:
            return kind(value)
        except ValueError:
            choices = tuple(repr(word.value) for word in kind)
            raise self.error(key, value, Fact("one_of", choices=choices)) from None

    def verdicts(self) -> tuple[tuple[str, Verdict], ...]:
        table = self.table.get("verdicts", {})
        if not isinstance(table, dict):
            raise self.error("verdicts", table, Fact("case.rule_sets"))
        for name in table:
            if name not in RULE_SETS:
                raise self.error("verdicts", name, Fact("case.rule_names"))
        return tuple(
            (name, self.word_of("verdicts", word, Verdict)) for name, word in table.items()
        )

    def marks(self) -> tuple[Mark, ...]:
        values, cycle = self.table.get("marks", []), self.moves("cycle")
        if not isinstance(values, list) or (values and len(values) != len(cycle)):
            raise self.error("marks", values, Fact("case.marks"))
        return tuple(self.word_of("marks", value, Mark) for value in values)
