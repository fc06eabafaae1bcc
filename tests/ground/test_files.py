"""Input and output files of all commands."""

from __future__ import annotations

import gzip
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.systems import on_linux, with_a_shell
from xiangqi.cli.main import main
from xiangqi.games.formats import find_games
from xiangqi.ground.errors import FormatError
from xiangqi.ground.files import find_inputs, lock_file, new_file

GAME = '[Red "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. C2.5 H8+7 1-0\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Working folder with games at several depths, and with other files."""
    monkeypatch.chdir(tmp_path)
    for name in ("one.pgn", "games/z.pgn", "games/b/a.pgn", "games/.hidden/c.pgn", "games/.d.pgn"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(GAME)
    Path("games/b/e.PGN.gz").write_bytes(gzip.compress(GAME.encode()))
    Path("games/readme.md").write_text("no game")
    return tmp_path


def run(line: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, line.split(), stdin, catch_exceptions=False)


def files_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


# Reading


@pytest.mark.parametrize(
    "line",
    [
        "judge one.pgn missing.pgn",
        "judge one.pgn missing.pgn -o out.jsonl",
        "judge one.pgn missing.pgn -o out.parquet --workers 2",
        "report one.pgn missing.pgn -o out",
        "convert missing.pgn out.jsonl",
        "convert missing.pgn --to xqf out/",
        "elo one.pgn missing.pgn",
        "serve one.pgn missing.pgn --port 0 --no-open",
        "verify missing.pgn",
        "bench 1 --eval-file missing.pgn",
        "match missing.pgn",
        "match -engine cmd=a -engine cmd=b -each st=1 -openings file=missing.pgn",
        "match -config file=missing.pgn",
    ],
)
def test_a_missing_file_is_named_before_any_work(folder: Path, line: str) -> None:
    there = files_in(folder)
    done = run(line)
    assert done.exit_code == 2
    (complaint,) = done.stderr.splitlines()
    assert complaint.startswith("xiangqi: ")
    assert "missing.pgn" in complaint
    assert done.stdout == ""
    assert files_in(folder) == there


def test_a_folder_stands_for_its_files(folder: Path) -> None:
    expected = ["games/b/a.pgn", "games/b/e.PGN.gz", "games/z.pgn"]
    assert find_games(["games", "one.pgn"]) == [*expected, "one.pgn"]
    done = run("judge games")
    assert done.exit_code == 0
    assert [text.partition(":")[0] for text in done.stdout.splitlines()] == expected
    assert "index.html: 3 pages" in run("report games -o out").stdout
    assert "3 games" in run("elo games").stdout
    assert "3 of 3 games written" in run("convert games all.jsonl").stderr
    assert "3 of 3 games written" in run("convert games --to xqf each/").stderr
    assert len(list(Path("each").iterdir())) == 3


def test_a_folder_without_games_is_refused(folder: Path) -> None:
    Path("empty").mkdir()
    done = run("judge empty")
    assert done.exit_code == 2
    assert "empty: the folder holds no file that ends with one of .xqf" in done.stderr


def test_a_folder_stands_for_the_files_whose_content_is_known(tmp_path: Path) -> None:
    for name, text in {
        "first": "1. 炮二平五 马8进7\n",
        "second.record": '[Event "A"]\n\n1. h2e2 *\n',
        "notes.md": "1. 炮二平五 马8进7\n",
        "README": "Hello\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    os.mkfifo(tmp_path / "pipe")
    assert [Path(name).name for name in find_games([str(tmp_path)])] == ["first", "second.record"]


def test_output_in_the_input_folder_is_not_read(folder: Path) -> None:
    """The output may be in the input folder, and is not read as a game when a run is resumed."""
    for output in ("games/out.jsonl", "games/out.parquet"):
        assert run(f"judge games -o {output}").exit_code == 0
        Path("games/out.parquet").unlink(missing_ok=True)
        if output.endswith("jsonl"):
            assert run(f"judge games -o {output} --resume").exit_code == 0
        Path(output).unlink(missing_ok=True)
    assert "3 of 3 games" in run("convert games games/all.pgn").stderr
    assert "3 of 3 games" in run("convert --force games games/all.pgn").stderr


def test_a_dash_is_standard_input(folder: Path) -> None:
    assert run("judge -", GAME).stdout.startswith(
        "standard input:1: A - B: after round 1, Black: nothing"
    )
    assert "index.html: 1 page" in run("report - -o out", GAME).stdout
    assert "1 game" in run("elo -", GAME).stdout
    assert "1 of 1 game written" in run("convert - out.jsonl", GAME).stderr


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_a_file_that_may_not_be_read_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda name, mode: False)  # root may read anything
    with pytest.raises(FormatError, match=r"one\.pgn: Permission denied"):
        find_inputs(["one.pgn"], [".pgn"])


@pytest.mark.parametrize("line", ["position startpos moves h2e2", "startpos moves h2e2", "fen 9"])
def test_a_pasted_position_is_no_name_of_a_file(folder: Path, line: str) -> None:
    pasted = CliRunner().invoke(main, ["judge", line], catch_exceptions=False)
    assert "No such file" not in pasted.output
    assert run(f"judge {line}").output == pasted.output
    word = line.split()[0]
    Path(word).write_text(GAME)
    assert run(f"judge {word}").stdout.startswith(f"{word}:1: A - B")


def test_why_a_file_cannot_be_read_is_reported_beside_the_output(folder: Path) -> None:
    Path("story.pgn.doc").write_text("once upon a time")
    done = run("judge one.pgn story.pgn.doc -o out.jsonl")
    assert done.exit_code == 1
    assert "xiangqi: story.pgn.doc: not a known game format" in done.stderr


@pytest.mark.parametrize("suffix", ["pgn", "jsonl", "ucci", "txt", "ubb", "xqf", "cbl", "bin"])
def test_junk_is_one_line(folder: Path, suffix: str) -> None:
    """Any junk gives one line, with the file, the line number and a readable start of the text."""
    name = f"junk.{suffix}"
    Path(name).write_bytes(bytes(range(1, 256)) * 40)
    done = run(f"judge {name}")
    assert done.exit_code == 1
    complaint, tally = done.stderr.splitlines()
    assert done.stdout == ""
    assert tally.startswith("games: 0")
    assert complaint.startswith(f"xiangqi: {name}: ")
    assert len(complaint) < 250
    assert "\\x" not in complaint
    is_named_text = suffix in ("pgn", "jsonl", "ucci", "txt", "ubb")
    assert (": line 1: not text, which " in complaint) == is_named_text


# Writing


@pytest.mark.parametrize("name", ["out.txt", "out.txt.gz"])
def test_a_file_is_made_only_when_something_was_written(folder: Path, name: str) -> None:
    before = files_in(folder)
    with new_file(Path(name)):
        pass
    assert files_in(folder) == before
    Path(name).write_bytes(b"good")
    with new_file(Path(name), replace=True):
        pass
    assert Path(name).read_bytes() == b"good"
    with new_file(Path(name), replace=True) as out:
        out.write(b"better")
    assert Path(name).read_bytes() != b"good"


@on_linux
def test_pipe_is_written_without_a_temporary_file(folder: Path) -> None:
    read, write = os.pipe()
    with new_file(Path(f"/dev/fd/{write}")) as out:
        out.write(b"through")
    os.close(write)
    with open(read, "rb") as end:
        assert end.read() == b"through"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("one.pgn --notation uci out.jsonl", "jsonl does not support the notation uci"),
        ("one.pgn --notation san out.xqf", "xqf does not support the notation san"),
        ("one.pgn --notation chinese out.ubb", "dhtmlxq does not support the notation chinese"),
        ("one.pgn --notation san --to pgn out.pgn", "give --to, one of white-pgn"),
        ("one.pgn --notation iccs --to white-pgn out.pgn", "jsonl, positions, wxf, pgn"),
    ],
)
def test_a_notation_that_a_format_has_not_is_refused(
    folder: Path, line: str, complaint: str
) -> None:
    Path("out.jsonl").write_text("good")
    before = files_in(folder)
    done = run(f"convert --force {line}")
    assert done.exit_code == 2
    assert complaint in " ".join(done.stderr.split())
    assert files_in(folder) == before
    assert Path("out.jsonl").read_text() == "good"


