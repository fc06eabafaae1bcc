"""Routes of the server and their handlers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath
from random import Random
from typing import Any, Final

from xiangqi.books import Book
from xiangqi.ground.errors import Fact, XiangqiError
from xiangqi.ground.texts import LANGUAGES, Language, say
from xiangqi.referee.rules import WXF, RuleSet
from xiangqi.web.serve.entry import asset_files, asset_folder, render_entry, render_error
from xiangqi.web.serve.learning import Reviewer, describe_cycles, describe_puzzles, read_review
from xiangqi.web.serve.library import Library
from xiangqi.web.serve.messages import (
    Answer,
    Refusal,
    Request,
    Stream,
    html_answer,
    json_answer,
    language_of,
    lines_answer,
    number_of,
    text_of,
    voice_of,
)
from xiangqi.web.serve.openings import choose_opening_move, describe_lines
from xiangqi.web.serve.queries import JSON, MAX_DATA, Queries, Route, translating_errors
from xiangqi.web.serve.thinking import (
    OWN_ENGINE,
    EngineHost,
    SearchDescriber,
    SearchSnapshot,
    read_analysis_request,
    read_play_request,
)
from xiangqi.web.serve.trees import TextHandler, read_move
from xiangqi.web.serve.worker import InProcess, Worker
from xiangqi.words.voice import PAGE_VOICE, Voice

__all__ = ["MAX_UPLOAD", "Application"]

MAX_TEXT: Final = 1 << 20
"""Maximum size of a text with a game, in bytes."""
MAX_GAME: Final = 8 << 20
"""Maximum size of a game with variations and comments, in bytes."""
MAX_UPLOAD: Final = 16 << 20
"""Maximum size of a file of games, in bytes."""
MAX_NUMBER: Final = 10**9
"""Upper bound of a file's number."""
_FILE: Final = "application/octet-stream"
_LANGUAGE: Final = re.compile(rf"(?:/|[?&]lang=)({'|'.join(LANGUAGES)})(?![^/&])")
"""Language in the address of a page."""
_KEPT: Final = {"Cache-Control": "max-age=31536000, immutable"}
"""Header of a file that a browser keeps for a year."""
_KINDS: Final = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}


