"""A copy of the files of the set-up, and commands in it without the network."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
OFFLINE = {
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
    "PIP_EXTRA_INDEX_URL": "",
    "PIP_FIND_LINKS": "",
    "PIP_RETRIES": "0",
    "npm_config_offline": "true",
}
NETWORK = "needs the network"
"""Words of the message when the requirements cannot be fetched."""


def copy_setup(folder: Path) -> Path:
    """Files of the set-up, in a folder of their own."""
    for name in ("Makefile", "dev.py", "pyproject.toml", "setup.py"):
        shutil.copy(ROOT / name, folder)
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools/__init__.py", folder / "tools")
    shutil.copytree(
        ROOT / "tools/setup", folder / "tools/setup", ignore=shutil.ignore_patterns("__pycache__")
    )
    core = folder / "ext/xiangqi/core"
    core.mkdir(parents=True)
    (core / "attacks.pyx").touch()
    return folder


def offline(tree: Path, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=tree,
        env={**os.environ, **OFFLINE, **more},
        capture_output=True,
        text=True,
        check=False,
    )
