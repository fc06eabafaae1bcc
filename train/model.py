"""The network in training: floating-point weights in PyTorch."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from train.quantise import BUCKETS, HIDDEN_UNIT, MAX_WEIGHT, OUTPUT_UNIT, QuantisedNetwork, quantise
from xiangqi.core.network import KING_BUCKETS, architecture
from xiangqi.engine.network import Shape

INITIAL_DEVIATION: Final = 0.05
"""Standard deviation of the initial weights."""
INITIAL_BIAS: Final = 0.2
BY_FEATURE: Final = ("shared", "own")
"""Parameters with a row for each feature."""


class SumOfRows(torch.autograd.Function):
    """Sum of the rows of a matrix for each list of row indices.

    Both passes use ``torch.nn.functional.embedding_bag``, the backward one on the inverted lists:
    on a CPU five times faster than its own derivative.
    """

    @staticmethod
    def forward(context: Any, weights: Tensor, rows: Tensor, starts: Tensor) -> Tensor:
        """Sum ``rows`` of ``weights``; the lists begin at ``starts``."""
        context.save_for_backward(rows, starts)
        context.features = len(weights)
        return bag(rows, weights, starts)

    @staticmethod
    def backward(context: Any, slope: Tensor) -> tuple[Tensor, None, None]:
        """Derivative by the weights, from the derivative by the sums."""
        rows, starts = context.saved_tensors
        order = torch.argsort(rows.to(torch.int16), stable=True)
        lists = torch.arange(len(starts) - 1, dtype=torch.int32, device=rows.device)
        lists = torch.repeat_interleave(lists, starts.diff())[order]
        starts = offsets_of(torch.bincount(rows, minlength=context.features))
        return bag(lists, slope, starts), None, None


def bag(rows: Tensor, weights: Tensor, starts: Tensor) -> Tensor:
    """Sum rows of each list; ``starts`` are the offsets of the lists, and the end of the last."""
    return torch.nn.functional.embedding_bag(
        rows, weights, starts, mode="sum", include_last_offset=True
    )


def offsets_of(sizes: Tensor) -> Tensor:
    """Offsets of lists of these sizes, and the end of the last one."""
    return torch.nn.functional.pad(sizes.cumsum(0), (1, 0)).to(torch.int32)


def rounded(weights: Tensor, unit: int) -> Tensor:
    """Round weights to multiples of 1/unit, ignoring the rounding in the derivative.

    This is the straight-through estimator (https://arxiv.org/abs/1308.3432).
    """
    return weights + ((weights * unit).round() / unit - weights).detach()


def parameters_of(network: QuantisedNetwork, king_buckets: int) -> dict[str, Tensor]:
    """Weights of a network file, for :meth:`Model.start_from`.

    The mean over the king buckets becomes the shared part.
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
    """Trainable parameters of a network.

    The weights of a king bucket are the sum of shared weights, which are learned from all
    positions, and its own. The file contains the sums.
    """

    def __init__(self, shape: Shape, seed: int, device: torch.device) -> None:
        random = torch.Generator().manual_seed(seed)
        self.shape = shape
        self.king_buckets = KING_BUCKETS[shape.kings]
        features = int(architecture(*shape)["inputs"])

        def normal(*sizes: int) -> Tensor:
            return (torch.randn(*sizes, generator=random) * INITIAL_DEVIATION).to(device)

        self.parameters = {
            "shared": normal(features // self.king_buckets, shape.hidden),
            "own": torch.zeros(features, shape.hidden, device=device),
            "biases": torch.full((shape.hidden,), INITIAL_BIAS, device=device),
            "output_weights": normal(BUCKETS, 2 * shape.hidden),
            "output_biases": torch.zeros(BUCKETS, device=device),
        }
        for parameter in self.parameters.values():
            parameter.requires_grad_()

    def start_from(self, learned: dict[str, Tensor]) -> None:
        """Copy the weights of a model that may have fewer neurons and king buckets.

        The outputs of the models are equal: additional neurons have output weights of 0, and
        buckets that divide a former one copy its weights.
        """
        known = len(learned["biases"])
        with torch.no_grad():
            repeated = len(self.parameters["own"]) // len(learned["own"])
            parts = {**learned, "own": learned["own"].repeat(repeated, 1)}
            for name in (*BY_FEATURE, "biases"):
                self.parameters[name][..., :known].copy_(parts[name])
            outputs = self.parameters["output_weights"].view(BUCKETS, 2, -1)
            outputs.zero_()
            outputs[..., :known].copy_(parts["output_weights"].view(BUCKETS, 2, -1))
            self.parameters["output_biases"].copy_(parts["output_biases"])

    def feature_weights(self) -> Tensor:
        """Weights of the features, as in the file."""
        summed = self.parameters["shared"].repeat(self.king_buckets, 1) + self.parameters["own"]
        return rounded(summed, HIDDEN_UNIT)

    def __call__(self, rows: Tensor, starts: Tensor, buckets: Tensor) -> Tensor:
        """Outputs for positions; 1.0 is SCALE centipawns of the side to move.

        ``rows`` are concatenated lists of features, two for each position, which begin at
        ``starts``.
        """
        sums = SumOfRows.apply(self.feature_weights(), rows, starts) + self.parameters["biases"]
        active = sums.clamp(0, 1).square().view(len(buckets), -1)
        weights = rounded(self.parameters["output_weights"], OUTPUT_UNIT)
        outputs = active @ weights.T + self.parameters["output_biases"]
        return outputs.gather(1, buckets[:, None]).squeeze(1)

    def clip(self) -> None:
        """Limit all weights to the range of the integers."""
        limits = {
            "shared": MAX_WEIGHT / 2,
            "own": MAX_WEIGHT / 2,
            "biases": MAX_WEIGHT,
            "output_weights": MAX_WEIGHT,
        }
        with torch.no_grad():
            for name, limit in limits.items():
                self.parameters[name].clamp_(-limit, limit)

    def quantised(self) -> QuantisedNetwork:
        """Round the model to the integers of a network file."""
        learned = {name: values.detach().cpu() for name, values in self.parameters.items()}
        return quantise(
            self.feature_weights().detach().cpu().numpy(),
            learned["biases"].numpy(),
            learned["output_weights"].view(BUCKETS, 2, -1).numpy(),
            learned["output_biases"].numpy(),
        )
