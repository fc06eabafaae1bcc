"""Trains a network on samples of self-play and writes the file that the engine reads.

    python -m train.train_network first.samples second.samples -o new.nnue

The network is an efficiently updatable one (Yu Nasu, 2018;
https://www.chessprogramming.org/NNUE): for each side the sum of the weights of its features, the
squares of the clipped sums, and of these one output for each number of pieces. See
train/README.md.
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

from train.model import OF_FEATURES, Model, first_places, parameters_of
from train.options import share
from train.promises import WIDTH, error, promise, static_values
from train.quantise import SCALE, QuantisedNetwork
from train.samples import (
    Positions,
    describe_file,
    positions,
    read_records,
    seen_in_mirror,
    split,
)
from xiangqi.core.network import KING_BUCKETS, WIDTHS
from xiangqi.engine.network import HAND_MADE, Shape, pack_network, unpack_payload
from xiangqi.errors import SampleError

# Learning


def targets(chosen: Positions, result_share: float) -> npt.NDArray[np.float32]:
    """Training target of a position: the search's score, and by so much the game's result."""
    mixed = (1 - result_share) * promise(chosen.scores) + result_share * chosen.points
    return mixed.astype(np.float32)


class Trainer:
    """Adam on mini-batches (https://arxiv.org/abs/1412.6980), the step size falling to nothing.

    Weights of features may decay towards 0 beside that (https://arxiv.org/abs/1711.05101): those of
    a man seldom seen on a square are otherwise free to memorise single games. For the same end
    a side whose king is on file e may see the board in a mirror, at random: left and right are
    alike, though the engine shows a network only one of the two views.
    """

    def __init__(self, options: argparse.Namespace, training: Positions, held: Positions) -> None:
        self.options = options
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        shape = Shape(options.hidden, options.kings)
        self.model = Model(shape, options.seed, self.device)
        self.optimiser = torch.optim.AdamW(
            [
                {"params": [values], "weight_decay": options.weight_decay * (name in OF_FEATURES)}
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
        """The weights that it began with, if a file was named."""
        self.mirror = torch.from_numpy(seen_in_mirror(shape))
        self.losses: list[dict[str, float]] = []
        """Losses of each epoch."""

    def _batch(
        self, name: str, chosen: npt.NDArray[np.int64], coins: npt.NDArray[np.bool_] | None
    ) -> tuple[Tensor, ...]:
        """Rows, starts, buckets and targets of some positions; a coin for each side's mirror."""
        found = self.sets[name]
        indices = torch.from_numpy(found.indices[chosen])
        if coins is not None:
            mirrored = self.mirror[indices.clamp(min=0).long()]
            turned = torch.from_numpy(coins)[:, :, None] & (indices >= 0)
            indices = torch.where(turned, mirrored, indices)
        indices = indices.to(self.device).view(-1)
        is_there = indices >= 0
        sizes = is_there.view(2 * len(chosen), -1).sum(dim=1)
        return (
            indices[is_there].to(torch.int32),
            first_places(sizes),
            torch.from_numpy(found.buckets[chosen]).to(self.device, torch.int64),
            torch.from_numpy(self.targets[name][chosen]).to(self.device),
        )

    def _loss(
        self,
        name: str,
        chosen: npt.NDArray[np.int64],
        coins: npt.NDArray[np.bool_] | None = None,
    ) -> Tensor:
        """The mean squared difference between what is promised and what should be."""
        *inputs, target = self._batch(name, chosen, coins)
        promised = torch.sigmoid(self.model(*inputs) * (SCALE / WIDTH))
        return (promised - target).square().mean()

    def _rate(self, step: int, steps: int) -> float:
        """Half a cosine: https://arxiv.org/abs/1608.03983."""
        return float(self.options.rate * (1 + math.cos(math.pi * step / steps)) / 2)

    def run_epoch(self) -> None:
        """Learn from every position once."""
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
            coins = rng.random((len(batch), 2)) < 0.5 if self.options.mirror else None
            loss = self._loss("training", batch, coins)
            loss.backward()
            self.optimiser.step()
            self.model.clip()
            total += loss.item() * len(batch)
        self.losses.append({"training": total / len(order), "validation": self.validate()})

    def validate(self) -> float:
        """The loss on the games held back."""
        places = np.arange(len(self.sets["validation"]))
        batches = np.array_split(places, max(1, len(places) // self.options.batch))
        with torch.no_grad():
            losses = [float(self._loss("validation", batch)) * len(batch) for batch in batches]
        return sum(losses) / len(places)

    def keep_of_start(self, share: float) -> None:
        """Go back by this share of the way from where :meth:`start_from` began.

        A network that has learned from new positions has forgotten some of the old ones; between
        the two it knows both best (https://arxiv.org/abs/2109.01903).
        """
        with torch.no_grad():
            for name, values in self.model.parameters.items():
                values.lerp_(self.start[name], share)

    # Going on later

    def save(self, path: Path) -> None:
        """Write all that is needed to go on."""
        state = {
            "parameters": self.model.parameters,
            "optimiser": self.optimiser.state_dict(),
            "losses": self.losses,
        }
        torch.save(state, path)

    def load(self, path: Path) -> None:
        """Go on where :meth:`save` was called."""
        state = self._read(path)
        self.model.start_from(state["parameters"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.losses = state["losses"]

    def start_from(self, path: Path) -> None:
        """Take the weights of a network file or a checkpoint, of a smaller network as well."""
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


# What came of it


def plot_losses(losses: list[dict[str, float]], path: Path) -> None:
    """Draw the curves of the losses."""
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
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Train a network on samples of self-play.")
    parser.add_argument(
        "samples", type=Path, nargs="+", help="files of train.extract or train.distil"
    )
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
        "--keep",
        type=share,
        default=0.0,
        help="share of the initial weights in the written ones",
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
        parser.error("--keep: there is no --start to keep weights of")
    return options


def training_facts(options: argparse.Namespace, trainer: Trainer, error: float) -> dict[str, Any]:
    """Facts of the training, for the file's header; of paths only the last part."""
    words = [Path(word).name for word in sys.argv[1:]]
    return {
        "command": shlex.join(["python", "-m", "train.train_network", *words]),
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
    """Read, learn, compare, write."""
    options = parse_options()
    try:
        training, held = split([read_records(path) for path in options.samples], options.seed)
    except (OSError, SampleError, ValueError) as refused:
        sys.exit(f"train_network: {refused}")
    sets = (positions(chosen, options.kings) for chosen in (training, held))
    trainer = Trainer(options, *sets)
    print(f"{len(training)} positions to learn from, {len(held)} to validate")
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
    by_hand = error(static_values(held, HAND_MADE), trainer.targets["validation"])
    print(f"validation: quantised {found:.6f}, the hand-made evaluation {by_hand:.6f}")
    facts = training_facts(options, trainer, found)
    options.output.write_bytes(pack_network(network.payload(), trainer.model.shape, facts))
    plot_losses(trainer.losses, options.output.with_suffix(".png"))


if __name__ == "__main__":
    main()
