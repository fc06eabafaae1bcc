"""The training of networks: samples, integers, and (where PyTorch is installed) the learning."""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from train.expected_points import error
from train.fit_wdl import fit, log_loss
from train.game_files import GAMES, SETUP_SIZE
from train.generation import GenerationSettings, play_game
from train.quantise import MAX_WEIGHT, QuantisedNetwork, quantise
from train.rounds import steps
from train.sample_files import (
    SAMPLE_SIZE,
    SAMPLES,
    GameWriter,
    Sample,
    is_quiet,
    quiet_samples,
    read_games,
    read_samples,
    write_samples,
)
from train.samples import Records, describe_file, mirrored_features, positions, read_records, split
from xiangqi import Board
from xiangqi.core.evaluator import evaluate_board
from xiangqi.core.network import Network, architecture
from xiangqi.core.samples import SHAPE
from xiangqi.engine.network import Shape, choose_network, pack_network

SETTINGS = GenerationSettings(nodes=40, seed=3)
COUNT = 8


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("training") / "some.samples"
    games = (play_game(SETTINGS, number) for number in range(COUNT))
    write_samples(found, SETTINGS.facts(), (one for game in games for one in quiet_samples(game)))
    return found


@pytest.fixture(scope="module")
def records(path: Path) -> Records:
    return read_records(path)


def random_network(seed: int, shape: Shape) -> QuantisedNetwork:
    rng = np.random.default_rng(seed)

    def weights(*sizes: int) -> Any:
        return rng.uniform(-MAX_WEIGHT, MAX_WEIGHT, sizes).astype(np.float32)

    buckets = SHAPE["output_buckets"]
    return quantise(
        weights(int(architecture(*shape)["inputs"]), shape.hidden),
        weights(shape.hidden),
        weights(buckets, 2, shape.hidden),
        weights(buckets),
    )


