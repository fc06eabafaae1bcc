"""Conversion from format to format: nothing is lost unsaid."""

from __future__ import annotations

import gzip
import io
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.format_encoders import Ply, encode_cbl, encode_cbr, encode_xqf, line
from tests.support.game_trees import random_game, real_games, shape
from tests.support.soak import SOAK
from xiangqi.cli.main import main
from xiangqi.games.convert import convert_games, convert_to_folder
from xiangqi.games.formats import FORMATS, Format, WriteOptions, read_games
from xiangqi.games.tree import Game
from xiangqi.ground.errors import FormatError
from xiangqi.ground.files import new_file

TREES = [name for name in FORMATS if name in ("dhtmlxq", "jsonl", "pgn", "xqf")]
"""Formats that have a place for everything."""


def run(*arguments: str | Path, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(
        main, ["convert", *map(str, arguments)], stdin, catch_exceptions=False
    )


def as_file(games: list[Game], name: str = "dhtmlxq") -> bytes:
    out = io.BytesIO()
    FORMATS[name].write(games, out)
    return out.getvalue()


def converted(
    games: list[Game], target: Format, folder: Path, *, lossy: bool = False
) -> list[Game]:
    """The games, written in a format and read again."""
    options = WriteOptions(lossy=lossy)
    if not target.single:
        out = io.BytesIO()
        report = convert_games(games, "test", target, out, options)
        assert report.problems == []
        assert report.written == len(games)
        return list(read_games(io.BytesIO(out.getvalue()), target.name))
    report = convert_to_folder(games, "test", target, folder)
    assert report.problems == []
    return [game for path in sorted(folder.iterdir()) for game in read_games(path)]


def content(game: Game) -> tuple[object, ...]:
    """All that a game says, apart from the order of its headers."""
    return shape(game), game.headers, game.fen, game.errors


# From format to format


@pytest.mark.parametrize("chain", list(itertools.permutations(TREES, 2)), ids="-".join)
def test_trees_through_two_formats(chain: tuple[str, ...], tmp_path: Path) -> None:
    games = [random_game(seed, tame=True) for seed in range(100, 130)]
    here = games
    for number, name in enumerate(chain):
        here = converted(here, FORMATS[name], tmp_path / str(number))
    assert list(map(content, here)) == list(map(content, games))


@pytest.mark.parametrize("name", [name for name in FORMATS if FORMATS[name].can_write])
def test_real_games_there_and_back(name: str, tmp_path: Path) -> None:
    games = list(real_games(150 if SOAK else 40, step=230))
    here = converted(games, FORMATS[name], tmp_path, lossy=name not in TREES)
    assert [game.moves() for game in here] == [game.moves() for game in games]
    if name in TREES:
        assert list(map(content, here)) == list(map(content, games))


def test_a_game_that_cannot_be_expressed_is_named_and_the_others_go_on() -> None:
    games = [random_game(1), Game(headers={"White Elo": "2"}), random_game(2)]
    out = io.BytesIO()
    report = convert_games(games, "a.pgn", FORMATS["dhtmlxq"], out)
    assert (report.read, report.written) == (3, 2)
    (problem,) = report.problems
    expected = "a.pgn:2: not written as dhtmlxq: header 'White Elo': no tag can have this name"
    assert problem == expected
    here = list(read_games(io.BytesIO(out.getvalue())))
    assert [shape(game) for game in here] == [shape(games[0]), shape(games[2])]


def test_errors_of_reading_are_in_the_report() -> None:
    data = encode_xqf([Ply("h2e2", next=line("h9h5", "h0g2"))])
    games = read_games(io.BytesIO(data), source="a.xqf")
    report = convert_games(games, "a.xqf", FORMATS["dhtmlxq"], io.BytesIO())
    assert report.written == 1
    (problem,) = report.problems
    illegal = "a.xqf:1:2: 'h9h5': the black horse on h9 cannot reach h5"
    assert problem == f"{illegal}; left out: 'h9h5 h0g2'"


def test_a_file_that_breaks_off_gives_what_it_has() -> None:
    zipped = gzip.compress(as_file([random_game(seed, most=200) for seed in range(200)]))
    games = read_games(io.BytesIO(zipped[: len(zipped) // 2]), source="a.gz")
    report = convert_games(games, "a.gz", FORMATS["dhtmlxq"], io.BytesIO())
    assert 10 < report.read == report.written < 190
    assert "a.gz: the compressed file is damaged" in report.problems[-1]


def test_input_without_games_is_an_error() -> None:
    with pytest.raises(FormatError, match="not a known game format"):
        convert_games(read_games(io.BytesIO(b"\0\0")), "a", FORMATS["xqf"], io.BytesIO())
    with pytest.raises(FormatError, match="can be read, but not written"):
        convert_games([Game()], "a", FORMATS["cbr"], io.BytesIO())


def test_memory_does_not_hold_the_games() -> None:
    """A game that is written is not kept."""
    import weakref

    alive: list[weakref.ref[Game]] = []

    class Watched(Game):
        __slots__ = ("__weakref__",)

    def games() -> Iterator[Game]:
        for _ in range(50):
            game = Watched()
            alive.append(weakref.ref(game))
            yield game
            del game

    report = convert_games(games(), "a", FORMATS["dhtmlxq"], io.BytesIO())
    assert report.written == 50
    assert sum(ref() is not None for ref in alive) <= 1


# Files


def test_a_new_file_appears_only_when_all_went_well(tmp_path: Path) -> None:
    path = tmp_path / "a.ubb"
    with pytest.raises(TypeError), new_file(path) as out:
        out.write("half")  # type: ignore[call-overload]
    assert list(tmp_path.iterdir()) == []
    with new_file(path) as out:
        out.write(b"all")
    assert path.read_bytes() == b"all"
    with pytest.raises(FormatError, match="file exists; use --"), new_file(path):
        pass
    with new_file(path, replace=True) as out:
        out.write(b"new")
    assert path.read_bytes() == b"new"


# The command


def test_command(tmp_path: Path) -> None:
    source, target = tmp_path / "a.cbl", tmp_path / "a.ubb"
    source.write_bytes(encode_cbl([encode_cbr(line("h2e2"), fields={"red": "胡荣华"})] * 3))
    done = run(source, target)
    assert done.exit_code == 0
    assert f"3 of 3 games written to {target}" in done.output
    assert [game.headers["Red"] for game in read_games(target)] == ["胡荣华"] * 3

    done = run(source, target)
    assert done.exit_code == 2
    assert "file exists; use --" in done.output
    assert run("--force", source, target).exit_code == 0


def test_command_reports_errors_and_fails(tmp_path: Path) -> None:
    source = tmp_path / "a.xqf"
    source.write_bytes(encode_xqf([Ply("h2e2", next=line("h9h5", "h0g2"))]))
    done = run(source, tmp_path / "a.ubb")
    assert done.exit_code == 1
    assert "a.xqf:1:2: 'h9h5': the black horse on h9 cannot reach h5" in done.output
    assert (tmp_path / "a.ubb").exists()


def test_command_makes_a_folder_of_single_games(tmp_path: Path) -> None:
    source = tmp_path / "a.ubb"
    source.write_bytes(as_file([random_game(seed) for seed in range(3)]))
    done = run(source, tmp_path / "b.xqf")
    assert done.exit_code == 2
    assert "a file holds one game, but there are several" in done.output
    assert not (tmp_path / "b.xqf").exists()

    folder = f"{tmp_path}/games/"
    done = run("--to", "xqf", source, folder)
    assert done.exit_code == 0
    names = sorted(path.name for path in Path(folder).iterdir())
    assert names == ["000001.xqf", "000002.xqf", "000003.xqf"]
    assert run("--to", "xqf", source, folder).exit_code == 2
    assert run("--to", "xqf", "--force", source, folder).exit_code == 0


def test_command_between_pipes_and_compressed(tmp_path: Path) -> None:
    data = as_file([random_game(3)])
    done = run("--to", "dhtmlxq", "--encoding", "gb18030", "-", "-", stdin=gzip.compress(data))
    assert done.exit_code == 0
    assert b"1 of 1 game written" in done.output_bytes
    target = tmp_path / "a.ubb.gz"
    assert run("-", target, stdin=data).exit_code == 0
    assert gzip.decompress(target.read_bytes()) == data


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("a.ubb", "b.txt_"), "no format has this suffix; give --to"),
        (("a.ubb", "b.cbr"), ".cbr files can be read, but not written"),
        (("b.ubb", "a.xqf"), "b.ubb: No such file or directory"),
        (("a.ubb", "none/b.xqf"), "none/b.xqf: No such file or directory"),
        (("--from", "cbr", "a.ubb", "b.ubb"), "neither a record nor a library"),
    ],
)
def test_command_refuses(tmp_path: Path, arguments: tuple[str, ...], complaint: str) -> None:
    (tmp_path / "a.ubb").write_bytes(as_file([Game()]))
    there = [text if text in ("--from", "cbr") else str(tmp_path / text) for text in arguments]
    done = run(*there)
    assert done.exit_code == 2
    assert complaint in " ".join(done.output.split())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.ubb"]
