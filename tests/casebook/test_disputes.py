"""Cycles on which two rule sets differ: search, reduction, description and output."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.support.languages import stray
from tests.support.systems import with_a_shell
from xiangqi import ALL_DRAWS, CHECKS_ONLY, WXF, Board, Piece, Referee, Setup, parse_fen
from xiangqi.casebook import disputes as module
from xiangqi.casebook.disputes import (
    Contest,
    Dispute,
    Findings,
    game_disputes,
    random_disputes,
    sort_disputes,
)
from xiangqi.casebook.random_cycles import random_games
from xiangqi.cli.main import main
from xiangqi.games.archive import Archive
from xiangqi.games.record import GameRecord
from xiangqi.ground.workers import in_processes
from xiangqi.pieces import KING

CONTEST = Contest(WXF, CHECKS_ONLY)
CHECKS = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1"
MOVES = "f0e0 e8f8 e0f0 f8e8".split() * 2


def collect(findings: object) -> Findings:
    found = Findings(0, [], [])
    for each in findings:  # type: ignore[attr-defined]
        found = Findings(*(ours + theirs for ours, theirs in zip(found, each, strict=True)))
    return found


@pytest.fixture(scope="module")
def found() -> Findings:
    return collect(random_disputes(CONTEST, seed=3, count=150))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in arguments], catch_exceptions=False)


# Random cycles


def test_all_disputed_cycles_are_found(found: Findings) -> None:
    """The disputed games are those of a direct search, regardless of the reduction."""
    expected = []
    for number, size in enumerate((100, 50)):
        for place, game in enumerate(islice(random_games(f"3/{number}"), size)):
            board = game.play()
            verdicts = {Referee(rules).judge_cycle(board).verdict for rules in (WXF, CHECKS_ONLY)}
            if len(verdicts) > 1:
                expected.append(f"3/{number}/{place}")
    assert found.cycles == 150
    assert [dispute.source for dispute in found.disputes] == expected
    assert len(expected) > 3


def test_each_is_disputed_as_it_is_reported(found: Findings) -> None:
    for dispute in found.disputes:
        first, second = dispute.comparison().rulings
        assert first.verdict is not second.verdict
        assert (first.rules, second.rules) == (WXF, CHECKS_ONLY)
        assert dispute.difference.clauses == (("offences",),)


def test_no_piece_is_left_that_makes_no_difference(found: Findings) -> None:
    for dispute in found.disputes:
        board = dispute.record.play()
        pieces = Board(dispute.record.fen).piece_map()
        for square, piece in pieces.items():
            if piece.piece_type == KING:
                continue
            fewer = {at: one for at, one in pieces.items() if at != square}
            assert not is_disputed(fewer, dispute), (dispute.record, square)
        assert board.ply() == len(dispute.record.moves)


def is_disputed(pieces: dict[int, Piece], dispute: Dispute) -> bool:
    """Do the clauses still make the difference with these pieces?"""
    try:
        setup = Setup.from_piece_map(pieces, parse_fen(dispute.record.fen).turn)
        board = GameRecord(Board(setup).fen(), dispute.record.moves).play()
    except ValueError:
        return False
    return CONTEST.difference(board) == dispute.difference


def test_as_found_all_pieces_stay(found: Findings) -> None:
    contest = Contest(WXF, CHECKS_ONLY, shrink=False)
    whole = collect(random_disputes(contest, seed=3, count=100))
    small = found.disputes[: len(whole.disputes)]
    assert [one.source for one in whole.disputes] == [one.source for one in small]
    assert sum(one.pieces for one in whole.disputes) > sum(one.pieces for one in small)


def test_conducts_are_compared_where_that_is_asked() -> None:
    """A mutual chase under rules that allow chases is a draw as before, but both sides are idle."""
    mutual = WXF.replace({"verdicts": ("check>chase", "check>idle")})
    lenient = WXF.replace({"offences": "check"})
    contest = Contest(mutual, lenient)
    assert not [one for found in random_disputes(contest, 2, 100) for one in found.disputes]
    found = [
        one
        for found in random_disputes(replace(contest, conducts=True), 2, 100)
        for one in found.disputes
    ]
    assert len(found) > 5
    for dispute in found:
        ours, theirs = dispute.comparison().rulings
        assert ours.verdict is theirs.verdict
        assert dict(ours.conduct) != dict(theirs.conduct)
        assert dispute.difference.clauses == (("offences",),)


def test_penalties_are_not_compared() -> None:
    contest = Contest(WXF, WXF.replace({"penalty": "must_change"}))
    assert not collect(random_disputes(contest, seed=3, count=100)).disputes


def test_the_same_with_processes(found: Findings) -> None:
    assert collect(random_disputes(CONTEST, 3, 150, in_processes(2))) == found


def test_cycles_are_long_enough_for_both(found: Findings) -> None:
    """Cycles are repeated until books that rule at the fifth occurrence rule."""
    late = Contest(WXF.replace({"occurrences": 5}), CHECKS_ONLY.replace({"occurrences": 5}))
    others = collect(random_disputes(late, seed=3, count=150))
    assert [one.source for one in others.disputes] == [one.source for one in found.disputes]
    assert all(one.record.play().repetitions() == 5 for one in others.disputes)


def test_the_smallest_come_first_and_once(found: Findings) -> None:
    ordered = sort_disputes([*reversed(found.disputes), *found.disputes])
    assert [one.size for one in ordered] == sorted(one.size for one in ordered)
    assert len({one.record for one in ordered}) == len(ordered)
    assert {one.record for one in ordered} == {one.record for one in found.disputes}


def test_a_chunk_whose_worker_dies_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up_on_all(work: Any, chunks: Any, workers: Any, give_up: Any, **_: Any) -> Any:
        return (give_up(chunk) for (chunk,) in chunks)

    monkeypatch.setattr(module, "run_in_order", give_up_on_all)
    found = collect(random_disputes(CONTEST, 5, 200))
    assert (found.cycles, found.disputes) == (0, [])
    assert found.unread[0].startswith("random cycles 5/0: the process")
    assert len(found.unread) == 2


# Cycles in games


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A game with four rounds of a cycle, one drawn by all books, and an invalid one."""
    path = tmp_path / "games.jsonl"
    lines = [
        {"fen": CHECKS, "moves": [*MOVES, *MOVES]},
        {"moves": "h2e2 h9g7 e2h2 g7h9".split() * 3},
        {"fen": CHECKS, "moves": ["f0e0", "xyz"]},
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def test_the_cycles_of_games(games: Path) -> None:
    """Each position counts once; invalid games are reported."""
    found = collect(game_disputes(Archive([str(games)]), Contest(WXF, ALL_DRAWS)))
    assert found.cycles == 8
    assert {dispute.source for dispute in found.disputes} == {f"{games}:1"}
    assert len(found.disputes) == 4, "the same cycle from each of its phases"
    assert {len(dispute.record.moves) for dispute in found.disputes} == {8}
    (why,) = found.unread
    assert "games.jsonl:3" in why
    assert "xyz" in why


def test_a_cycle_is_cut_out_of_its_game(games: Path) -> None:
    (first, *_) = collect(game_disputes(Archive([str(games)]), Contest(WXF, ALL_DRAWS))).disputes
    board = Board(CHECKS)
    assert first.record.moves == tuple(MOVES)
    assert parse_fen(first.record.fen).board == board.cells()


# The command


def test_the_command_tells_the_smallest(tmp_path: Path) -> None:
    out, folder = tmp_path / "out.jsonl", tmp_path / "pages"
    words = ("--rules", "wxf,checks-only", "--count", 150, "--seed", 3, "--show", 2)
    result = run("cycles", *words, "-o", out, "--report", folder)
    assert result.exit_code == 0
    assert result.output.startswith("150 cycles by wxf and checks-only: ")
    assert "only perpetual check loses; perpetual chase is allowed; by wxf" in result.output
    lines = re.findall(r"^ +position fen .*$", result.output, re.MULTILINE)
    assert len(lines) == 2
    assert "Black" in run("judge", lines[0].strip()).output
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["pieces"] for row in rows] == sorted(row["pieces"] for row in rows)
    for row in rows:
        verdicts = [ruling["verdict"] for ruling in row["rulings"].values()]
        assert len(set(verdicts)) == 2
        assert GameRecord(row["fen"], tuple(row["moves"])).play().repetitions() == 3
    pages = sorted(folder.glob("0*.html"))
    assert len(pages) == len(rows)
    page = pages[0].read_text(encoding="utf-8")
    assert "Reasons for the difference" in page
    assert "only perpetual check loses" in page
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert all(page.name in index for page in pages)


