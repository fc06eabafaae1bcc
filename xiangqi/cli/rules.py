"""The command ``rules``: list the rule sets, and the questions that they answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import click

from xiangqi.cli.base import Examples, align_columns, handle_errors
from xiangqi.cli.options import language_option
from xiangqi.ground.texts import Language
from xiangqi.referee.rule_checks import format_value
from xiangqi.referee.rule_names import describe_clause
from xiangqi.referee.rules import (
    RULE_FIELDS,
    RULE_SETS,
    RuleSet,
    choose_rule_set,
    find_rule_book,
    rule_choices,
)
from xiangqi.words.voice import Voice

__all__ = ["rules"]

_OTHER_VALUES: Final = {
    "occurrences": "values_number",
    "verdicts": "values_verdicts",
    "check_rounds": "values_numbers",
    "chase_rounds": "values_numbers",
    "mixed_rounds": "values_numbers",
    "search_as": "values_rules",
}
"""Key of the sentence on the values of a question without a list of values; the default is a
number or none."""


@click.command(
    cls=Examples,
    epilog="""
    xiangqi rules
    xiangqi rules cxa2020 --lang zh
    """,
)
@click.argument("name", default="wxf", metavar="[NAME]")
@language_option
@handle_errors
def rules(name: str, lang: Language) -> None:
    """List the rule sets, and the questions they answer with the possible values.

    Each value is explained. A star marks the answers of the rule set NAME, or of the file
    NAME.toml; the default is wxf.
    """
    rule_set = choose_rule_set(name)
    voice = Voice(lang)
    click.echo(voice.say("rules_sets"))
    titles = [(one, find_rule_book(one).titles[lang]) for one in RULE_SETS]
    for line in align_columns(titles):
        click.echo(f"  {line}")
    click.echo()
    click.echo(voice.say("rules_questions", name=rule_set.name))
    for field in RULE_FIELDS:
        click.echo(f"  {field}")
        for line in align_columns(list(_values(rule_set, field, voice))):
            click.echo(f"    {line}".rstrip())


def _values(rule_set: RuleSet, field: str, voice: Voice) -> Iterator[tuple[str, str, str]]:
    """Rows of a question: a mark, a value, and its meaning."""
    own = format_value(rule_set.answers[field]) if field in rule_set.answers else None
    for value in rule_choices(field):
        yield "*" if value == own else " ", value, voice.say(f"clause_{field}_{value}".lower())
    if not rule_choices(field):
        if own is not None:
            yield "*", own or "-", describe_clause(rule_set, field).say(voice)
        yield " ", "", voice.say(_OTHER_VALUES.get(field, "values_number_or_none"))
