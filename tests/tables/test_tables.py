"""Tables in files: made, resumed, probed, checked and used in play."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from xiangqi import Board
from xiangqi.cli.main import main
from xiangqi.core.tablebase import Tables
from xiangqi.ground.errors import TableError
from xiangqi.ground.workers import in_processes, in_this_process
from xiangqi.referee.outcome import Termination
from xiangqi.referee.rules import ALL_DRAWS, CHECKS_ONLY, WXF
from xiangqi.tables import Tablebase, TableValue, probe, probe_move
from xiangqi.tables.classes import (
    SOLVED_RULES,
    MaterialClass,
    class_of,
    one_attacker,
    parse_class,
    up_to_men,
    with_captures,
)
from xiangqi.tables.files import PackedTable, TableFile, file_name, pack_table
from xiangqi.tables.making import (
    DEFENCES,
    Job,
    audit_table,
    is_small,
    make_small,
    make_tables,
    missing_tables,
    play_out,
    random_positions,
    solve_jobs,
)
from xiangqi.tables.probing import find_rules

EXAMPLE = "8R/9/4k4/9/9/9/9/8n/5K3/9 b"
"""Black holds by perpetual check alone."""


@pytest.fixture
def folder(chariot_horse_tables: Path) -> Path:
    """Chariot against horse under two rule sets."""
    return chariot_horse_tables


# Names


@pytest.mark.parametrize(
    ("text", "name"),
    [("krkn", "KRvKN"), ("KAKR", "KRvKA"), ("KHvKE", "KNvKB"), ("KvK", "KvK"), ("KBPAK", "KPABvK")],
)
def test_names_of_classes(text: str, name: str) -> None:
    assert parse_class(text).name == name


@pytest.mark.parametrize("text", ["", "KR", "KRvKX", "RvN", "KRRRvK", "KRRNNCCvKRRNNCC"])
def test_unknown_classes_are_refused(text: str) -> None:
    with pytest.raises(TableError, match="class"):
        parse_class(text)


def test_families_of_classes() -> None:
    assert len(up_to_men(4)) == 1 + 6 + 21 + 21
    assert {m.name for m in one_attacker()} == {f"K{x}vKAABB" for x in "RNCP"}
    names = [m.name for m in with_captures([parse_class("KRvKN")])]
    assert names == ["KvK", "KNvK", "KRvK", "KRvKN"]
    for material in with_captures(up_to_men(4)):
        assert parse_class(material.name) == material


# Files


def test_only_damaged_tables_are_made_again(folder: Path, tmp_path: Path) -> None:
    wanted = [parse_class("KNvK")]
    assert [m.name for m in make_tables(tmp_path, wanted, "wxf", in_this_process())] == [
        "KvK",
        "KNvK",
    ]
    assert missing_tables(tmp_path, wanted, "wxf") == []
    path = tmp_path / file_name(wanted[0], "wxf")
    whole = path.read_bytes()
    for damaged in (whole[:-1], whole[:20], b"", whole[:-9] + b"\0" + whole[-8:], b"nonsense" * 9):
        path.write_bytes(damaged)
        assert missing_tables(tmp_path, wanted, "wxf") == wanted
    made = list(make_tables(tmp_path, wanted, "wxf", in_this_process()))
    assert made == wanted
    assert path.read_bytes() == whole == (folder / path.name).read_bytes()


def test_work_that_was_stopped_goes_on(folder: Path, tmp_path: Path) -> None:
    wanted = [parse_class("KRvKN")]
    making = make_tables(tmp_path, wanted, "wxf", in_this_process())
    first = next(making)
    making.close()
    rest = list(make_tables(tmp_path, wanted, "wxf", in_processes(2)))
    assert [m.name for m in (first, *rest)] == ["KvK", "KNvK", "KRvK", "KRvKN"]
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (folder / path.name).read_bytes()


def test_work_that_is_stopped_inside_a_class_loses_that_class_alone(
    folder: Path, tmp_path: Path
) -> None:
    def report(material: MaterialClass, doing: str, share: float) -> None:
        if material.name == "KRvKN" and doing.startswith("level"):
            raise KeyboardInterrupt

    wanted = [parse_class("KRvKN")]
    with pytest.raises(KeyboardInterrupt):
        list(make_tables(tmp_path, wanted, "wxf", in_this_process(), report))
    assert [m.name for m in missing_tables(tmp_path, wanted, "wxf")] == ["KRvKN"]
    assert [m.name for m in make_tables(tmp_path, wanted, "wxf", in_this_process())] == ["KRvKN"]
    name = file_name(wanted[0], "wxf")
    assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_lack_of_memory_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(Tables):
        def solve(self, *arguments: object) -> tuple[bytearray, int]:
            raise MemoryError

    monkeypatch.setattr("xiangqi.tables.making.Tables", Full)
    with pytest.raises(TableError, match="class 'KRvKAABB': not enough memory: it takes 10 MB"):
        solve_jobs((Job(parse_class("KRvKAABB"), "wxf", ()),))


def test_cells_are_the_same_one_by_one_and_together(folder: Path) -> None:
    file = TableFile(folder / "KRvKN.wxf.xqt")
    cells = file.cells()
    assert len(cells) == 2 * parse_class("KRvKN").cells
    for index in random.Random(2).sample(range(len(cells) // 2), 200):
        assert file.cell(index) == int.from_bytes(cells[2 * index : 2 * index + 2], "little")


def test_damage_is_reported(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "KRvKN.wxf.xqt"
    whole = (folder / path.name).read_bytes()
    path.write_bytes(whole[:-200] + bytes(8) + whole[-192:])
    with pytest.raises(TableError, match="damaged"):
        TableFile(path).cells()
    path.write_bytes(b"XQTABLE1\xff\xff\xff\xff{}")
    with pytest.raises(TableError, match="its header cannot be read"):
        TableFile(path)


@pytest.mark.parametrize("cells", [4, 5_000])
def test_a_block_of_another_length_is_reported(cells: int) -> None:
    contents = pack_table(parse_class("KvK"), "wxf", bytes(2 * cells), 0)
    with pytest.raises(TableError, match="block 0 is damaged: expected 180 bytes"):
        PackedTable(contents, "a table").cells()


# Asking


def test_the_rules_make_the_difference(folder: Path) -> None:
    board = Board(EXAMPLE)
    assert probe(board, ALL_DRAWS, folder) == TableValue(0, 0, 0)
    lost = probe(board, WXF, folder)
    assert lost == TableValue(-1, 16, 1)
    assert lost.by_rule
    assert probe(board, CHECKS_ONLY, folder) is None
    assert probe(Board(), WXF, folder) is None
    assert probe(board.flip_colors(), WXF, folder) == lost
    assert probe(board.mirror(), WXF, folder) == lost


def test_rules_that_tables_hold_for() -> None:
    assert find_rules(WXF.replace({"occurrences": 5, "no_capture_limit": None})) == "wxf"
    assert find_rules(CHECKS_ONLY) == "checks-only"
    assert find_rules(WXF.replace({"answered": "victim"})) is None


def test_a_move_has_a_value_before_and_after(folder: Path) -> None:
    board = Board("4k4/9/9/9/9/9/9/9/3R5/3K4n w")
    won, kept = probe_move(board, board.parse_iccs("d1e1"), WXF, folder) or (None, None)
    assert won is not None
    assert kept is not None
    assert won.value == 1
    moves = Tablebase(folder).probe_moves(board, "wxf")
    assert len(moves) == board.legal_moves.count()
    assert moves[0].value == won
    assert [of.value.value for of in moves] == sorted(
        (of.value.value for of in moves), reverse=True
    )


# Checking


def test_verified_and_played_out(folder: Path) -> None:
    found = audit_table(folder, parse_class("KRvKN"), "wxf")
    assert (found.violations, found.positions) == (0, 386_433)
    tables = Tablebase(folder)
    rng = random.Random(3)
    endings = set()
    games = 0
    for board in random_positions(parse_class("KRvKN"), rng):
        value = tables.probe(board, "wxf")
        if value is None or not value.value or not board.legal_moves:
            continue
        if not value.by_rule and rng.random() < 0.9:
            continue
        winner = board.turn if value.value > 0 else not board.turn
        outcome = play_out(tables, board, "wxf", rng.choice(DEFENCES), rng)
        assert outcome.winner == winner, board.root_fen()
        endings.add(outcome.termination)
        games += 1
        if games == 30:
            break
    assert Termination.CHECKMATE in endings


def test_a_perpetual_check_is_ruled_against(folder: Path) -> None:
    board = Board(EXAMPLE)
    outcome = play_out(Tablebase(folder), board, "wxf", "repeating", random.Random(1))
    assert outcome.winner is True
    assert outcome.termination is Termination.PERPETUAL_CHECK


def test_defenders_on_both_sides(tmp_path: Path) -> None:
    material = parse_class("KRAvKA")
    made = list(make_tables(tmp_path, [material], "wxf", in_this_process()))
    assert len(made) == 7
    for one in made:
        assert audit_table(tmp_path, one, "wxf").violations == 0
    won = probe(Board("3k5/4a4/9/9/9/9/9/9/4A4/R3K4 w"), WXF, tmp_path)
    assert won is not None
    assert won.value == 1


# The command


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["tables", *arguments])
    return result.exit_code, result.output


def test_the_command_probes(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "tables"
    shutil.copytree(folder, place)
    code, output = run("probe", EXAMPLE, "--folder", str(place))
    assert code == 0
    head, *rest = output.splitlines()
    assert head == f"4 tables made in {place}, for KRvKN"  # checks-only was not there
    code, output = run("probe", EXAMPLE, "--folder", str(place))
    assert output.splitlines() == rest
    lines = output.splitlines()
    assert lines[0] == "Red wins in 16 plies under wxf, drawn if perpetual check were allowed"
    assert "wxf: Red wins, a ruling or mate in 16 plies" in lines
    assert "all-draws: draw" in lines
    assert lines[2].split()[0] == "i2g3"


def test_the_command_makes_and_verifies(tmp_path: Path) -> None:
    place = str(tmp_path)
    assert run("make", "KNvK", "--folder", place)[0] == 0
    code, output = run("make", "knk", "--folder", place)
    assert (code, output) == (0, f"0 tables made in {place}\n")
    code, output = run("verify", "--folder", place, "--playouts", "5")
    assert code == 0
    (line,) = (line for line in output.splitlines() if line.startswith("KNvK.wxf.xqt: "))
    assert line.startswith("KNvK.wxf.xqt: 4806 positions, 0 violations, ")
    endings = re.findall(r"(\d+) (checkmate|stalemate)", line)
    assert sum(int(count) for count, _ in endings) == 5
    assert run("make", "KRvKQ", "--folder", place)[0] == 2
    code, output = run("probe", "2bak4/4a4/4b4/9/9/9/9/9/3R5/4K4 w", "--folder", place)
    assert code != 0
    assert "xiangqi tables make KRvKAABB" in output
    assert not list(tmp_path.glob("KRv*"))
    code, output = run("probe", Board().fen(), "--folder", place)
    assert code == 2
    assert "it has too many positions for a table" in output


def test_the_command_verifies_all_that_is_there(tmp_path: Path) -> None:
    for arguments in ([], ["KRvK"]):
        code, output = run("verify", *arguments, "--folder", str(tmp_path))
        assert (code, output) == (2, f"xiangqi: {tmp_path}: no such table\n")
    list(make_tables(tmp_path, [parse_class("KNvK")], "wxf", in_this_process()))
    (tmp_path / "KAvK.wxf.xqt").write_text("nonsense")
    code, output = run("verify", "--folder", str(tmp_path))
    assert code == 1
    damaged, *rest = output.splitlines()
    assert damaged.endswith("KAvK.wxf.xqt: not a table file: truncated header")
    assert [line.split(", ")[1] for line in rest] == ["0 violations"] * 2


def test_only_small_classes_are_made_on_first_use(tmp_path: Path) -> None:
    assert all(map(is_small, up_to_men(4)))
    assert not any(map(is_small, one_attacker()))
    assert not is_small(class_of(Board()))
    assert make_small(tmp_path, parse_class("KRvKAABB")) == 0
    assert make_small(tmp_path, parse_class("KPvK")) == 2 * len(SOLVED_RULES)
    assert make_small(tmp_path, parse_class("KPvK")) == 0
    assert missing_tables(tmp_path, [parse_class("KPvK")], "checks-only") == []
