"""Pages of the games in files: the same as those of a report, made on demand.

A collection has the games of the command line's files, or of one that was sent by the page. It
lives in a process of its own, which can be killed.
"""

from __future__ import annotations

import io
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import IO, Final, NamedTuple

from xiangqi.errors import Fact, XiangqiError
from xiangqi.files import STANDARD, is_zipped, name_input, open_input, unzipped
from xiangqi.games.arbiter import GameRuling, rule_game
from xiangqi.games.formats import read_games
from xiangqi.games.tree import Game
from xiangqi.referee.rules import RuleSet
from xiangqi.web.pages.game_page import make_game_page, render_game
from xiangqi.web.pages.index_page import index_game, render_index
from xiangqi.web.serve.entry import other_language
from xiangqi.web.serve.labels import label
from xiangqi.web.serve.messages import Answer, Refusal, html_answer, json_answer
from xiangqi.web.serve.trees import describe_game
from xiangqi.web.serve.worker import Worker
from xiangqi.words import LANGUAGES, Language
from xiangqi.words.voice import PAGE_VOICE, Voice

__all__ = ["MAX_GAMES", "Collection", "Library"]

MAX_GAMES: Final = 5000
"""Maximum number of games read from a collection; 'xiangqi report' has no limit."""
MAX_SENT: Final = 32
"""Maximum number of uploaded files open at a time."""
MAX_SENT_BYTES: Final = 64 << 20
"""Maximum size of all of them together, unpacked, in bytes."""
MAX_UNPACKED_BYTES: Final = 32 << 20
"""Maximum size of a compressed file, unpacked, in bytes."""
MAX_PROCESSES: Final = 4
"""Maximum number of collections with a process; that of the least recently used one is ended, and
its files are read again when one of its pages is wanted."""
LIST_SECONDS: Final = 4.0
"""Time after which the games read so far are listed."""
_INDEX: Final = "index.html"
_PAGE: Final = re.compile(r"(\d{6})\.(html|json)", re.ASCII)
_PLACE: Final = re.compile(r"/games/(\d{1,9})/([a-z]{2})/([\w.]+)", re.ASCII)


class Source(NamedTuple):
    """A file of games."""

    name: str
    shown: str
    """Name in messages."""
    data: bytes | None = None
    """Content; None for a file on disk."""


class Collection:
    """The games of some files and their pages, in the process that reads them.

    Games are read and ruled on one by one, ahead of the questions.
    """

    def __init__(self, sources: Sequence[Source], rules: RuleSet, most_games: int) -> None:
        self._rules = rules
        self._most_games = most_games
        self._games: list[tuple[Game, GameRuling]] = []
        self._problems: list[str] = []
        self._is_cut = False
        """Are there more games than are kept?"""
        self._reader = self._read(sources)
        self._is_read = False

    def work_ahead(self) -> bool:
        """Read another game; False if there is none, or none that is kept."""
        found = None if self._is_read else next(self._reader, None)
        if found is None:
            self._is_read = True
        elif len(self._games) == self._most_games:
            self._is_cut = self._is_read = True
        else:
            self._games.append(found)
        return not self._is_read

    def _read(self, sources: Sequence[Source]) -> Iterator[tuple[Game, GameRuling]]:
        for source in sources:
            try:
                with _open(source) as data:
                    for number, game in enumerate(read_games(data, source=source.shown), start=1):
                        ruled = rule_game(game, self._rules, source=source.shown, number=number)
                        self._problems.extend(map(str, ruled.errors))
                        yield game, ruled
            except (XiangqiError, OSError) as error:
                self._problems.append(str(error))

    def answer(self, name: str, voice: Voice, place: str) -> Answer | None:
        """The page of this name in a language, if there is one.

        Names and links are those of a report: ``index.html``, ``000001.html``. ``000001.json`` is
        the game for the page on which it can be played on, which requests it at ``place``. The list
        has the games that have been read in some seconds.
        """
        if name == _INDEX:
            end = time.monotonic() + LIST_SECONDS
            while time.monotonic() < end and self.work_ahead():
                pass
            return html_answer(self._render_index(voice))
        found = _PAGE.fullmatch(name)
        number = int(found[1]) if found else 0
        while len(self._games) <= number and self.work_ahead():  # and the one that follows
            pass
        if found is None or not 1 <= number <= len(self._games):
            return None
        game, ruled = self._games[number - 1]
        if found[2] == "json":
            return json_answer(describe_game(game))
        page = render_game(
            make_game_page(game, ruled, self._rules, voice),
            previous=_page_name(number - 1) if number > 1 else None,
            following=_page_name(number + 1) if number < len(self._games) else None,
            links=_links(voice.language, name, "play_on", f"&game={place}/{number:06}"),
        )
        return html_answer(page)

    def _render_index(self, voice: Voice) -> str:
        lang = voice.language
        rows = [
            index_game(ruled, game.headers, _page_name(number), voice)
            for number, (game, ruled) in enumerate(self._games, start=1)
        ]
        notes = [label(lang, "cut", most=self._most_games)] if self._is_cut else []
        if not self._is_read:
            notes.append(label(lang, "read_so_far", games=len(rows)))
        links = _links(lang, _INDEX, "to_board", "")
        return render_index(rows, voice, kind="games", problems=notes + self._problems, links=links)