@pytest.mark.parametrize(
    ("notation", "moves"),
    [("chinese", "炮二平五"), ("iccs", "H2-E2"), ("uci", "h3e3"), ("san", "Che3")],
)
def test_a_notation_chooses_among_the_formats_of_a_name(
    folder: Path, notation: str, moves: str
) -> None:
    assert run(f"convert --notation {notation} one.pgn out.pgn").exit_code == 0
    assert moves in Path("out.pgn").read_text("utf-8")


def test_a_conversion_that_writes_nothing_leaves_what_is_there(folder: Path) -> None:
    assert run("convert one.pgn out.ucci").exit_code == 1  # the players would be lost
    assert not Path("out.ucci").exists()
    Path("out.ucci").write_text("good")
    done = run("convert --force one.pgn out.ucci")
    assert done.exit_code == 1
    assert "0 of 1 game written to out.ucci, which is unchanged" in done.stderr
    assert Path("out.ucci").read_text() == "good"
    assert run("convert --to positions one.pgn out/").exit_code == 1
    assert not Path("out").exists()


def test_one_of_several_files_that_is_no_game_is_a_problem(folder: Path) -> None:
    Path("games/z.pgn").write_bytes(b"\0" * 99)
    done = run("convert games out.jsonl")
    assert done.exit_code == 1
    assert "games/z.pgn: line 1: not text" in done.stderr
    assert "2 of 2 games written to out.jsonl" in done.stderr
    assert "there are several; give a folder" in run("convert games out.xqf").stderr


