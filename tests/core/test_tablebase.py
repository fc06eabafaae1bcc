"""The core's endgame tables beside their slow twins, and what is known of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

import pytest

from tests.oracle.tables import solve_plainly
from tests.support.table_graphs import compare, random_game
from xiangqi import BLACK, RED, Board, Move
from xiangqi.core.board import CoreBoard
from xiangqi.core.tablebase import (
    Tables,
    count_cells,
    find_cell,
    move_marks,
    place,
    take_census,
)
from xiangqi.core.testing import class_edges
from xiangqi.pieces.fen import Setup
from xiangqi.referee.judging import Conduct, Referee
from xiangqi.referee.rules import ALL_DRAWS, CHECKS_ONLY, WXF, RuleSet
from xiangqi.tables.classes import parse_class, with_captures
from xiangqi.tables.making import random_positions


@lru_cache(maxsize=8)
def solve(name: str, rules: RuleSet) -> tuple[Tables, bytearray, int]:
    """A class and those that captures lead to; the cells of the last, and the doubtful ones."""
    tables = Tables()
    for material in with_captures([parse_class(name)]):
        cells, doubtful = tables.solve(material.pieces, rules.switches)
        assert tables.audit(material.pieces, cells, rules.switches)[1] == 0
        tables.add(material.pieces, cells)
    return tables, cells, doubtful


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "classes"),
    [
        ("KPvK", ["Kk", "KPk"]),
        ("KBvKA", ["Kk", "KBk", "Kka", "KBka"]),
        ("KAAvK", "Kk KAk KAAk".split()),
    ],
)
def test_plain_values_are_those_of_the_slow_twin(name: str, classes: list[str]) -> None:
    tables, _, _ = solve(name, ALL_DRAWS)
    for fen, (value, distance) in solve_plainly(classes).items():
        expected = (value, distance if value else 0, 0)
        assert tables.probe(Board(fen)) == expected, fen


def test_chariot_against_horse_is_what_the_literature_says() -> None:
    """Perpetual check alone holds 2,570 of 3,710 positions that plain analysis draws."""
    plain = take_census(*solved_cells("KRvKN", ALL_DRAWS))
    ruled = take_census(*solved_cells("KRvKN", CHECKS_ONLY))
    assert plain[False, 0, 0][0] == 3_710
    assert ruled[False, -1, 1][0] == 2_570
    assert ruled[False, 0, 0][0] == 3_710 - 2_570
    assert solve("KRvKN", CHECKS_ONLY)[2] == 0


def test_a_census_counts_also_what_no_class_can_hold() -> None:
    pieces = parse_class("KRvK").pieces
    cells = b"\xfe\xff" * count_cells(pieces)
    found = take_census(pieces, cells)
    assert {(value, level) for _, value, level in found} == {(1, 31)}
    assert {longest for _, longest in found.values()} == {2045}


def solved_cells(name: str, rules: RuleSet) -> tuple[bytes, bytearray]:
    return parse_class(name).pieces, solve(name, rules)[1]


@pytest.mark.parametrize("nodes", [2, 3])
def test_random_graphs_are_solved_like_the_slow_twin(nodes: int) -> None:
    rng = random.Random(nodes)
    found = [compare(random_game(rng, nodes, 2), WXF) for _ in range(200)]
    assert sum(by_rule for _, by_rule, _ in found) > 50
    assert sum(doubtful == 0 for _, _, doubtful in found) > 50


# Edges, which are made on demand


@pytest.mark.parametrize("name", ["KAvK", "KRvKN", "KPPvKB", "KAABvKBB", "KCAAvKAB"])
def test_moves_lead_back_where_they_came_from(name: str) -> None:
    """Predecessors and successors agree in number: two moves that are mirror images of each other
    are two."""
    pieces = parse_class(name).pieces
    rng = random.Random(name)
    seen = twice = 0
    while seen < 200:
        index = rng.randrange(count_cells(pieces))
        found = class_edges(pieces, index)
        if found is None:
            continue
        seen += 1
        for other, times in Counter(found[0]).items():
            twice += times > 1
            assert edges(pieces, other)[1].count(index) == times, (index, other)
        for other, times in Counter(found[1]).items():
            if place(pieces, other) is not None:
                assert edges(pieces, other)[0].count(index) == times, (index, other)
    assert twice or name != "KAvK"  # where many positions are their own mirror images


def edges(pieces: bytes, index: int) -> tuple[list[int], list[int]]:
    found = class_edges(pieces, index)
    assert found is not None
    return found


@pytest.mark.parametrize("name", ["KRvKN", "KPPvKB", "KAABvKBB", "KCAAvKAB"])
def test_moves_are_those_of_the_board(name: str) -> None:
    material = parse_class(name)
    boards = random_positions(material, random.Random(name))
    for _ in range(100):
        board = next(boards)
        expected = []
        for move in board.legal_moves:
            if not board.is_capture(move):
                board.push(move)
                expected.append(find_cell(material.pieces, board))
                board.pop()
        index = find_cell(material.pieces, board)
        assert index is not None
        assert sorted(edges(material.pieces, index)[0]) == sorted(
            n for n in expected if n is not None
        )
        assert None not in expected


# Work that is watched


def test_long_work_is_reported_and_can_be_stopped() -> None:
    tables, cells, _ = solve("KRvKN", WXF)
    pieces = parse_class("KRvKN").pieces
    seen: list[tuple[str, float]] = []
    assert tables.solve(pieces, WXF.switches, lambda *how: seen.append(how))[0] == cells
    jobs = {job for job, _ in seen}
    assert {"counting moves", "level 1, zones"} <= jobs
    assert any(job.startswith("level 0, distance ") for job in jobs)
    assert all(0 <= share <= 1 for _, share in seen)
    for ends_at in (1, len(seen) // 2, len(seen)):
        with pytest.raises(KeyboardInterrupt):
            tables.solve(pieces, WXF.switches, raising(ends_at))
    with pytest.raises(KeyboardInterrupt):
        tables.audit(pieces, cells, WXF.switches, raising(3))


def raising(count: int) -> Callable[[str, float], None]:
    """Simulates Ctrl-C after so many reports."""
    seen = []

    def report(job: str, share: float) -> None:
        seen.append((job, share))
        assert len(seen) <= count, "the work went on"
        if len(seen) == count:
            raise KeyboardInterrupt

    return report


# Numbers of positions


@pytest.mark.parametrize("name", ["KNvK", "KRvKN", "KPPvKB", "KAABvKBB", "KCvKP"])
def test_each_position_has_one_number(name: str) -> None:
    pieces = parse_class(name).pieces
    rng = random.Random(1)
    seen = 0
    for _ in range(2_000):
        index = rng.randrange(count_cells(pieces))
        found = place(pieces, index)
        if found is None:
            continue
        seen += 1
        board = Board(Setup(*found, 0, 1))
        assert find_cell(pieces, board) == index
        assert find_cell(pieces, board.flip_colors()) == index
        again = place(pieces, find_cell(pieces, board.mirror()) or 0)
        assert again is not None
        assert Board(Setup(*again, 0, 1)) in (board, board.mirror())
    assert seen > 500


def test_positions_outside_a_class_have_no_cell() -> None:
    pieces = parse_class("KPvK").pieces
    assert find_cell(pieces, Board()) is None
    misplaced = Board("4k4/9/9/9/9/9/9/1P7/9/3K5 w")
    assert find_cell(pieces, misplaced) is None
    with pytest.raises(ValueError, match="cell -1: expected 0 to"):
        place(pieces, -1)


def test_tables_validate_their_arguments() -> None:
    tables = Tables()
    pieces = parse_class("KRvKN").pieces
    with pytest.raises(ValueError, match="other than kings"):
        count_cells(b"\x01")
    with pytest.raises(ValueError, match="too large"):
        count_cells(parse_class("KRRvK").pieces * 3)
    with pytest.raises(ValueError, match="8 bytes of cells: expected 1458000"):
        tables.add(pieces, bytes(8))
    with pytest.raises(ValueError, match="has not been added"):
        tables.solve(pieces, WXF.switches)
    assert tables.probe(Board()) is None


@pytest.mark.parametrize("value", [1, 0, -1])
def test_an_audit_finds_a_wrong_cell(value: int) -> None:
    pieces = parse_class("KRvKN").pieces
    tables, cells, _ = solve("KRvKN", WXF)
    boards = (place(pieces, index) for index in range(value + 1, count_cells(pieces)))
    index = next(
        index
        for index, found in enumerate(boards, value + 1)
        if found is not None and (tables.probe(Board(Setup(*found, 0, 1))) or (9,))[0] == value
    )
    wrong = bytearray(cells)
    wrong[2 * index] ^= 3
    assert tables.audit(pieces, wrong, WXF.switches)[1] > 0


def conduct_by_marks(board: CoreBoard, cycle: list[Move]) -> dict[bool, Conduct]:
    """Conduct of both sides in a round of moves, by the marks alone."""
    marks: dict[bool, list[tuple[bool, bool, bool]]] = {RED: [], BLACK: []}
    there = board.copy(stack=False)
    for move in cycle:
        marks[there.turn].append(move_marks(there, move, WXF.switches))
        there.push(move)
    conduct = {}
    for side in (RED, BLACK):
        if all(checks for checks, _, _ in marks[side]):
            conduct[side] = Conduct.CHECK
        elif all(chases for _, chases, _ in marks[side]) and all(
            answers for _, _, answers in marks[not side]
        ):
            conduct[side] = Conduct.CHASE
        else:
            conduct[side] = Conduct.IDLE
    return conduct


@pytest.mark.parametrize("name", ["KRvKN", "KNvKC", "KRvKA", "KPvKR"])
def test_marks_make_the_conduct_that_the_judge_finds(name: str) -> None:
    """In rounds of four moves, to and fro, with one piece a side, of which some are chases."""
    rng = random.Random(name)
    referee = Referee(WXF)
    seen: Counter[Conduct] = Counter()
    for board in random_positions(parse_class(name), rng):
        cycle = to_and_fro(board, rng)
        if cycle is None:
            continue
        played = Board(board.fen())
        for move in cycle * 2:
            played.push(move)
        conduct = referee.judge_cycle(played).conduct
        assert conduct == conduct_by_marks(board, cycle), (board.fen(), cycle)
        seen.update(found for found in conduct.values() if found is not None)
        if sum(seen.values()) >= 2_000:
            break
    assert seen[Conduct.CHASE] > 2
    assert seen[Conduct.CHECK] > 10


def to_and_fro(board: CoreBoard, rng: random.Random) -> list[Move] | None:
    """Two random moves and both back, if that can be played; eager for what attacks."""
    there = board.copy(stack=False)
    cycle: list[Move] = []
    for _ in range(2):
        moves = [m for m in there.legal_moves if not there.is_capture(m)]
        if not moves:
            return None
        marks = {move: move_marks(there, move, WXF.switches) for move in moves}
        eager = [move for move in moves if marks[move][0] or marks[move][1]]
        cycle.append(rng.choice(eager if eager and rng.random() < 0.7 else moves))
        there.push(cycle[-1])
    for move in list(cycle):
        back = Move(move.to_square, move.from_square)
        if not there.is_legal(back):
            return None
        cycle.append(back)
        there.push(back)
    return cycle


@pytest.mark.parametrize("rules", [WXF, CHECKS_ONLY, ALL_DRAWS], ids=lambda rules: rules.name)
def test_the_known_example(rules: RuleSet) -> None:
    """Black holds by perpetual check alone."""
    tables, _, _ = solve("KRvKN", rules)
    found = tables.probe(Board("8R/9/4k4/9/9/9/9/8n/5K3/9 b"))
    assert found == ((0, 0, 0) if rules is ALL_DRAWS else (-1, 16, 1))
