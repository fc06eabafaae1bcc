"""Ratings: the closed form for two players, known strengths found again, and the command."""

from __future__ import annotations

import json
import math
import random
import re
import shlex
import sys
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from xiangqi.cli.main import main
from xiangqi.ground.errors import RatingError
from xiangqi.match.elo import Rating, Ratings, Results, rate
from xiangqi.match.stats import GameCounts, Stats

WEAK = 1e-6
"""A prior that leaves the answer to the games."""


def results_of(games: dict[tuple[str, str], tuple[int, int, int]]) -> Results:
    """From wins, draws and losses by Red's and Black's names."""
    results = Results()
    for (red, black), counts in games.items():
        results.add(red, black, GameCounts(*counts))
    return results


def by_name(ratings: Ratings) -> dict[str, Rating]:
    return {player.name: player for player in ratings.players}


# Two players: the model fits wins, draws and losses exactly


@pytest.mark.parametrize(("wins", "draws", "losses"), [(30, 50, 20), (7, 1, 5), (400, 3, 90)])
def test_two_players_have_the_closed_form(wins: int, draws: int, losses: int) -> None:
    """The ratio of strengths is wins to losses, nu is draws by the root of wins times losses."""
    results = results_of({("A", "B"): (wins, draws, losses), ("B", "A"): (losses, draws, wins)})
    found = rate(results, prior=WEAK)
    nu = draws / math.sqrt(wins * losses)
    difference = 400 * math.log10(wins / losses) * 2 / (2 + nu)
    first, second = found.players
    assert (first.name, second.name) == ("A", "B")
    assert first.elo == pytest.approx(difference / 2, abs=0.01)
    assert second.elo == pytest.approx(-difference / 2, abs=0.01)
    assert found.draw_rate == pytest.approx(nu / (2 + nu), abs=1e-4)
    assert found.red_advantage == pytest.approx(0, abs=0.01)


def test_two_players_have_the_error_of_wins_and_losses() -> None:
    """1/wins + 1/losses is the variance of ln(wins/losses): the delta method by hand."""
    wins, draws, losses = 60, 100, 40
    results = results_of({("A", "B"): (30, 50, 20), ("B", "A"): (20, 50, 30)})
    unit = 400 / math.log(10) * 2 / (2 + draws / math.sqrt(wins * losses))
    error = 1.959964 * unit * math.sqrt(1 / wins + 1 / losses)
    player = by_name(rate(results, ("B", 0), prior=WEAK))["A"]
    assert player.error == pytest.approx(error, rel=1e-3)


def test_small_differences_are_those_of_the_match_report() -> None:
    results = results_of({("A", "B"): (30, 50, 20), ("B", "A"): (20, 50, 30)})
    match = Stats(GameCounts(60, 100, 40))
    player = by_name(rate(results, ("B", 2000), prior=WEAK))["A"]
    assert player.elo - 2000 == pytest.approx(match.elo, abs=0.1)
    assert player.error == pytest.approx(match.elo_error, rel=0.02)
    assert (player.games, player.score, player.draws) == (200, 0.55, 0.5)


def test_moving_first_is_worth_something() -> None:
    """60 of 100 decided games won by Red, either player."""
    results = results_of({("A", "B"): (600, 0, 400), ("B", "A"): (600, 0, 400)})
    found = rate(results, prior=WEAK)
    assert found.red_advantage == pytest.approx(400 * math.log10(1.5), abs=0.1)
    assert found.players[0].elo == pytest.approx(0, abs=0.01)
    assert 10 < found.red_advantage_error < 20


# Known strengths


def test_known_strengths_are_found_again() -> None:
    rng = random.Random(7)
    nu, advantage = 1.0, 40.0
    unit = 400 / math.log(10) * 2 / (2 + nu)
    known = {"A": 150.0, "B": 60.0, "C": 10.0, "D": -70.0, "E": -150.0}
    results = Results()
    for red, black in permutations(known, 2):
        x = (known[red] - known[black] + advantage) / unit
        odds = [math.exp(x / 2), nu, math.exp(-x / 2)]
        played = rng.choices(("1-0", "1/2-1/2", "0-1"), odds, k=400)
        for result in played:
            results.add_headers({"White": red, "Black": black, "Result": result}, "simulated")
    found = rate(results)
    assert [player.name for player in found.players] == list(known)
    assert found.games == 20 * 400
    for player in found.players:
        assert 5 < player.error < 12
        assert player.elo == pytest.approx(known[player.name], abs=1.5 * player.error)
    assert found.red_advantage == pytest.approx(advantage, abs=1.5 * found.red_advantage_error)
    assert found.draw_rate == pytest.approx(1 / 3, abs=0.02)