def test_another_answer_to_a_question() -> None:
    """The first rule set is the book without the change."""
    output = run("cycles", "--set", "offences=check", "--count", 100, "--seed", 3).output
    assert output.startswith("100 cycles by wxf and wxf offences=check: ")


@pytest.mark.parametrize(
    "words", [[], ["--rules", "all"], ["--rules", "wxf"], ["--set", "answered=pair"]]
)
def test_two_rule_sets_are_wanted(words: list[str]) -> None:
    result = run("cycles", *words)
    assert result.exit_code == 2
    assert "Give two rule sets" in result.output


def test_disputes_are_explained_in_chinese(tmp_path: Path) -> None:
    words = ("--rules", "wxf,checks-only", "--count", 100, "--seed", 3, "--lang", "zh")
    output = run("cycles", *words, "--explain", "--report", tmp_path / "out").output
    output = re.sub(r"position .*|\S+(/\S+){9}", "", output)
    assert not stray("zh", output.replace(str(tmp_path / "out/index.html"), ""))


def test_few_pieces_only() -> None:
    words = ("--rules", "wxf,checks-only", "--count", 150, "--seed", 3, "--pieces", 4)
    output = run("cycles", *words).output
    sizes = [int(size) for size in re.findall(r"^\d+\. (\d+) pieces", output, re.MULTILINE)]
    assert sizes
    assert max(sizes) <= 4


