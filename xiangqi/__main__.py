"""``python -m xiangqi`` is the command ``xiangqi``."""

from xiangqi.cli import main

main(prog_name="xiangqi")
