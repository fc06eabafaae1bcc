"""Network files: reading, refusals, and the evaluation that the engine uses."""

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tests.engines.fake_searcher import Conversation, FakeSearcher
from tests.support.networks import (
    LARGEST,
    SHAPES,
    SMALL,
    random_network,
    random_payload,
    with_number,
)
from xiangqi import Board
from xiangqi.cli.main import main
from xiangqi.core.evaluator import evaluate_board, piece_contributions
from xiangqi.core.network import WIDTHS, architecture
from xiangqi.engine import Engine, Limits
from xiangqi.engine import network as networks
from xiangqi.engine.network import (
    DEFAULT,
    Shape,
    choose_network,
    format_evaluation,
    pack_network,
    read_network,
    unpack_network,
    value_of,
)
from xiangqi.engine.options import OptionError
from xiangqi.engine.protocol import Tools
from xiangqi.ground.errors import NetworkError
from xiangqi.pieces import parse_square

GOOD = pack_network(random_payload(1), SMALL, {"positions": 7})
HEADER_AT = 16
PAYLOAD_AT = HEADER_AT + struct.unpack_from("<I", GOOD, 12)[0]
PATH = Path("some.nnue")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A valid network file."""
    path = tmp_path / "good one.nnue"
    path.write_bytes(GOOD)
    return path


@pytest.fixture
def no_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Replace the path of the default network by that of a missing file."""
    monkeypatch.setattr(networks, "DEFAULT_PATH", tmp_path / DEFAULT)
    return tmp_path / DEFAULT


