"""Files of games as pages: the same as those of a report, made when they are asked for.

A collection is what was read from the files of the command line, or from one that was sent by
the page. It keeps the games that were read, and makes a page anew each time.
"""

from __future__ import annotations

import io
import re
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import PurePath
from typing import Final

from xiangqi.errors import XiangqiError, quote
from xiangqi.files import name_input, open_input
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
from xiangqi.words import LANGUAGES, Language
from xiangqi.words.voice import PAGE_VOICE, Voice

__all__ = ["MOST_GAMES", "Collection", "Library"]

MOST_GAMES: Final = 5000
"""How many games of a collection are read; 'xiangqi report' takes any number."""
MOST_SENT: Final = 32
"""How many files sent by the page are open at a time."""
MOST_SENT_BYTES: Final = 64 << 20
"""How many bytes they may have together, when they are unpacked."""
LARGEST_UNPACKED: Final = 32 << 20
"""How many bytes a compressed file may have when it is unpacked."""
_GZIP: Final = b"\x1f\x8b"
_INDEX: Final = "index.html"
_PAGE: Final = re.compile(r"(\d{6})\.(html|json)", re.ASCII)
_PLACE: Final = re.compile(r"/games/(\d{1,9})/([a-z]{2})/([\w.]+)", re.ASCII)

Source = tuple[str, Callable[[], Iterable[Game]]]
"""The name of a file, and how its games are read."""


@dataclass
class Collection:
    """Games and their pages. They are read and ruled on when a page is first asked for."""

    name: str
    """What the list of open files calls it."""
    sources: tuple[Source, ...]
    rules: RuleSet
    size: int = 0
    """How many bytes are held for it."""
    problems: list[str] = field(default_factory=list)
    """What could not be read."""
    is_cut: bool = False
    """Are there more games than are kept?"""
    _reading: threading.Lock = field(default_factory=threading.Lock)

    @cached_property
    def _games(self) -> list[tuple[Game, GameRuling]]:
        games = list(islice(self._read(), MOST_GAMES + 1))
        self.is_cut = len(games) > MOST_GAMES
        return games[:MOST_GAMES]

    def _read(self) -> Iterator[tuple[Game, GameRuling]]:
        for name, read in self.sources:
            try:
                for number, game in enumerate(read(), start=1):
                    ruled = rule_game(game, self.rules, source=name, number=number)
                    self.problems.extend(map(str, ruled.errors))
                    yield game, ruled
            except (XiangqiError, OSError) as error:
                self.problems.append(str(error))

    def answer(self, name: str, voice: Voice, place: str) -> Answer | None:
        """The page of this name in a language, if there is one.

        Names and links are those of a report: ``index.html``, ``000001.html``. ``000001.json`` is
        the game for the page on which it can be played on, which asks for it at ``place``.
        """
        lang = voice.language
        with self._reading:
            games = self._games
        if name == _INDEX:
            return html_answer(self._render_index(games, voice))
        found = _PAGE.fullmatch(name)
        number = int(found[1]) if found else 0
        if found is None or not 1 <= number <= len(games):
            return None
        game, ruled = games[number - 1]
        if found[2] == "json":
            return json_answer(describe_game(game))
        page = render_game(
            make_game_page(game, ruled, self.rules, voice),
            previous=_page_name(number - 1) if number > 1 else None,
            following=_page_name(number + 1) if number < len(games) else None,
            links=_links(lang, name, "play_on", f"&game={place}/{number:06}"),
        )
        return html_answer(page)

    def _render_index(self, games: list[tuple[Game, GameRuling]], voice: Voice) -> str:
        lang = voice.language
        rows = [
            index_game(ruled, game.headers, _page_name(number), voice)
            for number, (game, ruled) in enumerate(games, start=1)
        ]
        cut = [label(lang, "cut", most=MOST_GAMES)] if self.is_cut else []
        links = _links(lang, _INDEX, "to_board", "")
        return render_index(rows, voice, kind="games", problems=cut + self.problems, links=links)


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
    that of ``voice``.
    """

    def __init__(
        self,
        files: Iterable[str],
        rules: RuleSet,
        assets: Mapping[str, Answer],
        voice: Voice = PAGE_VOICE,
    ) -> None:
        self._voice = voice
        self._rules = rules
        self._assets = assets
        self._changing = threading.Lock()
        self._collections: dict[int, Collection] = {}
        self._sent = 0
        sources = tuple(_on_disk(name) for name in files)
        if sources:
            names = ", ".join(PurePath(name).name for name, _ in sources)
            self._collections[0] = Collection(names, sources, rules)

    def open_files(self) -> list[tuple[int, str]]:
        """The number and the name of each collection, in the order in which they were opened."""
        with self._changing:
            return [(number, one.name) for number, one in self._collections.items()]

    def add(self, name: str, content: bytes, lang: Language) -> int:
        """Keep a file that was sent until it is closed; its number.

        Raises Refusal, in this language where there is no room for it.
        """
        data = _unpack(content)
        plain = PurePath(name.replace("\\", "/")).name or "file"
        source = (plain, lambda: _read_sent(data, plain))
        collection = Collection(plain, (source,), self._rules, len(data))
        with self._changing:
            sent = [one.size for number, one in self._collections.items() if number]
            if len(sent) >= MOST_SENT or sum(sent) + len(data) > MOST_SENT_BYTES:
                raise Refusal(507, label(lang, "no_room", files=len(sent)))
            self._sent += 1
            self._collections[self._sent] = collection
            return self._sent

    def close(self, number: int) -> None:
        """Forget a file that was sent; those of the command line stay. Raises Refusal."""
        with self._changing:
            if number < 1 or number not in self._collections:
                raise Refusal(404, f"file {number}: there is no such file")
            del self._collections[number]

    def find(self, path: str) -> Callable[[], Answer] | None:
        """What answers at an address such as ``/games/0/en/index.html``, if anything does."""
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
        voice = replace(self._voice, language=language)
        return lambda: _expect(collection.answer(name, voice, f"{number}/{language}"), path)


def _on_disk(name: str) -> Source:
    shown = name_input(name)
    return shown, lambda: _read_file(name, shown)


def _read_file(name: str, shown: str) -> Iterator[Game]:
    with open_input(name) as data:
        yield from read_games(data, source=shown)


def _read_sent(data: bytes, name: str) -> Iterator[Game]:
    return read_games(io.BytesIO(data), source=name)


def _unpack(content: bytes) -> bytes:
    """The content, unpacked if it is compressed; raises Refusal where that is too much."""
    if not content.startswith(_GZIP):
        return content
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)  # with the header of gzip
    try:
        data = unpacker.decompress(content, LARGEST_UNPACKED)
    except zlib.error as error:
        raise Refusal(400, f"the compressed file is damaged: {error}") from error
    if unpacker.unconsumed_tail:
        raise Refusal(413, f"the file has more than {LARGEST_UNPACKED} bytes when unpacked")
    return data


def _expect(answer: Answer | None, path: str) -> Answer:
    if answer is None:
        raise Refusal(404, f"{quote(path)}: there is no such page")
    return answer
