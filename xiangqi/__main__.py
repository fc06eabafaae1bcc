"""The command ``xiangqi``, also as ``python -m xiangqi``."""

from xiangqi.cli.base import print_any_letter
from xiangqi.cli.main import main as choose
from xiangqi.exits import run_program

__all__ = ["main"]


def main() -> None:
    """Run the command that the arguments name."""
    print_any_letter()
    run_program("xiangqi", lambda: choose(prog_name="xiangqi"))


if __name__ == "__main__":
    main()
