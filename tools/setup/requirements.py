"""Packages from the Python Package Index, and the message when they cannot be fetched."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from tools.setup.processes import environment, run_quietly
from tools.setup.virtual_environment import BUILD, is_done, require_own

MEGABYTES = {
    "": 12,
    "api": 15,
    "arrays": 30,
    "bench": 60,
    "cluster": 20,
    "docs": 20,
    "elo": 65,
    "mcp": 25,
    "parquet": 65,
    "release": 115,
    "site": 105,
    "test": 300,
    "train": 350,
}
"""Size of the download for each extra, at most, and without one."""
CPU_TORCH = "https://download.pytorch.org/whl/cpu"
"""Index of PyTorch for the CPU; PyPI's for Linux comes with 6.5 GB of CUDA."""


def fetch_extras(python: Path, extras: Sequence[str], fetched: Path) -> None:
    """Fetch the requirements of extras, unless that was done since the others were fetched."""
    for extra in extras:
        stamp = python.parents[1] / f"fetched-for-{extra}"
        if not is_done(stamp, [fetched]):
            fetch(python, extra, stamp)


def fetch(python: Path, extra: str, stamp: Path) -> None:
    """Install the requirements in pyproject.toml, including those of an extra; touch the stamp.

    Without the network, end with a message of three lines; after other failures with pip's own.
    Unless bytecode is disabled, pip does not compile the packages: Python does that on import, and
    compiling all would take longer than fetching them.
    """
    require_own(python.parents[1], BUILD)
    listed = subprocess.run(
        [str(python), "dev.py", "needs", *([extra] if extra else [])],
        stdout=subprocess.PIPE,
        env=environment(),
        check=False,
    )
    if listed.returncode:
        sys.exit(listed.returncode)
    what = f"the requirements of the extra {extra}" if extra else "Meihua's requirements"
    print(f"Fetching {what}, at most {MEGABYTES[extra]} MB ...", flush=True)
    BUILD.mkdir(exist_ok=True)
    needs, log = BUILD / "needs.txt", BUILD / "fetch.log"
    needs.write_bytes(listed.stdout)
    options = ["--quiet", "--disable-pip-version-check", "--requirement", needs]
    if not sys.dont_write_bytecode:
        options.append("--no-compile")
    if extra == "train":
        options += ["--extra-index-url", CPU_TORCH]
    if not run_quietly(log, python, "-m", "pip", "install", *options, doing="fetching"):
        sys.exit(explain_failure(log))
    stamp.touch()


def explain_failure(log: Path, system: str = os.name) -> str:
    """Message for a failure of pip: its log, or the obstacle if it did not reach the network."""
    output = log.read_text(encoding="utf-8", errors="replace")
    signs = "No matching distribution found|ConnectionPool|Connection broken|TLS .*invalid path"
    if not re.search(signs, output):
        return output
    obstacles = find_obstacles(os.environ)
    if obstacles:
        return (
            f"\nCould not fetch the requirements: {'; '.join(obstacles)}."
            f"\n(The output of pip is in {log.as_posix()}.)"
        )
    found = re.search("^ERROR: No matching distribution found for (.*)", output, re.MULTILINE)
    package = found.group(1).strip() if found else "the requirements"
    mirror = "set PIP_INDEX_URL to a mirror"
    if system != "nt":
        mirror = "use a mirror: PIP_INDEX_URL=https://HOST/simple make verify"
    return (
        f"\nCould not fetch {package}. The first run needs the network, to install packages from"
        f"\nthe Python Package Index. If that is not reachable, {mirror}"
        f"\n(The output of pip is in {log.as_posix()}.)"
    )


CERTIFICATES = ("PIP_CERT", "PIP_CLIENT_CERT", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
"""Variables that name files of certificates."""
PROXIES = ("PIP_PROXY", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
"""Variables that name a proxy."""


def find_obstacles(variables: Mapping[str, str]) -> list[str]:
    """List certificates that do not exist and proxies that do not answer, by their variables."""
    obstacles = []
    for name in CERTIFICATES:
        path = variables.get(name)
        if path and not os.path.exists(path):
            obstacles.append(f"{name} names {path!r}, which does not exist")
    for name in PROXIES:
        url = variables.get(name)
        if url:
            parts = urlsplit(url if "://" in url else f"//{url}")
            place = parts.hostname or "", parts.port or 80
            try:
                socket.create_connection(place, timeout=5).close()
            except OSError as error:
                at = "{}:{}".format(*place)
                obstacles.append(f"{name} names the proxy {at!r}, which does not answer ({error})")
    return obstacles
