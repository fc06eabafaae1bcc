"""Pages of the games in files: the pages of a report, rendered on demand.

A collection has the games of all files on the command line, or of one uploaded file. Each runs in
its own process, which is killed if it takes too long.
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

from xiangqi.games.arbiter import GameRuling, rule_game
from xiangqi.games.formats import read_games
from xiangqi.games.tree import Game, GameError
from xiangqi.ground.errors import Fact, XiangqiError, reason_of
from xiangqi.ground.files import STANDARD, is_zipped, name_input, open_input, unzipped
from xiangqi.ground.texts import LANGUAGES, Language, say, text_of
from xiangqi.referee.rules import RuleSet
from xiangqi.web.pages.game_page import make_game_page, render_game
from xiangqi.web.pages.index_page import index_game, render_index
from xiangqi.web.serve.chapters import describe_chapters
from xiangqi.web.serve.messages import Answer, Refusal, html_answer, json_answer
from xiangqi.web.serve.trees import describe_game
from xiangqi.web.serve.worker import Worker
from xiangqi.words.voice import PAGE_VOICE, Voice

__all__ = ["MAX_GAMES", "Collection", "Library"]

MAX_GAMES: Final = 5000
"""Maximum number of games read from a collection; 'xiangqi report' has no limit."""
MAX_SENT: Final = 32
"""Maximum number of open uploaded files."""
MAX_SENT_BYTES: Final = 64 << 20
"""Maximum total size of the uploaded files, unpacked, in bytes."""
MAX_UNPACKED_BYTES: Final = 32 << 20
"""Maximum size of a compressed file, unpacked, in bytes."""
MAX_PROCESSES: Final = 4
"""Maximum number of collections with a process. The least recently used process is ended; its files
are read again on demand."""
LIST_SECONDS: Final = 4.0
"""Time limit for reading games before the index page lists those read so far."""
CHAPTER_SECONDS: Final = 1.0
"""The same for the list beside the board, which the page requests until all games are read."""
_INDEX: Final = "index.html"
_CHAPTERS: Final = "index.json"
_ONLY: Final = "only.json"
_PAGE: Final = re.compile(r"(\d{6})\.(html|json)", re.ASCII)
_PLACE: Final = re.compile(r"/games/(\d{1,9})/([a-z]{2})/([\w.]+)", re.ASCII)


class Source(NamedTuple):
    """File of games."""

    name: str
    shown: str
    """Name in messages."""
    data: bytes | None = None
    """Content; None for a file on disk."""


class Collection:
    """Games of some files and their pages; runs in a worker process.

    Between requests games are read ahead, one by one.
    """

    def __init__(self, sources: Sequence[Source], rules: RuleSet, max_games: int) -> None:
        self._rules = rules
        self._most_games = max_games
        self._games: list[tuple[Game, GameRuling]] = []
        self._errors: list[XiangqiError | GameError | Fact] = []
        self._is_cut = False
        """Does a file have more games than the maximum?"""
        self._reader = self._read(sources)
        self._is_read = False

    def work_ahead(self) -> bool:
        """Read another game; return False at the end of the files or at the maximum number."""
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
                        self._errors.extend(ruled.errors)
                        yield game, ruled
            except XiangqiError as error:
                self._errors.append(error)
            except OSError as error:
                self._errors.append(Fact("at", place=source.shown, what=reason_of(error)))

    def answer(self, name: str, voice: Voice, place: str) -> Answer | None:
        """Render the page of this name in a language; None if there is no such page.

        Names and links are those of a report: ``index.html``, ``000001.html``. ``index.json`` is
        the list beside the board, ``000001.json`` the game for the board page, ``only.json`` that
        of a file with a single one. ``place`` is the collection's number and language in links.
        """
        if name == _ONLY:
            while len(self._games) < 2 and self.work_ahead():
                pass
            only = None
            if len(self._games) == 1:
                errors = self._say_errors(voice.language)
                only = {**describe_game(self._games[0][0]), "errors": errors, "more": False}
            return json_answer({"game": only})
        if name in (_INDEX, _CHAPTERS):
            end = time.monotonic() + (LIST_SECONDS if name == _INDEX else CHAPTER_SECONDS)
            while time.monotonic() < end and self.work_ahead():
                pass
            if name == _INDEX:
                return html_answer(self._render_index(voice))
            games, notes = describe_chapters(self._games, voice), self._notes(voice.language)
            return json_answer({"games": games, "isRead": self._is_read, "problems": notes})
        found = _PAGE.fullmatch(name)
        number = int(found[1]) if found else 0
        while len(self._games) <= number and self.work_ahead():  # the next game, for its link
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

    def _notes(self, lang: Language) -> list[str]:
        """Sentences on what is not listed, and why."""
        notes = [say(lang, "page.cut", most=self._most_games)] if self._is_cut else []
        return notes + self._say_errors(lang)

    def _say_errors(self, lang: Language) -> list[str]:
        return [one.say(lang) for one in self._errors]

    def _render_index(self, voice: Voice) -> str:
        lang = voice.language
        rows = [
            index_game(ruled, game.headers, _page_name(number), voice)
            for number, (game, ruled) in enumerate(self._games, start=1)
        ]
        notes = self._notes(lang)
        if not self._is_read:
            notes.insert(0, say(lang, "page.read_so_far", games=len(rows)))
        links = _links(lang, _INDEX, "to_board", "")
        return render_index(rows, voice, kind="games", problems=notes, links=links)


def _links(lang: Language, name: str, words: str, query: str) -> list[tuple[str, str]]:
    """Link to the board page, and to this page in each other language."""
    others = [one for one in LANGUAGES if one != lang]
    return [
        (f"/?lang={lang}{query}", say(lang, f"page.{words}")),
        *((f"../{other}/{name}", text_of(other, "language.name")) for other in others),
    ]


def _page_name(number: int) -> str:
    return f"{number:06}.html"


class Library:
    """Collections by number: 0 for the files on the command line, then uploaded files.

    ``assets`` are the scripts and styles of their pages, by name; ``voice`` has the notation of the
    pages. ``worker`` is the class that runs each collection.
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
        self._collections: dict[int, _OpenCollection] = {}
        self._used: list[int] = []  # collections with a process, the most recently used last
        self._sent = 0
        sources = tuple(map(_source_of, files))
        if sources:
            names = ", ".join(PurePath(source.shown).name for source in sources)
            self._collections[0] = self._open(names, sources)

    def _open(self, name: str, sources: tuple[Source, ...], size: int = 0) -> _OpenCollection:
        worker = self._worker(Collection, sources, self._rules, MAX_GAMES)
        return _OpenCollection(name, worker, size)

    def open_files(self) -> list[tuple[int, str]]:
        """List number and name of each collection, in the order of opening."""
        with self._changing:
            return [(number, one.name) for number, one in self._collections.items()]

    def add(self, name: str, content: bytes) -> int:
        """Open an uploaded file and return its number.

        Raises Refusal if there are too many files or they are too large, FormatError for a damaged
        compressed file.
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
        """Close an uploaded file. Raises Refusal for any other number."""
        with self._changing:
            if number < 1 or number not in self._collections:
                raise Refusal(404, Fact("serve.no_file", number=number))
            self._collections.pop(number).worker.close()

    def find(self, path: str) -> Callable[[], Answer] | None:
        """Find the handler of an address such as ``/games/0/en/index.html``, or None."""
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
        self, number: int, collection: _OpenCollection, name: str, language: Language, path: str
    ) -> Answer:
        voice, place = replace(self._voice, language=language), f"{number}/{language}"
        with self._changing:  # end the least recently used processes, to start this one
            self._used = [one for one in self._used if one in self._collections and one != number]
            self._used.append(number)
            while len(self._used) > MAX_PROCESSES:
                self._collections[self._used.pop(0)].worker.close_if_idle()
        answer: Answer | None = collection.worker.call(name, voice, place)
        if answer is None:
            raise Refusal(404, Fact("serve.no_page", given=path))
        return answer

    def close_all(self) -> None:
        """End all processes."""
        with self._changing:
            for collection in self._collections.values():
                collection.worker.close()


@dataclass(frozen=True, slots=True)
class _OpenCollection:
    """Collection with its worker, in the server's process."""

    name: str
    """Name in the list of open files."""
    worker: Worker
    size: int
    """Size of an uploaded file, unpacked, in bytes; 0 for the files on the command line."""


def _source_of(name: str) -> Source:
    """Make the source of a command-line argument. Standard input is read here: workers lack it."""
    if name != STANDARD:
        return Source(name, name_input(name))
    with open_input(name) as file:
        return Source(name, name_input(name), file.read())


def _open(source: Source) -> AbstractContextManager[IO[bytes]]:
    return open_input(source.name) if source.data is None else io.BytesIO(source.data)


def _unpack(content: bytes, name: str) -> bytes:
    """Decompress a file's content if it is compressed.

    Raises FormatError if it is damaged or truncated, Refusal if it is too large or compressed twice
    (a compressed file inside could have any size).
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