def _links(lang: Language, name: str, words: str, query: str) -> list[tuple[str, str]]:
    """To the page for entering a game, and to this page in the other language."""
    return [
        (f"/?lang={lang}{query}", label(lang, words)),
        (f"../{other_language(lang)}/{name}", label(lang, "other_language")),
    ]


def _page_name(number: int) -> str:
    return f"{number:06}.html"


class Library:
    """The collections by their numbers: 0 for the command line's files, then what is sent.

    ``assets`` are the files that their pages load, by their names; the notation of the pages is
    that of ``voice``. ``worker`` reads each file.
    """

    def __init__(
        self,
        files: Iterable[str],
        rules: RuleSet,
        assets: Mapping[str, Answer],
        voice: Voice = PAGE_VOICE,
        worker: type[Worker] = Worker,
    ) -> None:
        self._worker = worker
        self._voice = voice
        self._rules = rules
        self._assets = assets
        self._changing = threading.Lock()
        self._collections: dict[int, _Open] = {}
        self._used: list[int] = []  # those with a process, the most recently used one last
        self._sent = 0
        sources = tuple(map(_source_of, files))
        if sources:
            names = ", ".join(PurePath(source.shown).name for source in sources)
            self._collections[0] = self._open(names, sources)

    def _open(self, name: str, sources: tuple[Source, ...], size: int = 0) -> _Open:
        return _Open(name, self._worker(Collection, sources, self._rules, MAX_GAMES), size)

    def open_files(self) -> list[tuple[int, str]]:
        """The number and the name of each collection, in the order in which they were opened."""
        with self._changing:
            return [(number, one.name) for number, one in self._collections.items()]

    def add(self, name: str, content: bytes) -> int:
        """Keep a file that was sent until it is closed; its number.

        Raises Refusal where there is no room for it, and FormatError where it is compressed and
        damaged.
        """
        plain = PurePath(name.replace("\\", "/")).name or "file"
        data = _unpack(content, plain)
        collection = self._open(plain, (Source(plain, plain, data),), len(data))
        with self._changing:
            sent = [one.size for number, one in self._collections.items() if number]
            if len(sent) >= MAX_SENT or sum(sent) + len(data) > MAX_SENT_BYTES:
                raise Refusal(507, Fact("serve.no_room", files=len(sent)))
            self._sent += 1
            self._collections[self._sent] = collection
            return self._sent

    def close(self, number: int) -> None:
        """Forget a file that was sent; those of the command line stay. Raises Refusal."""
        with self._changing:
            if number < 1 or number not in self._collections:
                raise Refusal(404, Fact("serve.no_file", number=number))
            self._collections.pop(number).worker.close()

    def find(self, path: str) -> Callable[[], Answer] | None:
        """Handler of an address such as ``/games/0/en/index.html``, or None."""
        place = _PLACE.fullmatch(path)
        language = next((lang for lang in LANGUAGES if place and lang == place[2]), None)
        if place is None or language is None:
            return None
        number, name = int(place[1]), place[3]
        asset, collection = self._assets.get(name), self._collections.get(number)
        if asset is not None:
            return lambda: asset
        if collection is None:
            return None
        return lambda: self._answer(number, collection, name, language, path)

    def _answer(
        self, number: int, collection: _Open, name: str, language: Language, path: str
    ) -> Answer:
        voice, place = replace(self._voice, language=language), f"{number}/{language}"
        self._limit_processes(number)
        answer: Answer | None = collection.worker.ask(name, voice, place)
        if answer is None:
            raise Refusal(404, Fact("serve.no_page", given=path))
        return answer

    def _limit_processes(self, number: int) -> None:
        """Free a process for a collection."""
        with self._changing:
            self._used = [one for one in self._used if one in self._collections and one != number]
            self._used.append(number)
            while len(self._used) > MAX_PROCESSES:
                self._collections[self._used.pop(0)].worker.close_if_idle()

    def close_all(self) -> None:
        """End all processes."""
        with self._changing:
            for collection in self._collections.values():
                collection.worker.close()


@dataclass(frozen=True, slots=True)
class _Open:
    """A collection as the server sees it."""

    name: str
    """Name in the list of open files."""
    worker: Worker
    size: int
    """Number of bytes held for it."""


def _source_of(name: str) -> Source:
    """A file of the command line. Standard input is read here: another process has its own."""
    if name != STANDARD:
        return Source(name, name_input(name))
    with open_input(name) as file:
        return Source(name, name_input(name), file.read())


def _open(source: Source) -> AbstractContextManager[IO[bytes]]:
    return open_input(source.name) if source.data is None else io.BytesIO(source.data)


def _unpack(content: bytes, name: str) -> bytes:
    """The content, unpacked if it is compressed.

    Raises FormatError where it is damaged or cut off, Refusal where it is too large, and where
    there is another compressed file in it, whose size nobody knows.
    """
    if not is_zipped(content):
        return content
    with unzipped(io.BytesIO(content), name) as plain:
        data = plain.read(MAX_UNPACKED_BYTES + 1)
    if len(data) > MAX_UNPACKED_BYTES:
        raise Refusal(413, Fact("serve.large_unpacked", bytes=MAX_UNPACKED_BYTES))
    if is_zipped(data):
        raise Refusal(400, Fact("serve.packed_twice"))
    return data
