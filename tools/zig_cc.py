"""zig's C compiler in the place of this machine's: what setuptools is given as CC.

    python tools/zig_cc.py WORK TARGET [OPTION]...

What setuptools knows of this machine and would be wrong on the other one is left out.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from tools.targets import TARGETS, Target, link_command, zig_command

__all__ = ["fitting"]


def fitting(options: list[str], target: Target) -> list[str]:
    """The options that mean the same on the target."""
    foreign = {"-g", f"-I{sysconfig.get_path('include')}", f"-I{sysconfig.get_path('platinclude')}"}
    if target.name.startswith("windows"):
        foreign.add("-fPIC")  # all code is so there
    return [option for option in options if option not in foreign]


def command_for(options: list[str], target: Target, work: Path) -> list[str]:
    """What compiles or links as setuptools asks for it."""
    if not target.link and "-c" not in options:
        objects = [option for option in options if option.endswith(".o")]
        return link_command(objects, options[options.index("-o") + 1])
    return [*zig_command(target, work), *fitting(options, target)]


if __name__ == "__main__":
    sys.exit(subprocess.call(command_for(sys.argv[3:], TARGETS[sys.argv[2]], Path(sys.argv[1]))))
