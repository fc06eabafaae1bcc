"""Words for on and off, as programs write them."""

from collections.abc import Mapping
from typing import Final

__all__ = ["CHECK_WORDS"]

CHECK_WORDS: Final[Mapping[str, bool]] = {
    **dict.fromkeys(("true", "on", "yes", "1"), True),
    **dict.fromkeys(("false", "off", "no", "0"), False),
}
"""What programs write for the two values of a check option."""
