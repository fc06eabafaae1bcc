"""The command ``xiangqi``, also as ``python -m xiangqi``."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command that the arguments name.

    ``engine`` goes without the others, because a GUI waits for its answer.
    """
    if sys.argv[1:2] == ["engine"]:
        from xiangqi.cli.engine import engine

        engine(sys.argv[2:], prog_name="xiangqi engine")
    else:
        from xiangqi.cli.main import main as choose

        choose(prog_name="xiangqi")


if __name__ == "__main__":
    main()
