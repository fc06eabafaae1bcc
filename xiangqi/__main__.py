"""The command ``xiangqi``, also as ``python -m xiangqi``."""

from xiangqi.cli.base import configure_output
from xiangqi.cli.main import main as commands
from xiangqi.ground.exits import run_program

__all__ = ["main"]


def main() -> None:
    """Run the command given by the arguments."""
    configure_output()
    run_program("xiangqi", lambda: commands(prog_name="xiangqi"))


if __name__ == "__main__":
    main()
