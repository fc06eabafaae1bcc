"""Words that programs have for the values of their options."""

from collections.abc import Mapping
from typing import Final

__all__ = ["CHECK_WORDS", "REPETITION_RULES"]

CHECK_WORDS: Final[Mapping[str, bool]] = {
    **dict.fromkeys(("true", "on", "yes", "1"), True),
    **dict.fromkeys(("false", "off", "no", "0"), False),
}
"""Values of a check option in engines' dialogues."""

REPETITION_RULES: Final[Mapping[str, str]] = {
    "wxf": "wxf",
    "axf": "axf",
    "fairy-axf": "fairy-axf",
    "computer": "computer",
    "cxa2020": "cxa2020",
    "cxa2011": "cxa2011",
    "cxa1999": "cxa1999",
    "checks-only": "checks-only",
    "all-draws": "all-draws",
    "superko-positional": "superko-positional",
    "superko-situational": "superko-situational",
    "tiantian": "tiantian",
    "xiangqi.com": "xiangqi.com",
    "taiwan2024": "taiwan2024",
    "vietnam2021": "vietnam2021",
    "vietnam2004": "vietnam2004",
    "computerrule": "computer",
    "allowchase": "checks-only",
    "nojudgement": "all-draws",
    "asianrule": "axf",
    "chineserule": "cxa2020",
    "checkban": "checks-only",
    "alwaysdraw": "all-draws",
}
"""The names of :data:`~xiangqi.RULE_SETS` by what to call them. The last four are the words of
UCCI up to version 2.3, the three before them and two of these also Pikafish's."""
