"""Another package named ``xiangqi`` in one environment with Meihua's."""

from __future__ import annotations

import subprocess
import sys
from importlib import invalidate_caches
from pathlib import Path

import pytest

import meihua
import xiangqi
from xiangqi.ground.installed import find_conflicts, warn_about_conflict

ROOT = Path(__file__).parents[2]
METADATA = "Metadata-Version: 2.1\nName: xiangqi\nVersion: 1.0.5\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Folder with Meihua as installed by pip, made of links."""
    package = tmp_path / "xiangqi"
    package.mkdir()
    for path in (ROOT / "xiangqi").iterdir():
        (package / path.name).symlink_to(path)
    (tmp_path / "meihua").mkdir()
    for module in ("meihua/__init__.py", "meihua_installation.py"):
        (tmp_path / module).write_bytes((ROOT / module).read_bytes())
    return tmp_path


def install_foreign(site: Path, init: str | None) -> None:
    """Install the other package into the folder; its ``__init__.py`` replaces Meihua's."""
    (site / "xiangqi").mkdir(exist_ok=True)
    if init is not None:
        (site / "xiangqi/__init__.py").unlink(missing_ok=True)
        (site / "xiangqi/__init__.py").write_text(init)
    info = site / "xiangqi-1.0.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA)
    (info / "RECORD").write_text("xiangqi/__init__.py,,\nxiangqi/env.py,,\n")