# Printing


@with_a_shell
@pytest.mark.parametrize(
    "line", ["convert --to jsonl many.pgn -", "judge many.pgn", "perft 3 --divide", "verify"]
)
@pytest.mark.parametrize("reader", ["head -n 1", "true"])
def test_a_pipe_that_nobody_reads_ends_quietly(folder: Path, line: str, reader: str) -> None:
    Path("many.pgn").write_text(GAME * 2_000)
    command = f"{shlex.quote(sys.executable)} -m xiangqi {line} | {reader}"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "line",
    [
        "xiangqi convert --to jsonl one.pgn -",
        "xiangqi judge one.pgn",
        "xiangqi perft 1",
        "xiangqi --version",
        "xiangqi judge --help",
        "xiangqi rules",
        "xiangqi show",
        "xiangqi mcp --help",
        "xiangqi.engine.meihua --version",
        "xiangqi.engine.meihua --help",
        "xiangqi.engine.meihua",
        "xiangqi engine",
    ],
)
def test_a_full_disk_is_reported_once(folder: Path, line: str, unbuffered: str) -> None:
    """With and without buffered standard output (PYTHONUNBUFFERED)."""
    module, *words = line.split()
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", module, *words],
            input="uci\nquit\n",
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=120,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
    assert done.returncode == 2
    (message,) = done.stderr.splitlines()
    program = "meihua" if "meihua" in line else "xiangqi"
    assert message == f"{program}: standard output: No space left on device"


