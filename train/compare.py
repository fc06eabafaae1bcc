"""Tells how far the static evaluations of networks are from the scores of samples.

    python -m train.compare held.samples new.nnue meihua.nnue hand-made

The mean squared difference of the points that they promise, and how large it is beside that of
the first network named.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from train.promises import error, promise, static_values
from train.samples import read_records
from xiangqi.errors import NetworkError, SampleError


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Compare networks by their errors.")
    parser.add_argument("samples", type=Path, help="a file of samples, of train.held_out for one")
    parser.add_argument("networks", nargs="+", help="files, 'meihua.nnue' or 'hand-made'")
    return parser.parse_args()


def main() -> None:
    """Read, evaluate, compare."""
    options = parse_options()
    try:
        records = read_records(options.samples)
        errors = [
            error(static_values(records, network), promise(records["score"]))
            for network in options.networks
        ]
    except (OSError, NetworkError, SampleError) as refused:
        sys.exit(f"compare: {refused}")
    print(f"{len(records)} positions")
    for network, found in zip(options.networks, errors, strict=True):
        print(f"{network}: {found:.6f}, {found / errors[0]:.3f}")


if __name__ == "__main__":
    main()
