"""The bench of levels: its games, its journal, and what becomes of them."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from bench import levels
from bench.levels import (
    Game,
    Journal,
    LevelPlayer,
    Measured,
    level_name,
    plan_pairs,
    play_all,
    play_game,
    write_page,
    write_table,
)
from xiangqi import Board, Move
from xiangqi.engine.levels import LEVELS

ROOT = Path(__file__).parents[2]
PAIR = {(level_name(1), level_name(5)): 2}


def make_players() -> dict[str, levels.Player]:
    return {level_name(number): LevelPlayer(LEVELS[number - 1]) for number in (1, 5)}


def test_the_same_games_are_played_again(tmp_path: Path) -> None:
    """And those of the journal are not, so that a run that was broken off goes on."""
    played = []
    for name in ("one", "other"):
        journal = Journal(tmp_path / name)
        played.append(list(play_all(make_players(), PAIR, journal)))
        journal.close()
    assert played[0] == played[1]
    assert len(played[0]) == 4
    lines = (tmp_path / "one").read_text().splitlines()
    (tmp_path / "one").write_text("\n".join(lines[:3]) + "\n")
    journal = Journal(tmp_path / "one")
    assert list(play_all(make_players(), PAIR, journal)) == played[0][3:]
    journal.close()
    assert (tmp_path / "one").read_text().splitlines() == lines


def test_a_much_stronger_level_wins(tmp_path: Path) -> None:
    """Seeds and limits of nodes make these games the same everywhere."""
    journal = Journal(tmp_path / "games.jsonl")
    games = list(play_all(make_players(), {(level_name(1), level_name(5)): 4}, journal))
    journal.close()
    stats = Measured.of(games).between(level_name(5), level_name(1))
    assert stats.games.total == 8
    assert stats.games.wins >= 6


class Stubborn:
    """A player that has one move."""

    def __init__(self, move: str | None) -> None:
        self._move = None if move is None else Move.from_iccs(move)

    def move(self, board: Board, number: int) -> Move | None:
        return self._move


@pytest.mark.parametrize("move", [None, "a9a0", "a0a9"])
def test_illegal_move_loses_the_game(move: str | None) -> None:
    fine = LevelPlayer(LEVELS[0])
    assert play_game(Stubborn(move), fine, "h2e2 h9g7", 0) == ("0-1", 2, f"played {move}")
    assert play_game(fine, Stubborn(move), "h2e2", 0) == ("1-0", 1, f"played {move}")


def test_schedule_pairs_neighbours_and_peers() -> None:
    pairs = plan_pairs(levels.PEERS, 100, 30)
    neighbours = [pair for pair, openings in pairs.items() if openings == 100]
    assert neighbours == [(level_name(n), level_name(n + 1)) for n in range(1, 10)]
    assert any(second.startswith("HoiXiangqi") for _, second in pairs)
    assert any(second.startswith("Fairy-Stockfish") for _, second in pairs)
    assert len(plan_pairs((), 100, 0)) == 9


def make_games() -> list[Game]:
    """Each level wins six of eight against the one before, in either colour."""
    games = []
    for number in range(1, 10):
        weak, strong = level_name(number), level_name(number + 1)
        for opening in range(4):
            is_lost = opening == 3
            results = ("0-1", "1-0") if is_lost else ("1-0", "0-1")
            for red, black, result in zip((strong, weak), (weak, strong), results, strict=True):
                games.append(Game(red, black, opening, result, 80, "checkmate"))
    return games


def test_the_table_is_written_with_what_was_measured(tmp_path: Path) -> None:
    table = tmp_path / "levels.txt"
    before = levels.TABLE.read_text(encoding="ascii").splitlines()
    table.write_text("\n".join(before) + "\n", encoding="ascii")
    write_table(table, Measured.of(make_games()))
    after = table.read_text(encoding="ascii").splitlines()
    assert [line for line in after if line[0] == "#"] == before[: len(after) - 10]
    rows = [line.split() for line in after if line[0] != "#"]
    assert rows[0][1] == f"{levels.ANCHOR[1]:.0f}"
    elos = [int(row[1]) for row in rows]
    assert all(100 < upper - lower < 230 for lower, upper in pairwise(elos))
    kept = [line.split()[3:] for line in before if line[0] != "#"]
    assert [row[3:] for row in rows] == kept


def test_the_page_is_written_with_what_was_measured(tmp_path: Path) -> None:
    """The rows of its tables, and nothing else."""
    page = tmp_path / "levels.md"
    before = levels.PAGE.read_text(encoding="utf-8")
    page.write_text(before, encoding="utf-8")
    games = make_games()
    games.append(Game("Stranger", level_name(2), 0, "1-0", 30, "checkmate"))
    games.append(Game(level_name(2), "Stranger", 0, "1/2-1/2", 30, "repetition"))
    measured = Measured.of(games)
    write_page(page, measured)
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
    elo, error = measured.elo[level_name(2)], measured.error[level_name(2)]
    assert any(row.startswith(f"| 2 | {elo:.0f} ± {error:.0f} | 1 ply | ") for row in rows)
    assert any(row.startswith("| 2 |") and "| +6 =0 -2 | +191 ± " in row for row in rows)
    (stranger,) = (row for row in rows if row.startswith("| Stranger |"))
    assert stranger.endswith("| 2: +0 =1 -1 |")

    def prose(text: str) -> list[str]:
        return [line for line in text.splitlines() if line[:1] != "|"]

    assert prose(page.read_text(encoding="utf-8")) == prose(before)


def test_the_page_has_the_table_that_the_engine_reads() -> None:
    page = (ROOT / "docs/levels.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| *(\d+) \| *(\d+) ± (\d+) \|", page, re.MULTILINE)
    assert [tuple(map(int, row)) for row in rows] == [
        (level.number, level.elo, level.error) for level in LEVELS
    ]
