"""Builds and tries the folder with both programs that needs no Python.

    python dev.py bundle                              # dist/meihua-NAME.tar.xz, or .zip on Windows

The package is built and installed into its own virtual environment, so that the folder has the same
files as an installation. The programs are then tried in the folder and in a copy whose path has
blanks and Chinese characters, also without environment variables.
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
MAX_BYTES: Final = {"xztar": 11_000_000, "zip": 17_000_000}
"""Maximum size of the archive, to notice unwanted files. Usual are 9.5 million bytes as .tar.xz and
14 million as .zip."""
OPTIONAL: Final = {
    ("--scheduler", "tcp://127.0.0.1:1"): "Dask: pip install '.[cluster]' in a checkout",
    ("-o", "rulings.parquet"): "pyarrow: pip install '.[parquet]' in a checkout",
}
"""Options that need packages which are not in the folder, and their error messages."""


def run(*command: object, cwd: Path = ROOT) -> None:
    """Run a command; raises CalledProcessError if it fails."""
    subprocess.run([str(word) for word in command], cwd=cwd, check=True)


def build_folder(work: Path) -> Path:
    """Build the folder in a virtual environment with the installed package."""
    for folder in (work, *ROOT.glob("build/lib.*")):  # files of earlier builds would be included
        shutil.rmtree(folder, ignore_errors=True)
    venv.create(work / "venv", with_pip=True)
    python = work / "venv" / PYTHON
    options = ("--quiet", "--disable-pip-version-check")
    run(python, "-m", "pip", "install", *options, ROOT, "pyinstaller>=6.10")
    folders = ("--distpath", work, "--workpath", work / "work")
    command = ("-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", *folders)
    run(python, *command, ROOT / "packaging/meihua.spec", cwd=work)
    return work / "meihua"


def try_folder(folder: Path) -> None:
    """Try both programs; without environment variables, play a game and try missing packages."""
    run(WORK / "venv" / PYTHON, ROOT / "tools/try_installed.py", folder)
    words = "-each depth=2 -rounds 1 -maxmoves 10".split()
    done = _run_alone(folder, "match", *_engine_words(folder), *words)
    if done.returncode or PLAYED not in done.stdout:
        sys.exit(f"no game was played in {folder}:\n{done.stdout}{done.stderr}")
    print(f"{PLAYED}: in {folder}, without variables")
    for option, expected in OPTIONAL.items():
        done = _run_alone(folder, "judge", ROOT / "examples/games.pgn", "-o", "x.jsonl", *option)
        if not done.returncode or expected not in done.stderr:
            sys.exit(f"{option}: {expected!r} is not in the output:\n{done.stderr}")


def _run_alone(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run ``xiangqi`` with no environment variables but the one that Windows requires."""
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
    """CPU time of the program from its start to its end after a handshake; 0 except on POSIX."""
    before = os.times()
    subprocess.run([program], input=b"uci\nquit\n", stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def main() -> None:
    """Build, try and pack the folder."""
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
    if packed.stat().st_size > MAX_BYTES[kind]:
        sys.exit(f"at most {MAX_BYTES[kind]:,} bytes were expected")


if __name__ == "__main__":
    main()
