"""The report: what stands on its pages, and that nothing of a record becomes a part of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.support.soak import SOAK
from xiangqi import ALL_DRAWS, Move, parse_square
from xiangqi.casebook.cases import load_cases
from xiangqi.casebook.verify import CaseResult, verify_cases
from xiangqi.cli.main import main
from xiangqi.games.arbiter import rule_game
from xiangqi.games.formats import find_format
from xiangqi.games.tree import Game
from xiangqi.ground.errors import FormatError
from xiangqi.ground.texts import say
from xiangqi.referee.rules import WXF, RuleSet
from xiangqi.web.pages.game_page import make_game_page, render_game
from xiangqi.web.pages.site import SiteReport
from xiangqi.words.voice import Voice

PLAIN = Voice()
CHECK_FEN = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1"
CYCLE = "f0e0 e8f8 e0f0 f8e8"
HOSTILE = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&lt;"


class Page(HTMLParser):
    """A page taken apart: elements with their attributes, and the text of those with an id."""

    EMPTY = ("meta", "link", "input", "br", "img")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, str] = {}
        self.open: list[tuple[str, str]] = []
        self.rows: list[list[str]] = []
        self.headings: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.elements.append((tag, given))
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag in ("h1", "h2"):
            self.headings.append("")
        if tag not in self.EMPTY:
            self.open.append((tag, given.get("id", "")))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1][0] == tag, f"{tag} closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for _, name in self.open:
            if name:
                self.texts[name] = self.texts.get(name, "") + data
        tags = {tag for tag, _ in self.open}
        if tags & {"td", "th"}:
            self.rows[-1][-1] += data
        if tags & {"h1", "h2"}:
            self.headings[-1] += data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def frames(self) -> list[dict[str, Any]]:
        frames: list[dict[str, Any]] = json.loads(self.texts["frames"])
        return frames


def perpetual(**headers: str) -> Game:
    game = Game(CHECK_FEN, {"Red": "A", "Black": "B", "Result": "1-0", **headers})
    game.add_line(map(Move.from_iccs, [*CYCLE.split() * 2, *CYCLE.split()[:2]]))
    return game


def write_pgn(path: Path, *games: Game) -> Path:
    with path.open("wb") as out:
        find_format("pgn").write(games, out)
    return path


def page_of(game: Game, voice: Voice = PLAIN) -> Page:
    return Page(render_game(make_game_page(game, rule_game(game), WXF, voice)))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, arguments)])


def read(folder: Path, name: str) -> Page:
    return Page((folder / name).read_text(encoding="utf-8"))


# The page of a game


def test_a_game_has_its_verdict_and_who_had_to_change() -> None:
    page = page_of(perpetual())
    assert page.texts["verdict"] == (
        "after round 4, Black: Black wins: Red checked perpetually and had to change; "
        "Black: idle moves"
    )
    assert "different" in page.texts["expected"]
    assert "1-0" in page.texts["expected"]
    assert "Red had to stop checking" in page.texts["remedies"]
    assert "a warning was due" in page.texts["warned"]
    assert "Ruling: Black wins" in page.texts["case-text"]
    assert page.texts["cycle"] == "The cycle: round 1, Red to round 4, Black."


def test_a_game_has_a_frame_for_every_position() -> None:
    frames = page_of(perpetual()).frames
    board = perpetual().board()
    assert len(frames) == 11
    assert frames[-1]["fen"] == board.fen()
    assert (frames[0]["fen"], frames[0]["arrows"]) == (CHECK_FEN, [])
    assert "lastMove" not in frames[0]
    assert (frames[1]["lastMove"], frames[1]["check"]) == ("f0e0", "e8")
    assert frames[1]["arrows"] == [
        {"from": "e0", "to": "e8", "kind": "check", "title": "check: e0-e8"}
    ]
    assert "check" not in frames[2]
    assert [arrow["kind"] for arrow in frames[9]["arrows"]] == ["check"], "checks after the cycle"


def test_the_table_has_every_move_in_three_notations_and_what_it_does() -> None:
    page = page_of(perpetual())
    rounds = [row for row in page.rows if row[0].isdigit()]
    assert [row[0] for row in rounds] == ["1", "2", "3", "4", "5"]
    head = next(row for row in page.rows if row[1:] == ["Red", "Black"])
    assert len(head) == len(rounds[0]) == 3
    for text in ("R4.5", "车四平五", "f0e0", "check"):
        assert text in rounds[0][1]
    assert "idle" in rounds[0][2]
    assert "the red chariot on e0 gives check" in page.texts["notes-1"]
    assert page.texts["notes-2"].strip()
    cycle = [cell for cell in page.all("td") if cell.get("class") == "cycle"]
    assert [cell["data-ply"] for cell in cycle] == [str(number) for number in range(1, 9)]


def test_moves_of_which_nothing_is_said_have_no_lines_of_their_own() -> None:
    game = Game(headers={"Red": "A", "Black": "B", "Result": "*"})
    game.add_line(map(Move.from_iccs, "h2e2 h9g7 h0g2 i9h9 i0h0".split()))
    game.end().comment = "develops"
    page = page_of(game)
    assert [row[0] for row in page.rows if row[0].isdigit()] == ["1", "2", "3"]
    assert [name for name in page.texts if name.startswith("notes-")] == ["notes-5"]


def test_the_verdict_under_other_rules() -> None:
    rows = {row[0]: row[1] for row in page_of(perpetual()).rows if len(row) == 2}
    assert "Black wins" in page_of(perpetual()).texts["verdict"]
    same = rows["same"].split(" · ")
    assert "Perpetual check alone is forbidden checks-only" in same
    assert "Chinese Xiangqi Association, 2020 cxa2020" in same
    assert "draw" in rows["Every repetition is a draw all-draws"]
    assert not any(name.endswith("wxf") for name in rows)


def test_a_page_in_chinese() -> None:
    page = page_of(perpetual(Red="许银川"), Voice("zh"))
    assert page.all("html")[0]["lang"] == "zh"
    assert page.texts["verdict"] == ("第4回合黑方着后：黑胜：红方长将，黑方闲，红方不变判负")
    assert "红方须停止将军" in page.texts["remedies"]
    assert "许银川" in page.texts["facts"]
    assert page.frames[1]["arrows"][0]["title"].startswith("将军")


def test_a_long_game_stays_small() -> None:
    game = Game(CHECK_FEN)
    game.add_line(map(Move.from_iccs, CYCLE.split() * 25))
    text = render_game(make_game_page(game, rule_game(game), WXF, PLAIN))
    assert len(Page(text).frames) == 101
    assert len(text.encode()) < 150_000


def test_a_record_that_cannot_be_read_has_its_page(tmp_path: Path) -> None:
    text = '[Red "A"]\n[FEN "nonsense"]\n\n1. C2.5\n\n[Red "B"]\n\n1. C2.5 C2.9 H2+3 *\n'
    pgn = tmp_path / "bad.pgn"
    pgn.write_text(text, encoding="utf-8")
    done = run(pgn, "-o", tmp_path / "out")
    assert done.exit_code == 1
    assert "nonsense" in done.output
    assert "nonsense" in read(tmp_path / "out", "000001.html").texts["errors"]
    second = read(tmp_path / "out", "000002.html")
    assert "C2.9" in second.texts["errors"]
    assert len(second.frames) == 2, "what could be read is shown"


# What a record says is only ever text


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    game = perpetual(Event=HOSTILE, Red=HOSTILE, Black="<b>许</b>", Site="javascript:alert(3)")
    game.headers['X"><script>'] = "y"
    game.root.comment = HOSTILE
    for node in game.mainline():
        node.comment = f"{HOSTILE} 好棋"
    page = render_game(make_game_page(game, rule_game(game), WXF, PLAIN))
    path = tmp_path / "page.html"
    path.write_text(page, encoding="utf-8")
    return path


def test_tags_and_comments_are_escaped(hostile: Path) -> None:
    page = read(hostile.parent, hostile.name)
    sources = [script.get("src", script.get("type")) for script in page.all("script")]
    assert sources == ["game.js", "application/json"]
    assert not page.all("img")
    assert not [name for _, given in page.elements for name in given if name.startswith("on")]
    assert page.texts["intro"] == HOSTILE
    assert HOSTILE in page.texts["facts"]
    assert page.texts["notes-1"].count(HOSTILE) == 1
    assert "好棋" in page.texts["notes-1"]
    assert "<b>" not in [tag for tag, _ in page.elements]


def test_pages_and_index_of_a_hostile_file(tmp_path: Path) -> None:
    game = perpetual(Red="<script>alert(1)</script>", Black="B")
    game.end().comment = "<script>alert(1)</script>"
    pgn = write_pgn(tmp_path / "<b>games.pgn", game)
    assert run(pgn, "-o", tmp_path / "out").exit_code == 0
    index = read(tmp_path / "out", "index.html")
    assert len(index.all("script")) == 1
    assert not index.all("b")
    assert "<script>alert(1)</script> - B" in index.texts["games"]
    assert "<script>alert(1)</script>" in read(tmp_path / "out", "000001.html").texts["notes-10"]


def test_inlined_data_cannot_end_its_element() -> None:
    page = make_game_page(perpetual(), rule_game(perpetual()), WXF, PLAIN)
    page.frames[0]["fen"] = "</script><script>alert(1)</script><!--"
    text = render_game(page)
    assert "<script>alert" not in text
    assert Page(text).frames[0]["fen"] == page.frames[0]["fen"]


def test_a_page_loads_nothing_from_elsewhere(hostile: Path) -> None:
    for tag, given in read(hostile.parent, hostile.name).elements:
        for name in ("href", "src", "action", "data"):
            target = given.get(name, "")
            assert ":" not in target, (tag, target)
            assert not target.startswith("/")
        assert "style" not in given
    (policy,) = (
        given["content"]
        for given in read(hostile.parent, hostile.name).all("meta")
        if given.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


# The folder


def test_files_become_pages_with_an_index(tmp_path: Path) -> None:
    decided, open_game = perpetual(), Game(headers={"Red": "C", "Black": "D", "Result": "*"})
    open_game.add_line([Move.from_iccs("h2e2")])
    pgn = write_pgn(tmp_path / "games.pgn", decided, open_game)
    out = tmp_path / "deep" / "out"
    done = run(pgn, pgn, "-o", out)
    assert done.exit_code == 0, done.output
    assert done.output.endswith("index.html: 4 pages\n")
    names = {path.name for path in out.iterdir()}
    pages = {f"{number:06}.html" for number in range(1, 5)}
    pages |= {"000001-sheet.html", "000003-sheet.html"}
    assert names == pages | {
        "index.html",
        "meihua.css",
        "game.css",
        "game.js",
        "index.js",
    }
    index = read(out, "index.html")
    assert index.texts["counts"] == "4 games, 2 with another result"
    rows = [row for row in index.rows if row[0].startswith("games.pgn:")]
    assert [row[1] for row in rows] == ["A - B", "C - D"] * 2
    assert [row[4].split()[-1] for row in rows] == ["different", "-"] * 2
    links = [given["href"] for given in read(out, "000002.html").all("a") if "rel" in given]
    assert links == ["000001.html", "000003.html"]


def test_a_file_that_is_no_game_does_not_stop_the_others(tmp_path: Path) -> None:
    pgn = write_pgn(tmp_path / "games.pgn", perpetual())
    (tmp_path / "story.doc").write_text("once upon a time")
    done = run(tmp_path / "story.doc", pgn, "-o", tmp_path / "out")
    assert done.exit_code == 1
    assert "story.doc" in done.output
    assert "story.doc" in read(tmp_path / "out", "index.html").texts["errors"]
    assert (tmp_path / "out" / "000001.html").exists()


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    pgn = write_pgn(tmp_path / "games.pgn", perpetual())
    done = run(pgn, "-o", tmp_path)
    assert done.exit_code == 2
    assert "holds other files" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["games.pgn"]
    assert run(pgn, "-o", pgn).exit_code == 2


def test_an_older_report_is_written_over_and_nothing_is_deleted(tmp_path: Path) -> None:
    pgn = write_pgn(tmp_path / "games.pgn", perpetual(), perpetual())
    out = tmp_path / "out"
    assert run(pgn, "-o", out).exit_code == 0
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    write_pgn(pgn, perpetual(Red="Someone else"))
    assert run(pgn, "-o", out).exit_code == 0
    assert (out / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert (out / "000002.html").exists()
    assert "Someone else" in read(out, "index.html").texts["games"]
    assert not [path for path in out.iterdir() if path.name.endswith(".part")]


def test_pages_are_written_while_games_are_read(tmp_path: Path) -> None:
    """The first pages of an endless list of games appear; no list is gathered before."""

    def endless() -> Iterator[CaseResult]:
        while True:
            yield from verify_cases(load_cases()[:1])

    report = SiteReport(tmp_path / "out")
    assert len(list(islice(report.write_cases(endless()), 3))) == 3
    assert (tmp_path / "out" / f"{load_cases()[0].id}.html").exists()


def test_either_files_or_cases() -> None:
    assert run("-o", "nowhere").exit_code == 2
    assert run("--cases", "a.pgn", "-o", "nowhere").exit_code == 2
    assert not Path("nowhere").exists()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(FormatError, match="file"):
        SiteReport(tmp_path / "file" / "out")


# The rule book


CASES = [
    case for place, case in enumerate(load_cases()) if SOAK or place % 8 == 0 or case.id == "D18a"
]
"""Each eighth case and D18a; with MEIHUA_SOAK=1 all."""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("book") / "cases"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("xiangqi.cli.report.load_cases", lambda _: CASES)
        done = run("--cases", "-o", folder)
    assert done.exit_code == 0, done.output
    return folder


def ruled_words(verdict: str, *conducts: str | None) -> str:
    words = [say("en", conduct) for conduct in conducts if conduct is not None]
    return say("en", verdict) + (f" ({', '.join(words)})" if words else "")


def test_the_rule_book_has_what_is_expected_beside_what_is_ruled(book: Path) -> None:
    index = read(book, "index.html")
    rows = {row[0]: row for row in index.rows[1:]}
    assert len(rows) == len(CASES)
    for case in CASES:
        conducts = [None if side is None else side.value for side in (case.red, case.black)]
        expected = ruled_words(case.verdict.value, *conducts)
        assert rows[case.id][1:4] == [case.title, expected, expected], case.id
        assert rows[case.id][4].split()[-1] == "same"
    assert index.texts["counts"] == f"{len(CASES)} cases, 0 ruled differently"


def test_a_case_has_arrows_for_what_its_moves_attack(book: Path) -> None:
    frames = read(book, "D18a.html").frames
    assert [(one["kind"], one["from"], one["to"]) for one in frames[5]["arrows"]] == [
        ("attack", "c6", "c7"),
        ("protection", "h7", "c7"),
        ("chase", "f3", "d3"),
    ]
    assert not frames[1]["arrows"], "outside the cycle only checks are shown"


def test_every_case_has_its_page(book: Path) -> None:
    for case in CASES:
        page = read(book, f"{case.id}.html")
        assert page.headings[0] == f"{case.id}: {case.title}"
        assert say("en", case.verdict.value) in page.texts["verdict"]
        assert "same" in page.texts["expected"]
        last = page.frames[-1]
        assert last["fen"] == case.play_until(3).fen()
        if case.red is not None:
            assert page.texts["remedies"]


def test_a_case_that_is_ruled_otherwise_is_reported(tmp_path: Path) -> None:
    cases = [case for case in load_cases() if case.id in ("D18a", "D84a", "D84")]
    report = SiteReport(tmp_path / "out", rules=ALL_DRAWS)
    rows = list(report.write_cases(verify_cases(cases, ALL_DRAWS)))
    assert [row.agrees for row in rows] == [False] * len(cases)
    index = read(tmp_path / "out", "index.html")
    assert [row[4].split()[-1] for row in index.rows[1:]] == ["different"] * len(cases)
    assert "draw" in read(tmp_path / "out", rows[0].href).texts["verdict"]
    assert "different" in read(tmp_path / "out", rows[0].href).texts["expected"]


def test_a_case_that_cannot_be_played_has_its_error(tmp_path: Path) -> None:
    case = replace(load_cases()[0], id="../odd id", cycle=("a0a0",))
    report = SiteReport(tmp_path / "out")
    (row,) = report.write_cases(verify_cases([case]))
    assert (row.href, row.ruled, row.agrees) == ("000001.html", "-", False)
    page = read(tmp_path / "out", row.href)
    assert "a0a0" in page.texts["errors"]
    assert not any(one.get("class") == "board" for one in page.all("svg"))


def test_other_rules_rule_as_soon_as_the_chosen_ones() -> None:
    rules = RuleSet("wxf", occurrences=2)
    game = perpetual()
    text = render_game(make_game_page(game, rule_game(game, rules), rules, PLAIN))
    rows = {row[0]: row[1] for row in Page(text).rows if len(row) == 2}
    drawn = rows["Every repetition is a draw all-draws"]
    assert drawn.startswith("after round 2, Black: draw")


# The parts of the board


def test_arrow_data_name_squares_and_kinds() -> None:
    from xiangqi.pieces.arrows import Arrow
    from xiangqi.web.pages.plies import arrows_as_data

    arrow = Arrow(parse_square("a0"), parse_square("i9"), "false_protection")
    assert arrows_as_data([arrow], Voice("zh", "iccs")) == [
        {"from": "a0", "to": "i9", "kind": "false_protection", "title": "假根：a0-i9"}
    ]