def with_header(header: Any, payload: bytes = random_payload(1)) -> bytes:
    """Network file with any header."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return GOOD[:12] + struct.pack("<I", len(text)) + text + payload


def changed_header(*names: str, value: Any = None, drop: bool = False) -> bytes:
    """Network file with another value, or none, of one field of its header."""
    header = part = json.loads(GOOD[HEADER_AT:PAYLOAD_AT])
    for name in names[:-1]:
        part = part[name]
    if drop:
        del part[names[-1]]
    else:
        part[names[-1]] = value
    return with_header(header)


def refusal(data: bytes) -> str:
    """Error message for a file."""
    with pytest.raises(NetworkError) as caught:
        unpack_network(data, PATH)
    message = str(caught.value)
    assert message.startswith("cannot use the network 'some.nnue': found ")
    assert ", expected " in message
    assert len(message) < 600
    return message


def test_the_name_of_the_default_contains_no_keyword() -> None:
    """TCHESS searches for these anywhere in the declaration of an option."""
    assert not any(word in DEFAULT for word in ("name", "type", "default", " "))
    assert (Path(networks.__file__).parent / "networks" / DEFAULT).is_file()


# Reading


def test_a_written_file_is_read(path: Path) -> None:
    network = read_network(path)
    assert network.name == "good one.nnue"
    assert network.training == {"positions": 7}
    expected = evaluate_board(Board(), random_network())
    assert evaluate_board(Board(), network.weights) == expected


def test_a_file_is_read_once_until_it_changes(path: Path) -> None:
    first = read_network(path)
    assert read_network(path) is first
    path.write_bytes(pack_network(random_payload(2), SMALL, {"positions": 123}))
    assert read_network(path).training == {"positions": 123}


def test_names_choose_the_evaluation(path: Path, no_default: Path) -> None:
    assert choose_network(str(path)) is read_network(path)
    with pytest.raises(NetworkError, match="found no file"):
        choose_network(DEFAULT)
    no_default.write_bytes(GOOD)
    assert choose_network(DEFAULT) is choose_network(DEFAULT.upper()) is choose_network()
    assert choose_network().name == DEFAULT


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_networks_of_all_shapes_are_read(shape: Shape) -> None:
    found = unpack_network(pack_network(random_payload(3, shape), shape, {}), PATH)
    expected = evaluate_board(Board(), random_network(3, shape))
    assert evaluate_board(Board(), found.weights) == expected


def test_the_oldest_files_name_no_king_buckets() -> None:
    found = unpack_network(changed_header("architecture", "kings", drop=True), PATH)
    expected = evaluate_board(Board(), random_network())
    assert evaluate_board(Board(), found.weights) == expected


# Refusing


@pytest.mark.parametrize("wrong", [None, "256", 127, True, 128.5, [128]])
def test_a_width_that_no_network_has_is_refused(wrong: object) -> None:
    widths = " or ".join(map(str, WIDTHS))
    found = refusal(changed_header("architecture", "hidden", value=wrong))
    assert found.endswith(f"found {wrong!r} for hidden of the architecture, expected {widths}")


@pytest.mark.parametrize("wrong", [None, "ranks", 2, True, ["files"]])
def test_king_buckets_that_no_network_has_are_refused(wrong: object) -> None:
    found = refusal(changed_header("architecture", "kings", value=wrong))
    expected = "expected 'files' or 'chariots'"
    assert found.endswith(f"found {wrong!r} for kings of the architecture, {expected}")


def test_weights_of_another_shape_than_the_header_are_refused() -> None:
    data = pack_network(random_payload(1), Shape(256, "files"), {})
    assert "found 649504 bytes of weights, expected 1298976" in refusal(data)


@pytest.mark.parametrize("name", sorted(architecture(*SMALL).keys() - {"hidden", "kings"}))
def test_another_architecture_is_refused(name: str) -> None:
    right = architecture(*SMALL)[name]
    wrongs: list[object] = [
        None,
        "relu",
        [],
        True,
        right + 1 if isinstance(right, int) else right + "!",
    ]
    for wrong in wrongs:
        found = refusal(changed_header("architecture", name, value=wrong))
        assert found.endswith(f"found {wrong!r} for {name} of the architecture, expected {right!r}")
    assert "found None for" in refusal(changed_header("architecture", name, drop=True))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "found the start b'', expected b'MEIHUANN'"),
        (b"MEIHUADT" + GOOD[8:], "found the start b'MEIHUADT', expected b'MEIHUANN'"),
        (GOOD[:8] + struct.pack("<I", 2) + GOOD[12:], "found version 2, expected version 1"),
        (GOOD[:12] + struct.pack("<I", 2**32 - 1) + GOOD[16:], "a header of 4294967295 bytes"),
        (with_header(b"{"), "a header b'{' ("),
        (with_header(b"[" * 100_000), "expected JSON"),
        (with_header(b"\xff\xfe"), "expected JSON"),
        (with_header([]), "found a header [], expected a JSON object"),
        (with_header({}), "found an architecture None, expected a JSON object"),
        (changed_header("architecture", value=[]), "found an architecture [], expected a JSON"),
        (changed_header("architecture", "more", value=1), "1 for more of the architecture"),
        (changed_header("sha256", value="0" * 64), f"expected '{'0' * 64}'"),
        (changed_header("sha256", value=5), "found 5 for sha256, expected digits"),
        (changed_header("sha256", drop=True), "found None for sha256, expected digits"),
        (changed_header("training", value=[]), "found [] for training, expected a JSON object"),
        (changed_header("training", drop=True), "found None for training"),
        (GOOD + b"\0", "found 649505 bytes of weights, expected 649504"),
    ],
    ids=range(17),
)
def test_damaged_and_foreign_files_are_refused(data: bytes, words: str) -> None:
    assert words in refusal(data)


@given(st.integers(0, len(GOOD) - 1))
def test_a_file_that_ends_too_early_is_refused(length: int) -> None:
    refusal(GOOD[:length])


@given(st.integers(0, len(GOOD) - 1), st.integers(1, 255))
def test_a_file_with_another_byte_is_refused(place: int, change: int) -> None:
    """A changed byte is detected everywhere except in the training record."""
    data = bytearray(GOOD)
    data[place] ^= change
    try:
        found = unpack_network(bytes(data), PATH)
    except NetworkError:
        return
    assert found.training != {"positions": 7} or place < PAYLOAD_AT


def test_weights_that_might_overflow_are_refused() -> None:
    data = pack_network(with_number(random_payload(1), 0, LARGEST[0] + 1), SMALL, {})
    assert "weight 0 is beyond 511" in refusal(data)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none.nnue", "found no file, expected a network file"),
        (".", "found no file, expected a network file"),
        ("a\0b", "expected a network file"),
        ("x" * 5000, "expected a network file"),
    ],
)
def test_a_path_that_is_not_a_file_is_refused(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(NetworkError, match="cannot use the network") as caught:
        read_network(tmp_path / name)
    assert words in str(caught.value)


# The engine


def test_the_engine_sets_and_unsets_a_network(path: Path) -> None:
    searcher = FakeSearcher()
    engine = Engine(searcher)
    assert engine.network is choose_network()
    assert engine.options["eval_file"] == DEFAULT
    engine.set_option("eval_file", str(path))
    assert engine.network is read_network(path)
    assert searcher.network is read_network(path).weights
    assert engine.options["eval_file"] == str(path)
    engine.set_option("eval_file", DEFAULT)
    assert engine.network is choose_network()
    assert searcher.network is choose_network().weights


@pytest.mark.parametrize("name", ["", " ", "<empty>", DEFAULT])
def test_an_empty_name_is_the_default(name: str, path: Path, no_default: Path) -> None:
    no_default.write_bytes(GOOD)
    engine = Engine(FakeSearcher(), network=str(path))
    engine.set_option("eval_file", name)
    assert engine.options["eval_file"] == DEFAULT
    assert engine.network is read_network(no_default)


def test_a_bad_file_changes_nothing(path: Path, tmp_path: Path) -> None:
    searcher = FakeSearcher()
    engine = Engine(searcher)
    engine.set_option("eval_file", str(path))
    bad = tmp_path / "bad.nnue"
    bad.write_bytes(GOOD[:-1])
    with pytest.raises(NetworkError, match=r"bad\.nnue.*found 649503 bytes of weights"):
        engine.set_option("eval_file", str(bad))
    assert engine.network is read_network(path)
    assert searcher.network is read_network(path).weights
    assert engine.options["eval_file"] == str(path)


def test_a_bad_file_makes_no_engine(tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match="found no file"):
        Engine(FakeSearcher(), network=str(tmp_path / "none.nnue"))


def test_a_bad_default_makes_no_engine(no_default: Path) -> None:
    no_default.write_bytes(b"MEIHUA")
    with pytest.raises(NetworkError, match="found the start b'MEIHUA'"):
        Engine(FakeSearcher())


def test_the_default_network_evaluates_when_it_is_there(no_default: Path) -> None:
    no_default.write_bytes(GOOD)
    engine = Engine()
    assert engine.network is read_network(no_default)
    assert engine.play(Board(), Limits(depth=3)).best in Board().list_moves()


def test_an_engine_that_thinks_keeps_its_evaluation(path: Path) -> None:
    engine = Engine(FakeSearcher())
    engine.go(Limits(infinite=True))
    with pytest.raises(RuntimeError, match="thinking"):
        engine.set_option("eval_file", str(path))
    engine.quit()


def test_a_network_needs_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(FakeSearcher())

    def refuse(self: FakeSearcher, network: object) -> None:
        raise MemoryError("no memory")

    monkeypatch.setattr(FakeSearcher, "set_network", refuse)
    with pytest.raises(OptionError, match="eval_file"):
        engine.set_option("eval_file", str(path))
    assert engine.network is choose_network()


# Protocols and commands


@pytest.fixture
def talk() -> Conversation:
    """A conversation with an engine that has the evaluation commands."""
    return Conversation(tools=Tools(evaluate=value_of, format_evaluation=format_evaluation))


@pytest.mark.parametrize("hello", ["uci", "ucci"])
def test_protocols_choose_the_evaluation(hello: str, path: Path, talk: Conversation) -> None:
    option = "setoption name EvalFile value" if hello == "uci" else "setoption evalfile"
    message = "string" if hello == "uci" else "message"
    with talk:
        talk.send(hello)
        heard = talk.until(f"{hello}ok")
        assert any("file type string default meihua.nnue" in line.lower() for line in heard)
        assert talk.ask(f"{option} {path}") == []
        value = evaluate_board(Board(), random_network())
        expected = f"network good one.nnue: value {value} centipawns for the side to move"
        assert talk.ask("eval")[0] == expected
        stays, refused = talk.ask(f"{option} {path}x")
        assert stays == f"info {message} {path} stays in use"
        assert f"cannot use the network '{path}x': found no file" in refused
        assert talk.ask("eval")[0] == expected
        assert talk.ask(f"{option} {DEFAULT}") == []
        assert talk.ask("eval")[0].startswith(f"network {DEFAULT}: ")


def test_commands_choose_the_evaluation(path: Path) -> None:
    def run(*words: str) -> str:
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, result.output
        return str(result.output)

    assert run("eval").startswith(f"network {DEFAULT}: value ")
    assert run("eval", "--eval-file", str(path)).startswith("network good one.nnue: value ")
    assert run("bench", "2").startswith(f"Evaluation: {DEFAULT}\n")
    assert run("bench", "2", "--eval-file", str(path)).startswith("Evaluation: good one.nnue\n")


@pytest.mark.parametrize("command", ["engine", "eval", "bench"])
def test_commands_refuse_a_wrong_network(command: str) -> None:
    """The engine does so after the handshake, which needs no network."""
    result = CliRunner().invoke(main, [command, "--eval-file", "none.nnue"], input="uci\n")
    assert result.exit_code == 2
    assert "cannot use the network 'none.nnue': found no file" in result.output


def test_the_searched_value_of_one_attacker_is_shown() -> None:
    network = choose_network()
    won = Board("3ak1b2/4a4/9/9/9/9/9/9/R8/3K5 w")
    raw = evaluate_board(won, network.weights)
    searched = value_of(won, network)
    assert f"value {raw} centipawns for the side to move" in format_evaluation(won, network)
    assert f"one attacker at most: searched as {searched}\n" in format_evaluation(won, network)
    assert raw < searched
    assert "searched as" not in format_evaluation(Board(), network)


def test_the_contribution_of_each_piece_is_shown() -> None:
    board = Board("3ak4/9/9/9/9/9/9/9/9/5K1R1 w")
    lines = format_evaluation(board, choose_network()).splitlines()
    contributions = piece_contributions(board, choose_network().weights)
    chariot, advisor = parse_square("h0"), parse_square("d9")
    assert contributions[chariot] > 0 > contributions[advisor]
    assert lines[-3].split() == ["0", *".....", "K", ".", "R", "."]
    assert lines[-2].split() == [str(contributions[chariot])]
    assert lines[-1].split() == list("abcdefghi")
