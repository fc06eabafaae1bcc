"""Builds the folder with both programs that needs no Python, and plays through it.

    python dev.py bundle                              # dist/meihua-NAME.tar.xz, or .zip on Windows

The package is built and installed into an environment of its own, so that what is in the folder is
what users install. The programs are then tried where they stand, from a path with blanks and
Chinese, and in an environment that has no variables at all.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import Final

__all__ = ["build_folder", "try_folder"]

ROOT: Final = Path(__file__).parents[1]
WORK: Final = ROOT / "build" / "bundle"
END: Final = ".exe" if os.name == "nt" else ""
PYTHON: Final = "Scripts/python.exe" if os.name == "nt" else "bin/python"
PLAYED: Final = "Finished game 1"
LARGEST: Final = {"xztar": 11_000_000, "zip": 17_000_000}
"""Bytes of what users fetch; more means that something is in it which should not be. It has 9.5
million as .tar.xz, and 14 as .zip."""
OPTIONAL: Final = {
    ("--scheduler", "tcp://127.0.0.1:1"): "Dask: pip install '.[cluster]' in a checkout",
    ("-o", "rulings.parquet"): "pyarrow: pip install '.[parquet]' in a checkout",
}
"""Options that need packages which the folder lacks, and the message of each."""


def run(*command: object, cwd: Path = ROOT) -> None:
    """Run a command, which ends this program if it fails."""
    subprocess.run([str(word) for word in command], cwd=cwd, check=True)


def build_folder(work: Path) -> Path:
    """The folder, built in an environment that has the package as it is installed."""
    for left in (work, *ROOT.glob("build/lib.*")):  # what was built before would be in it as well
        shutil.rmtree(left, ignore_errors=True)
    venv.create(work / "venv", with_pip=True)
    python = work / "venv" / PYTHON
    run(
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        ROOT,
        "pyinstaller>=6.10",
    )
    options = (
        "--noconfirm",
        "--log-level",
        "WARN",
        "--distpath",
        work,
        "--workpath",
        work / "work",
    )
    run(python, "-m", "PyInstaller", *options, ROOT / "packaging/meihua.spec", cwd=work)
    return work / "meihua"


def try_folder(folder: Path) -> None:
    """Try both programs, and play a game between two of them with no variable set."""
    run(WORK / "venv" / PYTHON, ROOT / "tools/try_installed.py", folder)
    words = "-each depth=2 -rounds 1 -maxmoves 10".split()
    done = _run_alone(folder, "match", *_engine_words(folder), *words)
    if done.returncode or PLAYED not in done.stdout:
        sys.exit(f"no game was played in {folder}:\n{done.stdout}{done.stderr}")
    print(f"{PLAYED}: in {folder}, without variables")
    for asked, expected in OPTIONAL.items():
        done = _run_alone(folder, "judge", ROOT / "examples/games.pgn", "-o", "x.jsonl", *asked)
        if not done.returncode or expected not in done.stderr:
            sys.exit(f"{asked}: {expected!r} is not in what it says:\n{done.stderr}")


def _run_alone(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run ``xiangqi`` with no variable set but what Windows cannot do without."""
    return subprocess.run(
        [str(folder / f"xiangqi{END}"), *map(str, words)],
        cwd=folder.parent,
        env={name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def _engine_words(folder: Path) -> list[str]:
    program = f"cmd={folder / f'meihua{END}'}"
    return [word for name in ("one", "two") for word in ("-engine", program, f"name={name}")]


def cpu_seconds(program: Path) -> float:
    """CPU time of the program for a handshake, from its start to its end; POSIX counts it."""
    before = os.times()
    subprocess.run([program], input=b"uci\nquit\n", stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def main() -> None:
    """Build, try, pack."""
    parser = argparse.ArgumentParser(description="Build the folder that needs no Python.")
    parser.add_argument("--name", default=f"{sys.platform}-{platform.machine().lower()}")
    options = parser.parse_args()
    folder = build_folder(WORK)
    try_folder(folder)
    moved = WORK / "a path with 空格 and 中文" / "meihua"
    shutil.copytree(folder, moved, symlinks=True)
    try_folder(moved)
    print(
        f"uci to quit: {min(cpu_seconds(folder / f'meihua{END}') for _ in range(5)):.2f} s of CPU"
    )
    output = ROOT / "dist" / f"meihua-{options.name}"
    output.parent.mkdir(exist_ok=True)
    kind = "zip" if os.name == "nt" else "xztar"
    began = time.perf_counter()
    packed = Path(shutil.make_archive(str(output), kind, folder.parent, folder.name))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{packed.name}: {packed.stat().st_size:,} bytes of {size:,}, "
          f"packed in {time.perf_counter() - began:.0f} s")  # fmt: skip
    if packed.stat().st_size > LARGEST[kind]:
        sys.exit(f"at most {LARGEST[kind]:,} bytes were expected")


if __name__ == "__main__":
    main()
