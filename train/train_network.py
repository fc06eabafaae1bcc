"""Trains a network on samples and writes the network file of the engine.

    python -m train.train_network first.samples second.samples -o new.nnue

The network is an NNUE (Yu Nasu, 2018; https://www.chessprogramming.org/NNUE): the weights of each
side's features are summed, the sums are clipped and squared, and a linear layer has one output for
each range of the number of pieces. See train/README.md.
"""

from __future__ import annotations

import argparse
import math
import shlex
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from rich.progress import track
from torch import Tensor

from train.expected_points import WIDTH, error, expected_points, static_values
from train.model import BY_FEATURE, Model, offsets_of, parameters_of
from train.options import share
from train.quantise import SCALE, QuantisedNetwork
from train.samples import (
    Positions,
    describe_file,
    mirrored_features,
    positions,
    read_records,
    split,
)
from xiangqi.core.network import KING_BUCKETS, WIDTHS
from xiangqi.engine.network import DEFAULT, Shape, pack_network, unpack_payload

# Training


def targets(chosen: Positions, result_share: float) -> npt.NDArray[np.float32]:
    """Training targets: expected points of the score, mixed with the result by its share."""
    mixed = (1 - result_share) * expected_points(chosen.scores) + result_share * chosen.points
    return mixed.astype(np.float32)


