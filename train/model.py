"""The network as it learns: floating-point weights in PyTorch."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from train.quantise import (
    BUCKETS,
    HIDDEN_UNIT,
    MAX_WEIGHT,
    OUTPUT_UNIT,
    QuantisedNetwork,
    quantise,
)
from xiangqi.core.network import KING_BUCKETS, architecture
from xiangqi.engine.network import Shape

FIRST_WEIGHTS: Final = 0.05
"""Standard deviation."""
FIRST_BIAS: Final = 0.2
OF_FEATURES: Final = ("shared", "own")
"""The parameters with a row for each feature."""


class SumOfRows(torch.autograd.Function):
    """Rows of a matrix summed for each list of indices.

    ``torch.nn.functional.embedding_bag`` forwards and, on the lists turned round, backwards: five
    times quicker on a processor than its own derivative.
    """

    @staticmethod
    def forward(context: Any, weights: Tensor, rows: Tensor, starts: Tensor) -> Tensor:
        """The sums of ``rows`` of ``weights``, whose lists begin at ``starts``."""
        context.save_for_backward(rows, starts)
        context.features = len(weights)
        return bag(rows, weights, starts)

    @staticmethod
    def backward(context: Any, slope: Tensor) -> tuple[Tensor, None, None]:
        """The derivative by the weights, from that by the sums."""
        rows, starts = context.saved_tensors
        order = torch.argsort(rows.to(torch.int16), stable=True)
        lists = torch.arange(len(starts) - 1, dtype=torch.int32, device=rows.device)
        lists = torch.repeat_interleave(lists, starts.diff())[order]
        starts = first_places(torch.bincount(rows, minlength=context.features))
        return bag(lists, slope, starts), None, None


def bag(rows: Tensor, weights: Tensor, starts: Tensor) -> Tensor:
    """The sums of rows; a list begins at each start, and the last one is where all end."""
    return torch.nn.functional.embedding_bag(
        rows, weights, starts, mode="sum", include_last_offset=True
    )


def first_places(sizes: Tensor) -> Tensor:
    """Offsets of lists of these sizes, and the end of the last one."""
    return torch.nn.functional.pad(sizes.cumsum(0), (1, 0)).to(torch.int32)


def rounded(weights: Tensor, unit: int) -> Tensor:
    """Weights as the integers will have them; their derivative passes as if they were not rounded.

    The straight-through estimator (https://arxiv.org/abs/1308.3432).
    """
    return weights + ((weights * unit).round() / unit - weights).detach()


def parameters_of(network: QuantisedNetwork, king_buckets: int) -> dict[str, Tensor]:
    """The weights of a network as :meth:`Model.start_from` takes them: what it has learned.

    What the king buckets share is their mean.
    """

    def floats(integers: npt.NDArray[Any], unit: int) -> Tensor:
        return torch.from_numpy(integers.astype(np.float32)) / unit

    weights = floats(network.feature_weights, HIDDEN_UNIT)
    shared = weights.view(king_buckets, -1, weights.shape[1]).mean(dim=0)
    return {
        "shared": shared,
        "own": weights - shared.repeat(king_buckets, 1),
        "biases": floats(network.biases, HIDDEN_UNIT),
        "output_weights": floats(network.output_weights, OUTPUT_UNIT).view(BUCKETS, -1),
        "output_biases": floats(network.output_biases, HIDDEN_UNIT * OUTPUT_UNIT),
    }


class Model:
    """The weights that are learned.

    All king buckets share weights, to which each adds its own: what is known of a piece on a
    square is learned from all positions. In the file they are added up.
    """

    def __init__(self, shape: Shape, seed: int, device: torch.device) -> None:
        random = torch.Generator().manual_seed(seed)
        self.shape = shape
        self.king_buckets = KING_BUCKETS[shape.kings]
        features = int(architecture(*shape)["inputs"])

        def normal(*sizes: int) -> Tensor:
            return (torch.randn(*sizes, generator=random) * FIRST_WEIGHTS).to(device)

        self.parameters = {
            "shared": normal(features // self.king_buckets, shape.hidden),
            "own": torch.zeros(features, shape.hidden, device=device),
            "biases": torch.full((shape.hidden,), FIRST_BIAS, device=device),
            "output_weights": normal(BUCKETS, 2 * shape.hidden),
            "output_biases": torch.zeros(BUCKETS, device=device),
        }
        for parameter in self.parameters.values():
            parameter.requires_grad_()

    def start_from(self, learned: dict[str, Tensor]) -> None:
        """Take the weights of a model that may have fewer neurons and king buckets.

        It then says what that one said: its neurons come first, the outputs of the others are 0,
        and buckets that were one begin with the same weights. The king's file decides in all.
        """
        known = len(learned["biases"])
        with torch.no_grad():
            repeated = len(self.parameters["own"]) // len(learned["own"])
            parts = {**learned, "own": learned["own"].repeat(repeated, 1)}
            for name in (*OF_FEATURES, "biases"):
                self.parameters[name][..., :known].copy_(parts[name])
            outputs = self.parameters["output_weights"].view(BUCKETS, 2, -1)
            outputs.zero_()
            outputs[..., :known].copy_(parts["output_weights"].view(BUCKETS, 2, -1))
            self.parameters["output_biases"].copy_(parts["output_biases"])

    def feature_weights(self) -> Tensor:
        """Feature weights, as in the file."""
        summed = self.parameters["shared"].repeat(self.king_buckets, 1) + self.parameters["own"]
        return rounded(summed, HIDDEN_UNIT)

    def __call__(self, rows: Tensor, starts: Tensor, buckets: Tensor) -> Tensor:
        """The outputs for positions, 1.0 being SCALE centipawns of the side to move.

        ``rows`` are the features of one list after another, two lists to a position, ``starts``
        where they begin.
        """
        sums = SumOfRows.apply(self.feature_weights(), rows, starts) + self.parameters["biases"]
        active = sums.clamp(0, 1).square().view(len(buckets), -1)
        weights = rounded(self.parameters["output_weights"], OUTPUT_UNIT)
        outputs = active @ weights.T + self.parameters["output_biases"]
        return outputs.gather(1, buckets[:, None]).squeeze(1)

    def clip(self) -> None:
        """Keep all weights within what the integers can hold."""
        limits = {"shared": MAX_WEIGHT / 2, "own": MAX_WEIGHT / 2, "biases": MAX_WEIGHT}
        with torch.no_grad():
            for name, most in {**limits, "output_weights": MAX_WEIGHT}.items():
                self.parameters[name].clamp_(-most, most)

    def quantised(self) -> QuantisedNetwork:
        """The same as integers."""
        learned = {name: values.detach().cpu() for name, values in self.parameters.items()}
        return quantise(
            self.feature_weights().detach().cpu().numpy(),
            learned["biases"].numpy(),
            learned["output_weights"].view(BUCKETS, 2, -1).numpy(),
            learned["output_biases"].numpy(),
        )