def run_python(site: Path, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program with the folder first in the import path, and this tree not in it."""
    path = f"[{str(site)!r}, *(each for each in sys.path if each != {str(ROOT)!r})]"
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {path}; {program}", *words],
        cwd=site,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_the_other_name_offers_the_same() -> None:
    assert meihua.Board is xiangqi.Board
    assert set(xiangqi.__all__) <= set(dir(meihua))
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(meihua, "no_such_name")  # noqa: B009 - a type checker knows that there is none


def test_meihua_alone_gives_no_warning(site: Path) -> None:
    done = run_python(
        site, "from xiangqi import Board; from meihua import WXF; print(Board().ply())"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")


FOREIGN = ["Board = 1", "import no_such_module_of_theirs", "raise SystemError('any fault')"]


@pytest.mark.parametrize("init", FOREIGN)
@pytest.mark.parametrize("start", ["start_engine", "start_commands"])
def test_a_program_says_that_its_package_was_replaced(site: Path, init: str, start: str) -> None:
    install_foreign(site, init)
    done = run_python(site, f"import meihua; meihua.{start}()", "--version")
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"{'meihua' if start == 'start_engine' else 'xiangqi'}: ")
    assert f"{str(site / 'xiangqi/__init__.py')!r} is not Meihua's package" in line
    assert "pip uninstall xiangqi meihua-xiangqi; then install Meihua again" in line


@pytest.mark.parametrize("init", FOREIGN)
def test_the_other_name_never_offers_the_other_package(site: Path, init: str) -> None:
    install_foreign(site, init)
    done = run_python(site, "from meihua import Board")
    assert done.returncode == 1
    assert "ImportError: " in done.stderr
    assert "is not Meihua's package 'xiangqi'" in done.stderr.splitlines()[-1]


def test_a_package_without_its_init_is_noticed(site: Path) -> None:
    """State after ``pip uninstall xiangqi``, if the other package was installed first."""
    (site / "xiangqi/__init__.py").unlink()
    done = run_python(site, "import meihua; meihua.start_commands()", "--version")
    assert done.returncode == 1
    assert f"{str(site / 'xiangqi')!r} is not Meihua's package" in done.stderr
    assert "pip uninstall xiangqi meihua-xiangqi;" in done.stderr


def test_a_package_elsewhere_leaves_meihua_s_files_alone(site: Path, tmp_path: Path) -> None:
    before = tmp_path / "before"
    before.mkdir()
    install_foreign(before, "")
    done = run_python(before, f"sys.path.append({str(site)!r}); import meihua; meihua.Board")
    assert f"{str(before / 'xiangqi/__init__.py')!r} is not Meihua's package" in done.stderr
    assert "run: " in done.stderr
    assert "uninstall xiangqi." in done.stderr


def test_the_first_import_warns_where_meihua_replaced_the_other_one(site: Path) -> None:
    install_foreign(site, None)
    done = run_python(site, "from xiangqi import Board; Board().push_iccs('h2e2')")
    assert done.returncode == 0
    assert f"RuntimeWarning: 'xiangqi-1.0.5.dist-info' in {str(site)!r}: another" in done.stderr
    assert "pip uninstall xiangqi meihua-xiangqi;" in done.stderr


def test_packages_with_similar_names_give_no_warning(tmp_path: Path) -> None:
    for name in ("xiangqi_tools-1.0.dist-info", "xiangqi-1.0.5.txt", "meihua_xiangqi-1.dist-info"):
        (tmp_path / name).mkdir()
    warn_about_conflict(str(tmp_path))  # a warning is an error in these tests
    warn_about_conflict(str(tmp_path / "no-such-folder"))
    (tmp_path / "xiangqi-1.0.4-py3.9.egg-info").mkdir()
    with pytest.warns(RuntimeWarning, match=r"xiangqi-1\.0\.4-py3\.9\.egg-info"):
        warn_about_conflict(str(tmp_path))


def test_conflicts_are_found_by_what_is_installed_not_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    assert find_conflicts() == []
    (tmp_path / "xiangqi").mkdir()
    (tmp_path / "xiangqi/env.py").touch()  # files that are listed but missing are not always named
    for name, owned in (("one", "top_level.txt"), ("two", "RECORD"), ("three", "")):
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(METADATA.replace("xiangqi", name))
        listed = "xiangqi/env.py" if owned == "RECORD" else "other.py"
        (info / "RECORD").write_text(f"{listed},,\n")
        if owned == "top_level.txt":
            (info / owned).write_text("xiangqi\n")
    invalidate_caches()  # folder listings are cached by modification time
    assert sorted(find_conflicts()) == [("one 1.0.5", tmp_path), ("two 1.0.5", tmp_path)]


def test_the_check_of_the_engine_reports_a_conflict(site: Path) -> None:
    install_foreign(site, None)
    program = "from xiangqi.engine.check import _package_line; print(_package_line())"
    done = run_python(site, program)
    assert done.stdout.startswith('("Package: FAILED: xiangqi 1.0.5 in ')
    assert "pip uninstall xiangqi meihua-xiangqi;" in done.stdout
    assert done.stdout.endswith(", False)\n")


@pytest.fixture
def unbuilt(tmp_path: Path) -> Path:
    """Checkout without compiled modules, made of links."""
    for name in ("ext", "xiangqi/core"):
        (tmp_path / name).mkdir(parents=True)
    for path in (ROOT / "xiangqi/core").iterdir():
        if path.suffix not in (".so", ".pyd"):
            (tmp_path / "xiangqi/core" / path.name).symlink_to(path)
    for path in (ROOT / "xiangqi").iterdir():
        if path.name != "core":
            (tmp_path / "xiangqi" / path.name).symlink_to(path)
    for name in ("meihua", "meihua_installation.py", "train"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("-c", "import xiangqi"),
        ("-c", "from xiangqi.core.board import Board"),
        ("-c", "import meihua; meihua.Board"),
        ("-c", "import meihua; meihua.start_commands()"),
        ("-m", "xiangqi", "--version"),
        ("-m", "train.rounds", "--help"),
        ("-m", "train.train_network", "--help"),
    ],
    ids=" ".join,
)
def test_a_checkout_that_is_not_built_says_so(words: tuple[str, ...], unbuilt: Path) -> None:
    """Also if Meihua is installed, as here, since the folder comes first in the path."""
    done = subprocess.run(
        [sys.executable, *words], cwd=unbuilt, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert f"this checkout is not built: make verify ({str(unbuilt)!r} has no core for" in last
    if words[1] == "xiangqi" or "start_commands" in words[1]:
        assert done.stderr.splitlines() == [last]  # a program shows no traceback
