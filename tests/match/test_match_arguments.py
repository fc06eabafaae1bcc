"""The words of a match: read from the command line and from TOML, refused with reasons."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from xiangqi.cli.main import main
from xiangqi.match.adjudication import DrawRule, ResignRule
from xiangqi.match.arguments import (
    Argument,
    build_config,
    find_value,
    read_toml,
    resume_words,
    split_words,
    with_seed,
)
from xiangqi.match.config import ConfigError, MatchConfig, OpeningsConfig, PgnConfig, TimeControl
from xiangqi.match.keywords import WORDS, Keys, help_rows
from xiangqi.match.stats import Sprt
from xiangqi.referee.rules import CHECKS_ONLY, WXF

TWO = "-engine cmd=alpha -engine cmd=beta -each depth=3"


def config_of(words: str) -> MatchConfig:
    return build_config(split_words(words.split()))


def test_every_word() -> None:
    config = build_config(
        split_words(
            [
                *"-engine cmd=./new name=New proto=ucci tc=40/1:30+0.5 option.hash=64".split(),
                "option.Book File=a b",
                "args=--fast 'two words'",
                *"-engine cmd=./old name=Old proto=uci st=0.5 depth=9 nodes=5000".split(),
                *"timemargin=7 timeout=2.5 restart=on scale=4 dir=/tmp".split(),
                *"-rounds 30 -games 1 -noswap -concurrency 3 -tournament gauntlet".split(),
                *"-openings file=book.epd format=epd order=sequential plies=6 start=4".split(),
                *"-draw movenumber=40 movecount=9 score=15".split(),
                *"-resign movecount=4 score=700 twosided=on -maxmoves 200".split(),
                *"-sprt elo0=-1 elo1=4.5 alpha=0.1 beta=0.2 model=logistic".split(),
                *"-pgnout file=out.pgn nodes=on pv=off timeleft=true -jsonout file=j.jsonl".split(),
                *"-srand 77 -recover -ratinginterval 25 -log file=raw.log".split(),
                *"-rules checks-only -natural 50 -ban on".split(),
                *["-event", "The -big- event", "-site", "here"],
            ]
        )
    )
    new, old = config.engines
    assert (new.cmd, new.args) == ("./new", ("--fast", "two words"))
    assert (new.name, new.proto, new.tc) == ("New", "ucci", TimeControl(90, 0.5, 40))
    assert new.options == {"hash": "64", "Book File": "a b"}
    assert (old.st, old.depth, old.nodes, old.timemargin) == (0.5, 9, 5000, 7)
    assert (old.timeout, old.restart, old.scale, old.dir) == (2.5, True, 4, "/tmp")
    assert old.time_control() == "0.5/move, depth 9, nodes 5000"
    assert (config.rounds, config.games, config.swap, config.concurrency) == (30, 1, False, 3)
    assert config.tournament == "gauntlet"
    assert config.openings == OpeningsConfig(
        file=Path("book.epd"), format="epd", order="sequential", plies=6, start=4
    )
    assert config.draw == DrawRule(movenumber=40, movecount=9, score=15)
    assert config.resign == ResignRule(movecount=4, score=700, twosided=True)
    assert config.maxmoves == 200
    assert config.sprt == Sprt(-1, 4.5, 0.1, 0.2, "logistic")
    assert config.pgnout == PgnConfig(file=Path("out.pgn"), details=("nodes", "timeleft"))
    assert (config.jsonout, config.log) == (Path("j.jsonl"), Path("raw.log"))
    assert (config.srand, config.ratinginterval, config.ban) == (77, 25, True)
    assert config.rules == CHECKS_ONLY.replace({"no_capture_limit": 100})
    assert (config.event, config.site) == ("The -big- event", "here")


def test_defaults() -> None:
    config = config_of(TWO)
    assert [engine.name for engine in config.engines] == ["alpha", "beta"]
    assert (config.rounds, config.games, config.swap) == (2, 2, True)
    assert config.rules == WXF
    assert config_of(f"{TWO} -natural 0").rules.no_capture_limit is None


def test_each_fills_what_engines_leave_open() -> None:
    config = config_of(
        "-engine cmd=x st=1 option.a=1 -engine cmd=x depth=2"
        " -each tc=5 depth=8 option.a=2 option.b=3"
    )
    first, second = config.engines
    assert (first.tc, first.st, first.depth, first.options) == (None, 1, 8, {"a": "1", "b": "3"})
    assert (second.tc, second.depth) == (TimeControl(5), 2)
    assert (first.name, second.name) == ("x", "x-2")


def test_a_word_said_again_changes_its_keys() -> None:
    config = config_of(
        f"{TWO} option.a=1 option.b=1 -draw score=9 movecount=3 -openings file=x"
        " -each option.b=2 -draw score=7 -openings start=3 -rounds 3 -rounds 4"
    )
    assert config.draw == DrawRule(score=7, movecount=3)
    assert config.openings == OpeningsConfig(file=Path("x"), start=3)
    assert config.engines[0].options == {"a": "1", "b": "2"}
    assert (config.engines[0].depth, config.rounds) == (3, 4)


def test_the_seed_is_drawn_and_kept() -> None:
    said = split_words(TWO.split())
    config = build_config(said)
    assert build_config(said).srand != config.srand
    assert build_config(with_seed(said, config)).srand == config.srand
    assert with_seed([*said, Argument("-srand", ("5",))], config)[-1] == ("-srand", ("5",))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-engin cmd=x", "invalid option '-engin': expected one of -engine, -each, -rounds,"),
        ("depth=3 -engine cmd=x", "invalid argument 'depth=3': expected an option such as -engine"),
        (f"{TWO} -rounds many", "invalid -rounds 'many': expected a number 1 to 1000000"),
        (f"{TWO} -rounds", "missing -rounds: expected one value"),
        (f"{TWO} -rounds 1 2", "invalid -rounds '1 2': expected one value"),
        (f"{TWO} -repeat 2", "invalid -repeat '2': expected nothing after it"),
        (f"{TWO} -games 3", "invalid -games '3': expected a number 1 to 2"),
        (f"{TWO} -draw score=-5", "invalid -draw score '-5': expected a number 0 to"),
        (f"{TWO} -draw moves=5", "invalid -draw 'moves=5': expected movenumber= or movecount="),
        (f"{TWO} -resign twosided=yes", "invalid -resign twosided 'yes': expected 'on' or 'off'"),
        (f"{TWO} -openings order=random", "missing -openings file: expected file=FILE"),
        (f"{TWO} -openings file=x order=any", "expected one of 'random', 'sequential'"),
        (f"{TWO} -rules fide", "invalid -rules 'fide': expected one of 'wxf',"),
        (f"{TWO} -sprt elo0=0", "missing -sprt elo1: expected elo1=ELO"),
        (f"{TWO} -sprt elo0=5 elo1=0", "invalid -sprt elo1 0.0: expected more than elo0 (5)"),
        (f"{TWO} -sprt elo0=0 elo1=nan", "invalid -sprt elo1 'nan': expected a number -1000 to"),
        (f"{TWO} -engine cmd=z -sprt elo0=0 elo1=5", "'3 engines': expected two engines"),
        (f"{TWO} -each tc=ten", "invalid -each tc 'ten': expected [moves/][minutes:]seconds"),
        (f"{TWO} -each tc=0", "invalid -each tc '0': expected [moves/]"),
        (f"{TWO} -each name=x", "invalid -each 'name=x': expected args= or"),
        ("-engine cmd=x depth=1", "invalid -engine '1 engine': expected two or more"),
        ("-engine cmd=x -engine cmd=y st=1", "missing limit of engine x: expected one of tc=, st="),
        (
            "-engine cmd=x st=1 -engine name=y",
            "missing -engine cmd (engine 2): expected cmd=PROGRAM",
        ),
        ("-engine cmd=x name=y st=1 -engine cmd=z name=y st=1", "invalid -engine name 'y'"),
        (f"{TWO} -engine cmd=z st=1 tc=1", "no st with tc"),
        ("-engine cmd=x prot=uci", "invalid -engine 'prot=uci': expected cmd= or name= or"),
        ("-engine cmd=x args='a", 'invalid -engine args "\'a": expected arguments, quoted as in a'),
        ("-engine cmd=x proto=usi", "expected one of 'auto', 'ucci', 'uci', 'xboard'"),
    ],
)
def test_bad_words_are_quoted(words: str, message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        config_of(words)


def test_toml_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    path.write_text(
        """
        rounds = 7
        repeat = true
        noswap = false
        ban = false
        event = "-x- y"
        each = { tc = "10+0.1", option = { Hash = 64, Ponder = false } }
        sprt = { elo0 = 0, elo1 = 2.5 }
        [[engine]]
        cmd = "alpha"
        args = ["-a", "two words"]
        [[engine]]
        cmd = "beta"
        restart = true
        """,
        encoding="utf-8",
    )
    config = build_config(read_toml(path))
    assert (config.rounds, config.games, config.swap, config.ban) == (7, 2, True, False)
    assert config.event == "-x- y"
    assert config.sprt == Sprt(0, 2.5)
    assert config.engines[0].args == ("-a", "two words")
    assert config.engines[1].restart
    assert config.engines[1].options == {"Hash": "64", "Ponder": "false"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rounds = ", "expected TOML that can be read"),
        ("round = 3", "invalid option '-round'"),
        ("rounds = 2020-01-01", "expected text, a number, true or false"),
        ("draw = { score = 1.5 }", "invalid -draw score '1.5'"),
    ],
)
def test_bad_toml(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "match.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=re.escape(message)):
        build_config(read_toml(path))
    with pytest.raises(ConfigError, match="expected TOML that can be read"):
        read_toml(tmp_path / "none.toml")


def test_resuming_takes_few_words() -> None:
    said = split_words("-config file=a.jsonl -rounds 9 -concurrency 2".split())
    assert find_value(said, "-config", "file") == "a.jsonl"
    assert [one.word for one in resume_words(said)] == ["-rounds", "-concurrency"]
    with pytest.raises(ConfigError, match="invalid option '-engine': expected only -concurrency"):
        resume_words(split_words("-config file=a.jsonl -engine cmd=x".split()))


def test_help_lists_every_word() -> None:
    text = "\n".join("  ".join(row) for row in help_rows())
    for name, word in WORDS.items():
        assert re.search(rf"^{name}\b", text, re.MULTILINE)
        assert word.meaning in text
        for key in word.keys if isinstance(word, Keys) else ():
            assert f"    {key}=" in text


@pytest.mark.parametrize("word", ["--help", "-h", "-help"])
def test_the_command_shows_its_help(word: str) -> None:
    done = CliRunner().invoke(main, ["match", word])
    assert done.exit_code == 0
    assert "-openings" in done.output
    assert "Examples:" in done.output


def test_the_command_reports_a_bad_word() -> None:
    """Words with letters that are options elsewhere reach the match whole."""
    done = CliRunner().invoke(main, ["match", *TWO.split(), "-each", "hash=1"])
    assert done.exit_code == 2
    assert "xiangqi: invalid -each 'hash=1': expected args= or dir=" in done.output
