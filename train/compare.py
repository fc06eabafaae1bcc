"""Compares static evaluations of networks with the scores of samples.

    python -m train.compare held.samples new.nnue meihua.nnue
    python -m train.compare held.samples --also second.samples meihua.nnue new.nnue

Prints the mean squared error of each network's expected points and its ratio to that of the first
network, with a 95 % bootstrap interval (percentile method, B. Efron, 1979).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from train.expected_points import expected_points, squared_errors, static_values
from train.game_files import SampleError
from train.samples import read_records
from xiangqi.ground.errors import NetworkError

RESAMPLES: Final = 2_000
BATCH: Final = 100
"""Number of resamples in memory at a time."""

Errors = npt.NDArray[np.float32]


def ratio(errors: Errors, first: Errors, axis: int = -1) -> Any:
    """Ratio of the mean error to that of the first network."""
    return errors.mean(axis=axis) / first.mean(axis=axis)


def interval(errors: Errors, first: Errors) -> tuple[float, float]:
    """95 % interval of :func:`ratio` over resamples of the positions."""
    from scipy.stats import bootstrap  # takes a second to load

    drawn = bootstrap(
        (errors, first),
        ratio,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=RESAMPLES,
        batch=BATCH,
        rng=np.random.default_rng(1),
    )
    return float(drawn.confidence_interval.low), float(drawn.confidence_interval.high)


def parse_options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Compare evaluations by their errors on samples.")
    parser.add_argument(
        "samples", type=Path, help="file of samples, for example from train.held_out"
    )
    parser.add_argument(
        "--also",
        type=Path,
        action="append",
        default=[],
        help="further file of samples, counted together with the first",
    )
    parser.add_argument("networks", nargs="+", help="network files, or 'meihua.nnue'")
    return parser.parse_args()


def main() -> None:
    """Read the samples, evaluate them with each network, and print the errors."""
    options = parse_options()
    try:
        files = [options.samples, *options.also]
        records = np.concatenate([read_records(path) for path in files])
        errors = [
            squared_errors(static_values(records, network), expected_points(records["score"]))
            for network in options.networks
        ]
    except (OSError, NetworkError, SampleError) as error:
        sys.exit(f"compare: {error}")
    print(f"{len(records)} positions")
    for network, found in zip(options.networks, errors, strict=True):
        line = f"{network}: {found.mean():.6f}, {ratio(found, errors[0]):.3f}"
        if found is not errors[0] and len(records) > 1:
            line += " [{:.3f}, {:.3f}]".format(*interval(found, errors[0]))
        print(line)


if __name__ == "__main__":
    main()
