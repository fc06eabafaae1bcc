"""The addresses of the server, and what answers at each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath
from random import Random
from typing import Any, Final

from xiangqi.books import Book
from xiangqi.errors import Fact, XiangqiError
from xiangqi.referee.rules import WXF, RuleSet
from xiangqi.web.serve.beginnings import choose_opening_move
from xiangqi.web.serve.entry import asset_files, render_entry, render_error
from xiangqi.web.serve.labels import label
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
    text_of_error,
    voice_of,
)
from xiangqi.web.serve.questions import JSON, MAX_DATA, Questions, Route, telling_faults
from xiangqi.web.serve.thinking import (
    OURS,
    Seen,
    Teller,
    Thinker,
    read_analysis,
    read_question,
)
from xiangqi.web.serve.trees import Texts, read_move
from xiangqi.web.serve.worker import InProcess, Worker
from xiangqi.words import LANGUAGES, Language
from xiangqi.words.voice import PAGE_VOICE, Voice

__all__ = ["MAX_UPLOAD", "Application"]

MAX_TEXT: Final = 1 << 20
"""Maximum size of a text with a game, in bytes."""
MAX_GAME: Final = 8 << 20
"""Maximum size of a game with variations and comments, in bytes."""
MAX_UPLOAD: Final = 16 << 20
"""Maximum size of a file of games, in bytes."""
MAX_NUMBER: Final = 10**9
"""No file has a larger number."""
_FILE: Final = "application/octet-stream"
_LANGUAGE: Final = re.compile(rf"(?:/|[?&]lang=)({'|'.join(LANGUAGES)})(?![^/&])")
"""Language of a page in its address."""
_KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}


class Application:
    """The pages and the questions that they ask, under one rule set unless they name another.

    Games that are pasted or sent are read in a process that is killed where that takes too long,
    unless there are no processes, as in a browser. ``questions``, if they are given, have the rule
    set, the voice and the book.
    """

    def __init__(
        self,
        rules: RuleSet | str = WXF,
        voice: Voice = PAGE_VOICE,
        files: Iterable[str] = (),
        book: Book | None = None,
        thinker: Thinker | None = None,
        *,
        has_processes: bool = True,
        questions: Questions | None = None,
    ) -> None:
        self._questions = questions = questions or Questions(rules, voice, book)
        self._rules, self._voice = questions.rules, questions.voice
        self._book = book
        self._thinker = thinker
        self._random = Random()
        self._reviewer = Reviewer(in_threads=has_processes)
        worker = Worker if has_processes else InProcess
        self._texts = worker(Texts)
        assets = _read_assets()
        self._library = Library(files, self._rules, assets, self._voice, worker)
        self._pages: dict[str, Route] = {
            **{f"/{name}": _constant(answer) for name, answer in assets.items()},
            "/": Route(self._answer_entry),
            "/api/engines": Route(self._list_engines),
            "/favicon.ico": _constant(Answer(b"", "image/x-icon", 204)),
        }
        self._posted: Mapping[str, Route] = {
            **questions.routes,
            "/api/puzzles": questions.route(describe_puzzles),
            "/api/cycles": questions.route(describe_cycles),
            "/api/review": Route(None, JSON, MAX_DATA, self._review),
            "/api/parse": Route(self._answer_pasted, JSON, MAX_TEXT),
            "/api/move": questions.route(read_move),
            "/api/pgn": Route(self._answer_pgn, JSON, MAX_GAME),
            "/api/engine": Route(None, JSON, MAX_DATA, self._play),
            "/api/analyse": Route(None, JSON, MAX_DATA, self._analyse),
            "/api/stop": Route(None, JSON, MAX_DATA, self._stop),
            "/api/report": Route(self._answer_report, _FILE, MAX_UPLOAD),
            "/api/close": Route(self._answer_close, JSON, MAX_DATA),
        }

    def find_route(self, method: str, target: str) -> Route:
        """Handler of a method at an address; raises Refusal."""
        path = Request(target).path
        page, question = self._find_page(path), self._posted.get(path)
        route = question if method == "POST" else page
        if route is None:
            if page is None and question is None:
                raise Refusal(404, Fact("serve.no_page", given=path))
            raise Refusal(405, Fact("serve.other_method", place=method, given=path))
        return route

    def language_at(self, target: str) -> Language:
        """Language that an address names; that of the server if it names none."""
        named = _LANGUAGE.search(target)
        return language_of(named[1] if named else "", self._voice.language)

    def explain(self, error: XiangqiError, target: str) -> Answer:
        """Page that explains an error in an address."""
        language = self.language_at(target)
        status = error.status if isinstance(error, Refusal) else 400
        is_gone = status == 404 and target.startswith("/games/")
        why = label(language, "gone") if is_gone else text_of_error(error, language)
        return html_answer(render_error(language, why, exists=status != 404), status)

    def _find_page(self, path: str) -> Route | None:
        page = self._pages.get(path)
        if page is not None:
            return page
        answer = self._library.find(path)
        return None if answer is None else Route(lambda _: answer())

    def _answer_entry(self, request: Request) -> Answer:
        language = language_of(request.query("lang"), self._voice.language)
        page = render_entry(
            replace(self._voice, language=language),
            self._rules,
            files=self._library.open_files(),
            has_book=self._book is not None,
            most_upload=MAX_UPLOAD,
        )
        return html_answer(page)

    def _answer_report(self, request: Request) -> Answer:
        """Keep a file of games, and return the address of its pages."""
        language = language_of(request.query("lang"), self._voice.language)
        with telling_faults(language):
            number = self._library.add(request.query("name"), request.body)
        return json_answer({"location": f"/games/{number}/{language}/index.html"})

    def _answer_close(self, request: Request) -> Answer:
        """Forget a file of games."""
        self._library.close(int(number_of(request.json(), "file", 0, 0, MAX_NUMBER)))
        return json_answer({})

    def _answer_pasted(self, request: Request) -> Answer:
        data = request.json()
        language = voice_of(data, self._voice).language
        with telling_faults(language):
            found: dict[str, Any] = self._texts.ask("paste", data, language)
            return json_answer(found)

    def _answer_pgn(self, request: Request) -> Answer:
        data = request.json()
        rules, voice = self._questions.choices(data)
        with telling_faults(voice.language):
            pgn: bytes = self._texts.ask("pgn", data, rules, voice)
            return Answer(pgn, "application/x-chess-pgn")

    # What lets an engine think

    @property
    def thinker(self) -> Thinker:
        """Owner of the engines; raises Refusal where there is none."""
        if self._thinker is None:
            raise Refusal(404, Fact("serve.no_engines"))
        return self._thinker

    def _list_engines(self, _: Request) -> Answer:
        return json_answer({"engines": list(self.thinker.names)})

    async def _play(self, request: Request) -> Answer:
        question = self._questions.read(request, read_question)
        board = question.board
        assert board is not None
        if question.level and question.engine == OURS:
            move = choose_opening_move(board, question.rules, question.level, self._random)
            if move is not None:
                return json_answer(Teller(board, question.language).tell_move(move, Seen()))
        with telling_faults(question.language):
            return json_answer(await self.thinker.play(question))

    async def _analyse(self, request: Request) -> Stream:
        question = self._questions.read(request, read_analysis)
        return lines_answer(self.thinker.analyse(question))

    async def _review(self, request: Request) -> Stream:
        return lines_answer(self._reviewer.review(*self._questions.read(request, read_review)))

    async def _stop(self, request: Request) -> Answer:
        self.thinker.stop(text_of(request.json(), "search"))
        return json_answer({})

    async def close(self) -> None:
        """End what engines and processes do."""
        self._library.close_all()
        self._texts.close()
        if self._thinker is not None:
            await self._thinker.close()


def _constant(answer: Answer) -> Route:
    return Route(lambda _: answer)


def _read_assets() -> dict[str, Answer]:
    """The files that pages load, by their names."""
    return {name: Answer(body, _KINDS[PurePath(name).suffix]) for name, body in asset_files()}
