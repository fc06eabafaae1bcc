"""The import order of the house: a module imports only what stands before it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

ORDER = """
    xiangqi.version xiangqi.counting xiangqi.errors xiangqi.files xiangqi.extras
    xiangqi.options xiangqi.declarations xiangqi.transcript xiangqi.lines
    xiangqi.conversation
    xiangqi.pieces xiangqi.fen
    xiangqi.core.system.bits xiangqi.core.system.clock xiangqi.core.system.memory
    xiangqi.core.moves.defs xiangqi.core.moves.bitboard xiangqi.core.moves.attacks
    xiangqi.core.moves.zobrist xiangqi.core.moves.position xiangqi.core.moves.movegen
    xiangqi.core.moves.see xiangqi.core.moves.perft
    xiangqi.core.repetition.rules xiangqi.core.repetition.facts xiangqi.core.repetition.cycle
    xiangqi.core.repetition.conduct xiangqi.core.repetition.verdict xiangqi.core.repetition.judge
    xiangqi.core.move xiangqi.core.board xiangqi.core.testing
    xiangqi.core.evaluation.scores xiangqi.core.evaluation.nnue.features
    xiangqi.core.evaluation.nnue.kernel xiangqi.core.evaluation.nnue.weights
    xiangqi.core.evaluation.nnue.accumulators xiangqi.core.evaluation.nnue.output
    xiangqi.core.evaluation.term_weights xiangqi.core.evaluation.terms
    xiangqi.core.evaluation.slot
    xiangqi.core.samples xiangqi.core.network xiangqi.core.evaluator
    xiangqi.core.search.tt xiangqi.core.search.history xiangqi.core.search.movepick
    xiangqi.core.search.params xiangqi.core.search.worker xiangqi.core.search.line
    xiangqi.core.search.learning xiangqi.core.search.repetition xiangqi.core.search.quiesce
    xiangqi.core.search.pruning xiangqi.core.search.root_moves xiangqi.core.search.tree
    xiangqi.core.search.deepening xiangqi.core.searcher
    xiangqi.glyphs xiangqi.svg_elements xiangqi.arrows xiangqi.svg xiangqi.words
    xiangqi.notation.coordinates xiangqi.notation.relative xiangqi.notation.wxf
    xiangqi.notation.chinese xiangqi.notation.san xiangqi.notation
    xiangqi.rounds xiangqi.voice
    xiangqi.rules xiangqi.ruling xiangqi.referee xiangqi.remedies xiangqi.explain
    xiangqi.board
    xiangqi.record xiangqi.game
    xiangqi.formats.base xiangqi.formats.builder xiangqi.formats.text
    xiangqi.formats.line
    xiangqi.formats.pgn_tokens xiangqi.formats.pgn_moves xiangqi.formats.pgn_writer
    xiangqi.formats.pgn
    xiangqi.formats.positions xiangqi.formats.jsonl xiangqi.formats.wxf_text
    xiangqi.formats.notes xiangqi.formats.plain xiangqi.formats.slots
    xiangqi.formats.xqf_writer xiangqi.formats.xqf xiangqi.formats.cbr
    xiangqi.formats.dhtmlxq_writer xiangqi.formats.dhtmlxq
    xiangqi.formats
    xiangqi.convert xiangqi.arbiter
    xiangqi.archive.source xiangqi.archive.workers xiangqi.archive.judging xiangqi.archive.table
    xiangqi.archive.output xiangqi.archive
    xiangqi.cases xiangqi.verify
    xiangqi.params xiangqi.weights xiangqi.network xiangqi.searching xiangqi.trace
    xiangqi.timing
    xiangqi.engine
    xiangqi.protocol xiangqi.ucci xiangqi.uci xiangqi.cecp xiangqi.dialects xiangqi.bench
    xiangqi.meihua xiangqi.safety
    xiangqi.client.info xiangqi.client.options xiangqi.client.dialects xiangqi.client.xboard
    xiangqi.client.process xiangqi.client.results xiangqi.client.session xiangqi.client.handshake
    xiangqi.client.commands xiangqi.client.protocol xiangqi.client.simple xiangqi.client
    xiangqi.client.dialogue
    xiangqi.match xiangqi.match.stats xiangqi.match.sprt xiangqi.match.pgn
    xiangqi.match.bradley_terry xiangqi.match.elo
    xiangqi.match.clock xiangqi.match.openings xiangqi.match.schedule xiangqi.match.ruling
    xiangqi.match.adjudication xiangqi.match.config xiangqi.match.vocabulary
    xiangqi.match.arguments xiangqi.match.player xiangqi.match.game xiangqi.match.journal
    xiangqi.match.standings xiangqi.match.report xiangqi.match.runner
    xiangqi.compliance.examiner xiangqi.compliance.positions xiangqi.compliance.searches
    xiangqi.compliance.xboard_positions xiangqi.compliance.xboard_searches xiangqi.compliance
    xiangqi.samples xiangqi.datagen
    xiangqi.pages xiangqi.pages.sprite xiangqi.pages.render xiangqi.pages.plies
    xiangqi.pages.variations xiangqi.pages.game_page xiangqi.pages.index_page xiangqi.pages.site
    xiangqi.cli_base xiangqi.cli_workers xiangqi.cli_engine xiangqi.cli_bench xiangqi.cli_files
    xiangqi.cli_compliance xiangqi.cli_convert xiangqi.cli_datagen xiangqi.cli_elo
    xiangqi.cli_match xiangqi.cli_report
    xiangqi.web xiangqi.web.labels xiangqi.web.messages xiangqi.web.guard xiangqi.web.reading
    xiangqi.web.positions xiangqi.web.rulings xiangqi.web.trees xiangqi.web.pasting
    xiangqi.web.thinking
    xiangqi.web.entry xiangqi.web.library xiangqi.web.application xiangqi.web.server
    xiangqi.cli_serve xiangqi.cli_show xiangqi.public xiangqi xiangqi.cli_verify xiangqi.cli
    xiangqi.__main__