def test_errors_shrink_with_the_root_of_the_games() -> None:
    games = {("A", "B"): (30, 50, 20), ("B", "C"): (25, 40, 35), ("C", "A"): (20, 60, 20)}
    more = {pair: (9 * won, 9 * drawn, 9 * lost) for pair, (won, drawn, lost) in games.items()}
    few, many = (by_name(rate(results_of(each), prior=WEAK)) for each in (games, more))
    for name, player in few.items():
        assert many[name].elo == pytest.approx(player.elo, abs=0.01)
        assert many[name].error == pytest.approx(player.error / 3, rel=1e-3)


def test_a_result_counts_however_players_are_reached() -> None:
    """A beats B and B beats C, so A is above C, though they never met; C is less sure."""
    found = rate(results_of({("A", "B"): (60, 20, 20), ("C", "B"): (10, 20, 70)}), ("B", 1000))
    assert [player.name for player in found.players] == ["A", "B", "C"]
    assert found.players[1].elo == 1000
    assert found.players[1].error == 0


# The edges


def test_all_wins_and_all_losses_have_ratings() -> None:
    found = rate(
        results_of({("A", "B"): (10, 0, 0), ("B", "A"): (0, 0, 10), ("B", "C"): (9, 9, 2)})
    )
    players = by_name(found)
    assert 200 < players["A"].elo - players["B"].elo < 1000
    assert players["A"].error > players["B"].error
    assert players["A"].score == 1
    weaker = by_name(rate(results_of({("A", "B"): (2, 0, 0), ("B", "A"): (0, 0, 2)})))
    stronger = by_name(rate(results_of({("A", "B"): (40, 0, 0), ("B", "A"): (0, 0, 40)})))
    assert 0 < weaker["A"].elo < stronger["A"].elo < 1000


@pytest.mark.parametrize(
    "games", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 10**6, 0), (10**6, 0, 0), (1, 10**6, 10**6)]
)
def test_every_result_has_finite_ratings(games: tuple[int, int, int]) -> None:
    for prior in (1.0, 0.01):
        found = rate(results_of({("A", "B"): games}), prior=prior)
        numbers = [number for player in found.players for number in (player.elo, player.error)]
        assert all(map(math.isfinite, [*numbers, found.red_advantage, found.red_advantage_error]))
        assert 0 < found.draw_rate < 1
        assert sum(player.elo for player in found.players) == pytest.approx(0, abs=1e-6)


def test_the_prior_is_weak() -> None:
    games = {("A", "B"): (300, 500, 200), ("B", "A"): (200, 500, 300)}
    with_prior, without = (rate(results_of(games), prior=prior) for prior in (1.0, WEAK))
    moved = abs(with_prior.players[0].elo - without.players[0].elo)
    assert 0 < moved < 0.05 * without.players[0].error


def test_one_colour_only_is_not_taken_for_an_advantage() -> None:
    found = rate(results_of({("A", "B"): (20, 0, 0)}))
    assert found.players[0].elo - found.players[1].elo > 5 * found.red_advantage > 0


def test_groups_that_never_met_are_named() -> None:
    results = results_of({("A", "B"): (1, 0, 0), ("C", "D"): (1, 0, 0), ("E", "D"): (0, 1, 0)})
    assert results.groups() == [["A", "B"], ["C", "D", "E"]]
    with pytest.raises(RatingError, match="no games connect these groups: 'A', 'B'; 'C', 'D', 'E'"):
        rate(results)
    results.add("E", "A", GameCounts(draws=1))
    assert len(rate(results).players) == 5


def test_no_games_and_no_anchor() -> None:
    with pytest.raises(RatingError, match="no game has a result"):
        rate(Results())
    with pytest.raises(RatingError, match="anchor 'X' played no game: expected one of 'A', 'B'"):
        rate(results_of({("A", "B"): (1, 0, 0)}), ("X", 0))


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        ({"Red": "A", "Black": "B", "Result": "*"}, "no result: found '*'"),
        ({"Red": "A", "Black": "B"}, "no result: found '*'"),
        ({"Red": "A", "Black": "B", "Result": "吃饭"}, "no result: found '吃饭'"),
        ({"Red": "A", "Result": "1-0"}, "a player has no name"),
        ({"Red": "A", "Black": "A", "Result": "1-0"}, "the player is its own opponent"),
    ],
)
def test_games_that_do_not_count_are_named(headers: dict[str, str], why: str) -> None:
    results = Results()
    results.add_headers(headers, "a.pgn: game 3")
    assert not results.games
    assert str(results.left_out[0]).startswith("a.pgn: game 3: 'A' - ")
    assert why in str(results.left_out[0])