@pytest.mark.skipif(os.name == "nt", reason="nothing is killed there before it can tidy up")
@pytest.mark.parametrize("line", ["convert one.pgn out.jsonl --force", "report one.pgn -o pages"])
def test_the_next_run_deletes_what_a_killed_one_left(folder: Path, line: str) -> None:
    """But not what another process is still writing, nor other hidden files."""
    out = Path(line.split()[2] if "convert" in line else "pages/index.html")
    Path("one.pgn").write_text(GAME)
    convert = [sys.executable, "-m", "xiangqi", *line.split()]
    subprocess.run(convert, check=True, capture_output=True)
    program = (
        "import pathlib, sys, time; from xiangqi.ground.files import new_file\n"
        "with new_file(pathlib.Path(sys.argv[1]), replace=True) as out:\n"
        "    out.write(b'half'); out.flush(); print(flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-c", program, str(out)]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE) as killed,
        subprocess.Popen(command, stdout=subprocess.PIPE) as other,
    ):
        for writer in (killed, other):
            assert writer.stdout is not None
            assert writer.stdout.read(1)
        parts = set(out.parent.glob(f".{out.name}.*.part"))
        assert len(parts) == 2
        hidden = out.with_name(".hidden.part")
        hidden.touch()
        killed.kill()
        killed.wait()
        subprocess.run(convert, check=True, capture_output=True)
        assert sum(part.exists() for part in parts) == 1
        assert hidden.exists()
        other.kill()


@with_a_shell
@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("convert many.pgn out.pgn", r"out\.pgn"),
        ("convert many.pgn out.jsonl", r"out\.jsonl"),
        ("judge many.pgn -o out.jsonl", r"out\.jsonl"),
        ("judge many.pgn -o out.parquet", r"out\.parquet\.jsonl"),
        ("report many.pgn -o pages", r"pages/[\w.]+"),
        ("analyse many.pgn --nodes 1 -o out.pgn", r"out\.pgn\.part"),
    ],
)
def test_a_full_disk_is_reported_with_the_file(folder: Path, line: str, output: str) -> None:
    """A limit of the file size simulates a full disk."""
    Path("many.pgn").write_text(GAME * 100)
    done = subprocess.run(
        f"ulimit -f 8; exec {shlex.quote(sys.executable)} -m xiangqi {line}",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # Python would leave truncated modules
    )
    assert done.returncode == 2
    assert re.fullmatch(f"xiangqi: {output}: File too large", done.stderr.splitlines()[-1])


def test_a_failure_keeps_its_code_on_a_full_disk(tmp_path: Path) -> None:
    program = (
        "import sys; from xiangqi.ground.exits import run_program\n"
        "def work(): print('half'); sys.exit(3)\n"
        "run_program('work', work)"
    )
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", program],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env={**os.environ, "PYTHONUNBUFFERED": ""},
        )
    assert (done.returncode, done.stderr) == (3, b"")


# Locks


def test_a_file_is_locked_once(tmp_path: Path) -> None:
    with open(tmp_path / "x", "ab") as first, open(tmp_path / "x", "ab") as second:
        assert lock_file(first)
        assert not lock_file(second)


class Windows:
    """Locks of Windows: the byte at the file position is locked, and others cannot read it."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        self.places: list[int] = []

    def locking(self, number: int, mode: int, count: int) -> None:
        assert (mode, count) == (self.LK_NBLCK, 1)
        place = os.lseek(number, 0, os.SEEK_CUR)
        if place in self.places:
            raise PermissionError(13, "Permission denied")
        self.places.append(place)


def test_locks_of_windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A lock does not prevent reading, and keeps the file position."""
    system = Windows()
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", system)
    path = tmp_path / "x"
    path.write_bytes(b"one two")
    with open(path, "r+b") as first, open(path, "r+b") as second:
        assert first.read(3) == b"one"
        assert lock_file(first)
        assert first.read() == b" two"
        first.write(b" three")
        assert not lock_file(second)
        assert second.tell() == 0
    assert path.read_bytes() == b"one two three"
    assert min(system.places) >= 2**31 - 1


def test_lock_succeeds_on_systems_without_locks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("fcntl", "msvcrt"):
        monkeypatch.setitem(sys.modules, name, None)
    with open(tmp_path / "x", "ab") as first, open(tmp_path / "x", "ab") as second:
        assert lock_file(first)
        assert lock_file(second)