""".split()

CYTHON_IMPORT = re.compile(r"^\s*(?:from|cimport|import)\s+(xiangqi[\w.]*)", re.MULTILINE)


def python_imports(source: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def module_sources() -> dict[str, list[Path]]:
    """The files of each module of the package."""
    sources: dict[str, list[Path]] = {}
    compiled = [*(ROOT / "ext").rglob("*.pyx"), *(ROOT / "ext").rglob("*.pxd")]
    for base, paths in (("ext", compiled), (".", list((ROOT / "xiangqi").rglob("*.py")))):
        for path in paths:
            parts = path.relative_to(ROOT / base).with_suffix("").parts
            if parts[-1] == "__init__":
                parts = parts[:-1]
            sources.setdefault(".".join(parts), []).append(path)
    return sources


SOURCES = module_sources()


def imports_of(module: str) -> set[str]:
    found: set[str] = set()
    for path in SOURCES[module]:
        if path.suffix == ".py":
            found.update(name for name in python_imports(path) if name.startswith("xiangqi"))
        else:
            found.update(CYTHON_IMPORT.findall(path.read_text(encoding="utf-8")))
    return found - {module}


FOLDERS = {"xiangqi.core"} | {
    f"xiangqi.core.{folder}"
    for folder in (*("evaluation", "evaluation.nnue", "moves", "repetition", "search", "system"),)
}


def test_order_names_every_module() -> None:
    assert set(SOURCES) - FOLDERS == set(ORDER)


@pytest.mark.parametrize("module", ORDER)
def test_imports_go_one_way(module: str) -> None:
    before = ORDER[: ORDER.index(module)]
    upwards = {name for name in imports_of(module) if name not in before}
    assert not upwards, f"{module} imports {sorted(upwards)}, which do not stand before it"


@pytest.mark.parametrize("module", [name for name in ORDER if not name.startswith("xiangqi.core")])
def test_python_enters_the_core_by_its_door(module: str) -> None:
    doors = {
        f"xiangqi.core.{door}"
        for door in ("board", "move", "network", "evaluator", "samples", "searcher")
    }
    behind = {name for name in imports_of(module) if name.startswith("xiangqi.core")} - doors
    assert not behind


@pytest.mark.parametrize("path", sorted((ROOT / "tests/oracle").glob("*.py")), ids=str)
def test_oracle_imports_nothing_of_the_package(path: Path) -> None:
    assert not [name for name in python_imports(path) if name.split(".")[0] == "xiangqi"]


def test_importing_the_package_leaves_the_slow_libraries_alone() -> None:
    """They belong to the commands; a script that wants a board must not wait for them."""
    import subprocess
    import sys

    program = (
        "import sys, xiangqi;"
        "print([m for m in ('chess', 'rich', 'click', 'jinja2', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