def test_without_scipy_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("scipy")]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "xiangqi.match.bradley_terry", raising=False)
    command = f"{shlex.quote(sys.executable)} -m pip install 'scipy>=1.11'"
    with pytest.raises(ImportError, match=re.escape(f"ratings need SciPy: {command}")):
        rate(results_of({("A", "B"): (1, 0, 0)}))
    result = run("-", stdin=PGN)
    assert result.exit_code == 2
    assert command in result.stderr


# The command

PGN = """\
[White "A"]
[Black "B"]
[Result "1-0"]

1. H2-E2 1-0

[Red "B"]
[Black "C"]
[Result "1/2-1/2"]

1/2-1/2

[Red "B"]
[Black "C"]
[Result "*"]

*
"""


def run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, ["elo", *arguments], input=stdin, catch_exceptions=False)


def test_the_table_is_sorted_and_what_is_left_out_named(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_text(PGN, encoding="utf-8")
    result = run(str(path), str(path))
    assert result.exit_code == 0
    rows = [line.split() for line in result.stdout.splitlines() if "%" in line and "│" in line]
    cells = [[cell for cell in row if cell != "│"] for row in rows]
    assert {(row[1], row[4], row[5]) for row in cells} == {
        ("A", "2", "100.0%"),
        ("B", "4", "25.0%"),
        ("C", "2", "50.0%"),
    }
    assert [row[0] for row in cells] == ["1", "2", "3"]
    assert [float(row[2]) for row in cells] == sorted(
        (float(row[2]) for row in cells), reverse=True
    )
    assert "4 games." in result.stdout
    assert "games left out: 2" in result.stderr
    assert result.stderr.count("a.pgn: game 3: 'B' - 'C': no result: found '*'") == 2


def test_json_with_an_anchor() -> None:
    data = json.loads(run("-", "--json", "--anchor", "B=2000", stdin=PGN).stdout)
    players = {player["name"]: player for player in data["players"]}
    assert [player["rank"] for player in data["players"]] == [1, 2, 3]
    assert (players["B"]["elo"], players["B"]["error"]) == (2000, 0)
    assert players["A"]["elo"] > 2000
    assert data["left_out"][0]["source"].endswith("game 3")
    assert (data["games"], set(players)) == (2, {"A", "B", "C"})


def test_broken_headers_are_reported() -> None:
    result = run("-", stdin='[Event "x]\n' + PGN)
    assert result.exit_code == 0
    assert "broken headers left out: 1" in result.stderr
    assert ":1: '[Event \"x]'" in result.stderr


def test_many_games_are_not_all_named() -> None:
    result = run("-", stdin=PGN + '[Red "A"]\n[Black "B"]\n*\n' * 30)
    assert "games left out: 31" in result.stderr
    assert "and 21 more" in result.stderr
    assert len(result.stderr.splitlines()) == 12


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-", "--anchor", "B"], "'B': expected NAME=ELO"),
        (["-", "--anchor", "=5"], "'=5': expected NAME=ELO"),
        (["-", "--anchor", "B=inf"], "'B=inf': expected NAME=ELO"),
        (["-", "--anchor", "X=1"], "the anchor 'X' played no game: expected one of 'A', 'B', 'C'"),
        (["-", "--prior", "0"], "0<x"),
        (["no/such.pgn"], "no/such.pgn"),
        ([], "FILE"),
    ],
)
def test_bad_arguments(arguments: list[str], message: str) -> None:
    result = run(*arguments, stdin=PGN)
    assert result.exit_code == 2
    assert message in result.output


def test_a_name_may_have_an_equals_sign() -> None:
    text = PGN.replace('"A"', '"A=B"')
    data = json.loads(run("-", "--json", "--anchor", "A=B=100.5", stdin=text).stdout)
    assert {player["name"]: player["elo"] for player in data["players"]}["A=B"] == 100.5