def test_interrupted_search_keeps_its_disputes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C after the first hundred cycles."""
    from xiangqi.cli import cycles as command

    def interrupted(*arguments: object) -> object:
        whole = random_disputes(*arguments)  # type: ignore[arg-type]
        yield next(whole)
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "random_disputes", interrupted)
    out = tmp_path / "out.jsonl"
    words = ("--rules", "wxf,checks-only", "--count", 5000, "--seed", 3)
    result = run("cycles", *words, "-o", out)
    assert result.exit_code == 130
    assert "100 cycles by wxf" in result.output
    assert out.read_text(encoding="utf-8").count("\n") > 0


def test_interrupted_search_keeps_finished_chunks_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while the second of three chunks is being searched and the third is done."""
    from xiangqi.cli import cycles as command

    def interrupted(*arguments: Any) -> object:
        *others, on_done = arguments
        first, _, third = random_disputes(*others)
        on_done(first)
        on_done(third)
        on_done(third._replace())  # done again, as by another worker
        yield first
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "random_disputes", interrupted)
    out = tmp_path / "out.jsonl"
    words = ("--rules", "wxf,checks-only", "--count", 300, "--seed", 3)
    result = run("cycles", *words, "-o", out)
    assert result.exit_code == 130
    assert "200 cycles by wxf" in result.output
    sources = {json.loads(line)["source"] for line in out.read_text(encoding="utf-8").splitlines()}
    assert {source.rpartition("/")[0] for source in sources} == {"3/0", "3/2"}


@with_a_shell
def test_a_closed_pipe_loses_no_file(tmp_path: Path) -> None:
    command = "cycles --rules wxf,checks-only --count 100 --seed 3 --explain --show 100"
    out = tmp_path / "out.jsonl"
    subprocess.run(
        f"{shlex.quote(sys.executable)} -m xiangqi {command} -o {shlex.quote(str(out))} | true",
        shell=True,
        capture_output=True,
        check=True,
    )
    assert out.read_text(encoding="utf-8").count("\n") > 0