class Application:
    """Serves the pages and their requests; ``rules`` is the default rule set.

    Pasted and uploaded games are read in processes with a time limit; ``has_processes`` is False in
    a browser, which has none. ``queries``, if given, determines the rule set and the voice.
    """

    def __init__(
        self,
        rules: RuleSet | str = WXF,
        voice: Voice = PAGE_VOICE,
        files: Iterable[str] = (),
        book: Book | None = None,
        engines: EngineHost | None = None,
        *,
        has_processes: bool = True,
        queries: Queries | None = None,
    ) -> None:
        self._queries = queries = queries or Queries(rules, voice, book)
        self._rules, self._voice = queries.rules, queries.voice
        self._book = book
        self._engines = engines
        self._random = Random()
        self._reviewer = Reviewer(in_threads=has_processes)
        worker = Worker if has_processes else InProcess
        self._texts = worker(TextHandler)
        assets = {name: Answer(body, _KINDS[PurePath(name).suffix]) for name, body in asset_files()}
        self._library = Library(files, self._rules, assets, self._voice, worker)
        self._pages: dict[str, Route] = {
            **{
                f"/{asset_folder()}{name}": _constant(replace(answer, headers=_KEPT))
                for name, answer in assets.items()
            },
            "/": Route(self._answer_entry),
            "/api/engines": Route(lambda _: json_answer({"engines": list(self.engines.names)})),
            "/favicon.ico": _constant(Answer(b"", "image/x-icon", 204)),
        }
        self._posted: Mapping[str, Route] = {
            **queries.routes,
            "/api/puzzles": queries.route(describe_puzzles),
            "/api/cycles": queries.route(describe_cycles),
            "/api/lines": queries.route(describe_lines),
            "/api/review": Route(None, JSON, MAX_DATA, self._review),
            "/api/parse": Route(self._answer_pasted, JSON, MAX_TEXT),
            "/api/move": queries.route(read_move),
            "/api/pgn": Route(self._answer_pgn, JSON, MAX_GAME),
            "/api/engine": Route(None, JSON, MAX_DATA, self._play),
            "/api/analyse": Route(None, JSON, MAX_DATA, self._analyse),
            "/api/stop": Route(None, JSON, MAX_DATA, self._stop),
            "/api/report": Route(self._answer_report, _FILE, MAX_UPLOAD),
            "/api/close": Route(self._answer_close, JSON, MAX_DATA),
        }

    def find_route(self, method: str, target: str) -> Route:
        """Find the handler of a method at an address; raises Refusal."""
        path = Request(target).path
        page, posted = self._pages.get(path), self._posted.get(path)
        answer = self._library.find(path) if page is None else None
        if answer is not None:
            page = Route(lambda _: answer())
        route = posted if method == "POST" else page
        if route is None:
            if page is None and posted is None:
                raise Refusal(404, Fact("serve.no_page", given=path))
            raise Refusal(405, Fact("serve.other_method", place=method, given=path))
        return route

    def language_at(self, target: str) -> Language:
        """Language given in an address, or the server's own."""
        found = _LANGUAGE.search(target)
        return language_of(found[1] if found else "", self._voice.language)

    def explain(self, error: XiangqiError, target: str) -> Answer:
        """Make the error page of an address."""
        language = self.language_at(target)
        status = error.status if isinstance(error, Refusal) else 400
        is_gone = status == 404 and target.startswith("/games/")
        why = say(language, "page.gone") if is_gone else error.say(language)
        return html_answer(render_error(language, why, exists=status != 404), status)

    def _answer_entry(self, request: Request) -> Answer:
        language = language_of(request.query("lang"), self._voice.language)
        page = render_entry(
            replace(self._voice, language=language),
            self._rules,
            files=tuple(self._library.open_files()),
            has_book=self._book is not None,
            max_upload=MAX_UPLOAD,
        )
        return html_answer(page)

    def _answer_report(self, request: Request) -> Answer:
        """Open an uploaded file of games; respond with the address of its pages."""
        language = language_of(request.query("lang"), self._voice.language)
        with translating_errors(language):
            number = self._library.add(request.query("name"), request.body)
        return json_answer({"location": f"/games/{number}/{language}/index.html"})

    def _answer_close(self, request: Request) -> Answer:
        self._library.close(int(number_of(request.json(), "file", 0, 0, MAX_NUMBER)))
        return json_answer({})

    def _answer_pasted(self, request: Request) -> Answer:
        data = request.json()
        language = voice_of(data, self._voice).language
        with translating_errors(language):
            found: dict[str, Any] = self._texts.call("paste", data, language)
            return json_answer(found)

    def _answer_pgn(self, request: Request) -> Answer:
        data = request.json()
        rules, voice = self._queries.options(data)
        with translating_errors(voice.language):
            file: bytes = self._texts.call("pgn", data, rules, voice)
            is_pgn = data.get("format", "pgn") == "pgn"
            return Answer(file, "application/x-chess-pgn" if is_pgn else "application/octet-stream")

    # Engines

    @property
    def engines(self) -> EngineHost:
        """The engines; raises Refusal if there are none."""
        if self._engines is None:
            raise Refusal(404, Fact("serve.no_engines"))
        return self._engines

    async def _play(self, request: Request) -> Answer:
        search = self._queries.read(request, read_play_request)
        board = search.board
        assert board is not None
        if search.level and search.engine == OWN_ENGINE:
            move = choose_opening_move(board, search.rules, search.level, self._random)
            if move is not None:
                describer = SearchDescriber(board, search.language)
                return json_answer(describer.describe_move(move, SearchSnapshot()))
        with translating_errors(search.language):
            return json_answer(await self.engines.play(search))

    async def _analyse(self, request: Request) -> Stream:
        search = self._queries.read(request, read_analysis_request)
        return lines_answer(self.engines.analyse(search))

    async def _review(self, request: Request) -> Stream:
        return lines_answer(self._reviewer.review(*self._queries.read(request, read_review)))

    async def _stop(self, request: Request) -> Answer:
        self.engines.stop(text_of(request.json(), "search"))
        return json_answer({})

    async def close(self) -> None:
        """End all searches, engines and processes."""
        self._library.close_all()
        self._texts.close()
        if self._engines is not None:
            await self._engines.close()


def _constant(answer: Answer) -> Route:
    return Route(lambda _: answer)