@pytest.mark.parametrize("shape", [Shape(128, "files"), Shape(256, "chariots")], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_the_core_reckons_with_the_same_integers(
    path: Path, records: Records, seed: int, shape: Shape
) -> None:
    """The engine plays with the network that the training describes."""
    network = random_network(seed, shape)
    core = Network(network.payload(), hidden=shape.hidden, kings=shape.kings)
    some = positions(records[::7], shape.kings)
    values = np.clip(network.values(some.indices, some.buckets), -19_999, 19_999)
    boards = [Board(sample.setup) for sample in list(read_samples(path))[::7]]
    assert values.tolist() == [evaluate_board(board, core) for board in boards]
    assert len(set(values.tolist())) > len(boards) // 2


def test_values_do_not_depend_on_how_many_are_evaluated_at_a_time(
    records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = random_network(1, Shape(128, "files"))
    some = positions(records, "files")
    expected = network.values(some.indices, some.buckets)
    monkeypatch.setattr("train.quantise.BATCH", 7)
    assert network.values(some.indices, some.buckets).tolist() == expected.tolist()
    assert network.values(some.indices[:3], some.buckets[:3]).tolist() == expected[:3].tolist()


@pytest.mark.parametrize("kings", ["files", "chariots"])
def test_a_mirror_turns_what_a_king_on_file_e_sees(records: Records, kings: str) -> None:
    def describe(feature: int) -> tuple[int, ...]:
        """King bucket, is it an enemy, kind, rank, file."""
        return tuple(map(int, np.unravel_index(feature, (8, 2, 7, 10, 9))))

    mirrored = mirrored_features(Shape(128, kings))
    seen = set()
    for row in positions(records, kings).indices.reshape(-1, 32):
        features = row[row >= 0].tolist()
        (king_file,) = (
            file for *_, enemy, kind, _, file in map(describe, features) if enemy == kind == 0
        )
        seen.add(king_file)
        for feature in features:
            *place, file = describe(feature)
            expected = 8 - file if king_file == 4 else file
            assert describe(int(mirrored[feature])) == (*place, expected)
    assert seen == {3, 4}


def test_points_are_those_of_the_side_to_move(path: Path, records: Records) -> None:
    found = positions(records, "files")
    for sample, points in zip(read_samples(path), found.points, strict=True):
        red_points = sample.result / 2
        assert points == (red_points if sample.setup.turn else 1 - red_points)
    assert found.scores.tolist() == [sample.score for sample in read_samples(path)]


def test_no_game_is_in_training_and_validation(records: Records) -> None:
    many = np.concatenate([records] * 10)
    many["game"] += np.repeat(np.arange(10, dtype=np.uint32) * COUNT, len(records))
    training, held = split([many, many], seed=1)
    assert len(training) + len(held) == 2 * len(many)
    assert len(held) > 0
    again, _ = split([many, many], seed=1)
    assert np.array_equal(training, again)
    one_training, one_held = split([many], seed=1)
    assert not set(one_training["game"]) & set(one_held["game"])


def test_every_file_has_games_to_validate(records: Records) -> None:
    training, held = split([records], seed=1)
    assert len(np.unique(held["game"])) == 1
    assert len(training) > len(held)
    with pytest.raises(ValueError, match="1 games, expected at least 2"):
        split([records[records["game"] == 0]], seed=1)


def test_a_file_is_described_so_that_it_can_be_made_again(path: Path, records: Records) -> None:
    facts = describe_file(path)
    assert facts["samples"] == len(records)
    assert facts["made"]["seed"] == SETTINGS.seed
    assert len(facts["sha256"]) == 64


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "some.games"
    with GameWriter(path, SETTINGS.facts()) as writer:
        for number in range(2):
            writer.add(play_game(SETTINGS, number))
    return path


def extracted(*words: object) -> list[Sample]:
    command = [sys.executable, "-m", "train.extract", *map(str, words)]
    output = Path(command[command.index("-o") + 1])
    subprocess.run(command, capture_output=True, text=True, check=True)
    return list(read_samples(output))


def test_positions_come_out_of_games(games: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.samples"
    found = extracted(games, games, "-o", output)
    quiet = [list(quiet_samples(game)) for game in read_games(games)]
    assert [(one.score, one.ply, one.game) for one in found] == [
        (one.score, one.ply, number)
        for number, samples in enumerate(quiet + quiet)
        for one in samples
    ]
    assert SAMPLES.read(output)[0]["games_of"] == 2 * [GAMES.read(games)[0]]


def test_positions_of_games_are_judged_anew(games: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.samples"
    before = extracted(games, "-o", output)
    after = extracted(games, "-o", output, "--nodes", 500)
    boards = [(one.game, one.ply, one.setup.board) for one in before]
    assert {(one.game, one.ply, one.setup.board) for one in after} <= set(boards)
    assert len(after) > 0.9 * len(before)
    assert sum(one.score != other.score for one, other in zip(before, after, strict=False)) > 50
    facts = SAMPLES.read(output)[0]
    assert (facts["nodes"], facts["eval_file"]) == (500, choose_network().sha256)


def test_some_positions_of_each_game_are_taken(games: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.samples"
    taken = [list(quiet_samples(game))[game.number :: 2] for game in read_games(games)]
    found = extracted(games, "-o", output, "--every", 2)
    assert [(one.score, one.ply, one.game) for one in found] == [
        (one.score, one.ply, one.game) for samples in taken for one in samples
    ]
    assert SAMPLES.read(output)[0]["every"] == 2


def test_processes_extract_the_same(games: Path, tmp_path: Path) -> None:
    words = (*20 * [games], "--nodes", 30, "--every", 9, "-o")
    alone = extracted(*words, tmp_path / "alone.samples")
    assert alone == extracted(*words, tmp_path / "shared.samples", "--workers", 2)
    assert len({sample.game for sample in alone}) > 30


def test_an_interrupted_extraction_continues(games: Path, tmp_path: Path) -> None:
    output, part = tmp_path / "out.samples", tmp_path / "out.samples.part"
    extracted(games, "-o", output)
    marked = bytearray(output.read_bytes())
    marked[SAMPLES.read(output)[1] + SETUP_SIZE + 1] ^= 1  # the score, by one
    part.write_bytes(marked[: -3 * SAMPLE_SIZE // 2])
    output.unlink()
    extracted(games, "-o", output)
    assert output.read_bytes() == marked
    assert not part.exists()


def foreseen(scores: Sequence[int], decay: float) -> float:
    """The lambda-return of the first score as its definition has it, a sum over all of them."""
    expected = [1 / (1 + math.exp(-max(-3000, min(score, 3000)) / 297)) for score in scores]
    own = [one if place % 2 == 0 else 1 - one for place, one in enumerate(expected)]
    *earlier, last = own
    known = (1 - decay) * sum(decay**place * one for place, one in enumerate(earlier))
    mixed = known + decay ** len(earlier) * last
    return 297 * math.log(mixed / (1 - mixed))


@pytest.mark.parametrize("decay", [0.3, 0.7, 0.95])
def test_later_scores_of_the_game_count_too(games: Path, tmp_path: Path, decay: float) -> None:
    output = tmp_path / "out.samples"
    found = extracted(games, "-o", output, "--td-lambda", decay)
    known = [
        (game.number, board.ply(), foreseen(game.scores[place:], decay))
        for game in read_games(games)
        for place, (board, move, score) in enumerate(game.boards())
        if is_quiet(board, move, score)
    ]
    assert [(one.game, one.ply) for one in found] == [(number, ply) for number, ply, _ in known]
    assert [one.score for one in found] == pytest.approx([one for *_, one in known], abs=2)
    assert SAMPLES.read(output)[0]["td_lambda"] == decay


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--td-lambda", "1"), "'1' is not a number from 0 to below 1"),
        (("--td-lambda", "much"), "'much' is not a number from 0 to below 1"),
        (("--td-lambda", "0.5", "--nodes", "9"), "--td-lambda needs the scores of the games"),
        (("--every", "0"), "'0' is not a positive integer"),
    ],
)
def test_an_impossible_choice_is_refused(
    games: Path, tmp_path: Path, words: Sequence[str], complaint: str
) -> None:
    command = [sys.executable, "-m", "train.extract", str(games), "-o", str(tmp_path / "out")]
    done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert complaint in done.stderr


def test_a_missing_network_is_reported(games: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "train.extract", str(games), "-o", str(tmp_path / "out")]
    words = ("--nodes", "9", "--eval-file", "missing.nnue")
    done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("extract: ")
    assert "missing.nnue" in done.stderr


def test_other_files_are_refused(path: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "train.extract", str(path), "-o", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "expected b'MEIHUAGM'" in done.stderr
    assert not (tmp_path / "out").exists()


def round_options(folder: Path, **changes: Any) -> argparse.Namespace:
    usual = {"rounds": 3, "positions": 300, "nodes": 30, "rules": "wxf", "workers": 1}
    usual |= {"people": None, "people_rounds": 2}
    return argparse.Namespace(folder=folder, **{**usual, **changes})


def test_each_step_of_the_rounds_takes_what_an_earlier_one_makes(tmp_path: Path) -> None:
    people = tmp_path / "people.pgn"
    there = {str(people)}
    for step in steps(round_options(tmp_path, rounds=4, people=people)):
        words = [str(word) for word in step.arguments]
        makes = {str(step.output), words[words.index("-o") + 1] if "-o" in words else words[0]}
        needs = {word for word in words if word.startswith(str(tmp_path))} - makes
        assert needs <= there, step
        there |= makes | {str(step.output.with_suffix(".checkpoint"))}
    made = {Path(path).name for path in there if path.endswith(".samples")}
    first = {f"round{number}.samples" for number in range(1, 5)}
    begun = {f"round{number}.{kind}.samples" for number in (5, 6) for kind in ("middle", "sharp")}
    assert made == {*first, "people.samples", *begun}


def test_the_chances_of_win_and_loss_are_found_again() -> None:
    rng = np.random.default_rng(5)
    scores = rng.normal(0, 400, 100_000)
    win, loss = (1 / (1 + np.exp((260 - way * scores) / 150)) for way in (1, -1))
    drawn = rng.random(len(scores))
    points = np.where(drawn < win, 1.0, np.where(drawn > 1 - loss, 0.0, 0.5))
    centre, spread = fit(scores, points)
    assert centre == pytest.approx(260, rel=0.03)
    assert spread == pytest.approx(150, rel=0.03)
    assert log_loss(scores, points, centre, spread) < log_loss(scores, points, 330, 210)


# With PyTorch


def test_rounds_make_a_network_that_is_gone_on_with(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    words = ["--positions", "300", "--nodes", "30", "--rules", "all-draws"]
    for rounds, said in ((1, 3), (1, 0), (2, 3)):
        command = [sys.executable, "-m", "train.rounds", str(tmp_path), "--rounds", str(rounds)]
        done = subprocess.run([*command, *words], capture_output=True, text=True, check=True)
        assert done.stdout.count("python -m ") == said
    first, second = (choose_network(str(tmp_path / f"round{number}.nnue")) for number in (1, 2))
    assert first is not None
    assert second is not None
    assert first.sha256 != second.sha256
    header, _ = GAMES.read(tmp_path / "round2.games")
    assert (header["network"], header["rules"]["name"]) == (first.sha256, "all-draws")


def options(**changes: Any) -> argparse.Namespace:
    usual: dict[str, Any] = {"seed": 1, "epochs": 4, "batch": 64, "rate": 0.01, "result_share": 0.0}
    usual |= {"hidden": 128, "kings": "files", "weight_decay": 0.0, "mirror": False}
    return argparse.Namespace(**{**usual, **changes})


def test_a_network_learns(records: Records) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    from train.train_network import Trainer

    some = positions(records, "files")
    trainer = Trainer(options(), some, some)
    before = trainer.validate()
    while len(trainer.losses) < 4:
        trainer.run_epoch()
    after = trainer.losses[-1]["validation"]
    assert after < before / 3
    values = trainer.model.quantised().values(some.indices, some.buckets)
    assert error(values, trainer.targets["validation"]) == pytest.approx(after, rel=0.1)


@pytest.mark.parametrize("decay", [0.0, 0.5])
def test_weights_without_positions_decay(records: Records, decay: float) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    from train.train_network import Trainer

    some = positions(records, "files")
    trainer = Trainer(options(weight_decay=decay), some, some)
    shared = trainer.model.parameters["shared"]
    seen = np.unique(some.indices[some.indices >= 0]) % len(shared)
    unseen = np.setdiff1d(np.arange(len(shared)), seen)
    assert 0 < len(unseen) < len(shared)
    before = shared.detach()[unseen].clone()
    trainer.run_epoch()
    ratio = shared.detach()[unseen] / before
    assert torch.allclose(ratio, ratio[0, 0].expand_as(ratio), rtol=1e-4)
    assert (float(ratio[0, 0]) < 1) == (decay > 0)


@pytest.mark.parametrize("mirror", [False, True])
def test_training_that_is_interrupted_comes_to_the_same(
    records: Records, tmp_path: Path, mirror: bool
) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    from train.train_network import Trainer

    some = positions(records, "files")
    whole = Trainer(options(mirror=mirror), some, some)
    for _ in range(3):
        whole.run_epoch()
    first = Trainer(options(mirror=mirror), some, some)
    first.run_epoch()
    first.save(tmp_path / "checkpoint")
    second = Trainer(options(mirror=mirror), some, some)
    second.load(tmp_path / "checkpoint")
    for _ in range(2):
        second.run_epoch()
    assert second.losses == whole.losses
    for name, values in whole.model.parameters.items():
        assert torch.equal(values, second.model.parameters[name])


def test_weights_of_the_start_are_kept_by_a_share(records: Records, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    from train.train_network import Trainer

    some = positions(records, "files")
    first = Trainer(options(), some, some)
    first.save(tmp_path / "checkpoint")
    start = {name: values.clone() for name, values in first.model.parameters.items()}
    second = Trainer(options(seed=2), some, some)
    second.start_from(tmp_path / "checkpoint")
    second.run_epoch()
    learned = {name: values.clone() for name, values in second.model.parameters.items()}
    assert not torch.equal(learned["own"], start["own"])
    second.keep_of_start(0.25)
    for name, values in second.model.parameters.items():
        torch.testing.assert_close(values, 0.25 * start[name] + 0.75 * learned[name])


def test_without_a_start_there_is_nothing_to_keep(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    command = [sys.executable, "-m", "train.train_network", str(path), "--keep", "0.25"]
    words = [*command, "-o", str(tmp_path / "new.nnue")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--keep needs --start" in done.stderr


@pytest.mark.parametrize("source", ["checkpoint", "network"])
def test_a_larger_network_begins_with_what_a_smaller_one_knows(
    records: Records, tmp_path: Path, source: str
) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    from train.train_network import Trainer

    some = positions(records, "files")
    small = Trainer(options(), some, some)
    small.run_epoch()
    small.save(tmp_path / "checkpoint")
    same = positions(records, "chariots")
    large = Trainer(options(hidden=256, kings="chariots", seed=2), same, same)
    file = tmp_path / "small.nnue"
    network = small.model.quantised()
    file.write_bytes(pack_network(network.payload(), small.model.shape, {}))
    large.start_from(tmp_path / "checkpoint" if source == "checkpoint" else file)
    values = [
        trainer.model.quantised().values(*found)
        for trainer, found in (
            (small, (some.indices, some.buckets)),
            (large, (same.indices, same.buckets)),
        )
    ]
    assert values[0].tolist() == values[1].tolist()
    before = large.validate()
    large.run_epoch()
    assert large.losses[-1]["validation"] < before


def test_sums_of_rows_have_the_right_derivative() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    from train.model import SumOfRows, offsets_of

    sizes = torch.tensor([3, 0, 5, 1, 7])
    rows = torch.randint(0, 10, (16,), dtype=torch.int32)
    weights = torch.randn(10, 4, requires_grad=True)
    other = weights.detach().clone().requires_grad_()
    factor = torch.randn(5, 4)
    (SumOfRows.apply(weights, rows, offsets_of(sizes)) * factor).sum().backward()
    lists = torch.repeat_interleave(torch.arange(5), sizes)
    sums = torch.zeros(5, 4).index_add(0, lists, other[rows.long()])
    (sums * factor).sum().backward()
    torch.testing.assert_close(weights.grad, other.grad)
