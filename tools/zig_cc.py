"""zig's C compiler as a replacement of this machine's, for setuptools' variable CC.

    python tools/zig_cc.py WORK TARGET [OPTION]...

Python's build configuration adds options of this machine, such as Debian's stack protector; only
options that mean the same on every target are passed on.
"""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from tools.targets import TARGETS, Target, link_command, zig_command

__all__ = ["fitting"]


_KEPT: Final = re.compile(
    r"-(c|o|s|shared|undefined|O[0-3s]|D(?!_FORTIFY_SOURCE)\S+|I.+|std=\S+|fPIC|fwrapv)"
)
"""Options that mean the same on every target."""


def fitting(options: list[str], target: Target) -> list[str]:
    """Options that fit the target: files, and options in :data:`_KEPT` other than this machine's
    header folders."""
    foreign = {f"-I{sysconfig.get_path('include')}", f"-I{sysconfig.get_path('platinclude')}"}
    if target.name.startswith("windows"):
        foreign.add("-fPIC")  # all code is position-independent there
    return [
        option
        for option in options
        if option not in foreign and (not option.startswith("-") or _KEPT.fullmatch(option))
    ]


def command_for(options: list[str], target: Target, work: Path) -> list[str]:
    """Command that compiles or links for the target, given the options from setuptools."""
    if not target.link and "-c" not in options:
        objects = [option for option in options if option.endswith(".o")]
        return link_command(objects, options[options.index("-o") + 1])
    return [*zig_command(target, work), *fitting(options, target)]


if __name__ == "__main__":
    sys.exit(subprocess.call(command_for(sys.argv[3:], TARGETS[sys.argv[2]], Path(sys.argv[1]))))