class Trainer:
    """Adam on mini-batches (https://arxiv.org/abs/1412.6980) with a decreasing step size.

    Two options reduce overfitting. Weight decay (https://arxiv.org/abs/1711.05101) applies to the
    feature weights, since rare features can memorise single games. Mirroring exchanges left and
    right at random for a side whose king is on file e; the engine shows a network only one view.
    """

    def __init__(self, options: argparse.Namespace, training: Positions, held: Positions) -> None:
        self.options = options
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        shape = Shape(options.hidden, options.kings)
        self.model = Model(shape, options.seed, self.device)
        self.optimiser = torch.optim.AdamW(
            [
                {"params": [values], "weight_decay": options.weight_decay * (name in BY_FEATURE)}
                for name, values in self.model.parameters.items()
            ],
            lr=options.rate,
            fused=True,
        )
        self.sets = {"training": training, "validation": held}
        self.targets = {
            name: targets(chosen, options.result_share) for name, chosen in self.sets.items()
        }
        self.start: dict[str, Tensor] = {}
        """Initial weights, if loaded from a file."""
        self.mirror = torch.from_numpy(mirrored_features(shape))
        self.losses: list[dict[str, float]] = []
        """Losses of each epoch."""

    def _batch(
        self, name: str, chosen: npt.NDArray[np.int64], flips: npt.NDArray[np.bool_] | None
    ) -> tuple[Tensor, ...]:
        """Rows, starts, buckets and targets of a batch; ``flips`` are the sides to mirror."""
        found = self.sets[name]
        indices = torch.from_numpy(found.indices[chosen])
        if flips is not None:
            mirrored = self.mirror[indices.clamp(min=0).long()]
            is_flipped = torch.from_numpy(flips)[:, :, None] & (indices >= 0)
            indices = torch.where(is_flipped, mirrored, indices)
        indices = indices.to(self.device).view(-1)
        is_feature = indices >= 0
        sizes = is_feature.view(2 * len(chosen), -1).sum(dim=1)
        return (
            indices[is_feature].to(torch.int32),
            offsets_of(sizes),
            torch.from_numpy(found.buckets[chosen]).to(self.device, torch.int64),
            torch.from_numpy(self.targets[name][chosen]).to(self.device),
        )

    def _loss(
        self, name: str, chosen: npt.NDArray[np.int64], flips: npt.NDArray[np.bool_] | None = None
    ) -> Tensor:
        """Mean squared error of the expected points of a batch."""
        *inputs, target = self._batch(name, chosen, flips)
        expected = torch.sigmoid(self.model(*inputs) * (SCALE / WIDTH))
        return (expected - target).square().mean()

    def _rate(self, step: int, steps: int) -> float:
        """Cosine decay of the learning rate to 0 (https://arxiv.org/abs/1608.03983)."""
        return float(self.options.rate * (1 + math.cos(math.pi * step / steps)) / 2)

    def run_epoch(self) -> None:
        """Train on every position once."""
        epoch = len(self.losses)
        rng = np.random.default_rng((self.options.seed, epoch))
        order = rng.permutation(len(self.sets["training"]))
        batches = np.array_split(order, max(1, len(order) // self.options.batch))
        total = 0.0
        for number, batch in enumerate(track(batches, f"Epoch {epoch + 1}", transient=True)):
            step = epoch * len(batches) + number
            for group in self.optimiser.param_groups:
                group["lr"] = self._rate(step, self.options.epochs * len(batches))
            self.optimiser.zero_grad()
            flips = rng.random((len(batch), 2)) < 0.5 if self.options.mirror else None
            loss = self._loss("training", batch, flips)
            loss.backward()
            self.optimiser.step()
            self.model.clip()
            total += loss.item() * len(batch)
        self.losses.append({"training": total / len(order), "validation": self.validate()})

    def validate(self) -> float:
        """Loss on the validation set."""
        count = len(self.sets["validation"])
        batches = np.array_split(np.arange(count), max(1, count // self.options.batch))
        with torch.no_grad():
            losses = [float(self._loss("validation", batch)) * len(batch) for batch in batches]
        return sum(losses) / count

    def keep_of_start(self, share: float) -> None:
        """Interpolate the weights with the initial ones, which get this share.

        Training on new positions partly forgets the old ones; an interpolated network does best on
        both (https://arxiv.org/abs/2109.01903).
        """
        with torch.no_grad():
            for name, values in self.model.parameters.items():
                values.lerp_(self.start[name], share)

    # Checkpoints

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        state = {
            "parameters": self.model.parameters,
            "optimiser": self.optimiser.state_dict(),
            "losses": self.losses,
        }
        torch.save(state, path)

    def load(self, path: Path) -> None:
        """Restore the state of a checkpoint."""
        state = self._read(path)
        self.model.start_from(state["parameters"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.losses = state["losses"]

    def start_from(self, path: Path) -> None:
        """Take the weights of a network file or a checkpoint, possibly of a smaller network."""
        if path.suffix == ".nnue":
            shape, payload = unpack_payload(path.read_bytes(), path)
            network = QuantisedNetwork.unpack(payload, shape)
            self.model.start_from(parameters_of(network, KING_BUCKETS[shape.kings]))
        else:
            self.model.start_from(self._read(path)["parameters"])
        self.start = {
            name: values.detach().clone() for name, values in self.model.parameters.items()
        }

    def _read(self, path: Path) -> dict[str, Any]:
        found: dict[str, Any] = torch.load(path, map_location=self.device, weights_only=True)
        return found


# Output


def plot_losses(losses: list[dict[str, float]], path: Path) -> None:
    """Plot the losses by epoch."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    epochs = range(1, len(losses) + 1)
    for name in ("training", "validation"):
        axes.plot(epochs, [loss[name] for loss in losses], label=name)
    axes.set(xlabel="epoch", ylabel="mean squared error of the points", yscale="log")
    axes.legend()
    figure.savefig(path, dpi=120, bbox_inches="tight")
    pyplot.close(figure)


# The command


def parse_options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Train a network on samples of self-play.")
    parser.add_argument("samples", type=Path, nargs="+", help="files of train.extract")
    parser.add_argument("-o", "--output", type=Path, required=True, help="network file")
    parser.add_argument(
        "--hidden", type=int, choices=WIDTHS, default=128, help="neurons for each side"
    )
    parser.add_argument("--kings", choices=tuple(KING_BUCKETS), default="files")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--rate", type=float, default=0.002, help="initial learning rate")
    parser.add_argument(
        "--weight-decay",
        type=float,
        default=0.0,
        help="weight decay of the feature weights at a learning rate of 1",
    )
    parser.add_argument(
        "--lambda",
        dest="result_share",
        type=float,
        default=0.0,
        help="share of the game's result in the target; the rest is the search's score",
    )
    parser.add_argument("--start", type=Path, help="initial network or checkpoint")
    parser.add_argument(
        "--keep", type=share, default=0.0, help="share of the initial weights in the written ones"
    )
    parser.add_argument(
        "--mirror",
        action="store_true",
        help="mirror each side's view at random while its king is on file e",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--resume", action="store_true", help="continue after the last complete epoch"
    )
    options = parser.parse_args()
    if options.keep and options.start is None:
        parser.error("--keep needs --start")
    return options


def training_facts(options: argparse.Namespace, trainer: Trainer, error: float) -> dict[str, Any]:
    """Describe the training for the header of the file; paths are reduced to file names."""
    arguments = [Path(argument).name for argument in sys.argv[1:]]
    return {
        "command": shlex.join(["python", "-m", "train.train_network", *arguments]),
        "data": [describe_file(path) for path in options.samples],
        "date": date.today().isoformat(),
        "epochs": len(trainer.losses),
        "lambda": options.result_share,
        "positions": len(trainer.sets["training"]),
        "seed": options.seed,
        "torch": torch.__version__,
        "validation_loss": round(error, 6),
        "width": WIDTH,
    }


def main() -> None:
    """Read the samples, train, validate, and write the network."""
    options = parse_options()
    try:
        training, held = split([read_records(path) for path in options.samples], options.seed)
    except (OSError, ValueError) as failure:
        sys.exit(f"train_network: {failure}")
    sets = (positions(chosen, options.kings) for chosen in (training, held))
    trainer = Trainer(options, *sets)
    print(f"{len(training)} positions for training, {len(held)} for validation")
    checkpoint = options.output.with_suffix(".checkpoint")
    if options.start is not None:
        trainer.start_from(options.start)
    if options.resume and checkpoint.exists():
        trainer.load(checkpoint)
    while len(trainer.losses) < options.epochs:
        started = time.monotonic()
        trainer.run_epoch()
        trainer.save(checkpoint)
        now = trainer.losses[-1]
        print(
            f"epoch {len(trainer.losses)}: training {now['training']:.6f} "
            f"validation {now['validation']:.6f}, {time.monotonic() - started:.0f} s",
            flush=True,
        )
    if options.keep:
        trainer.keep_of_start(options.keep)
    network = trainer.model.quantised()
    chosen = trainer.sets["validation"]
    found = error(network.values(chosen.indices, chosen.buckets), trainer.targets["validation"])
    shipped = error(static_values(held, DEFAULT), trainer.targets["validation"])
    print(f"validation: quantised {found:.6f}, the network of the package {shipped:.6f}")
    facts = training_facts(options, trainer, found)
    options.output.write_bytes(pack_network(network.payload(), trainer.model.shape, facts))
    plot_losses(trainer.losses, options.output.with_suffix(".png"))


if __name__ == "__main__":
    main()
