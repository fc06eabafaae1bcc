"""How the commands end: codes for whoever started them."""

from typing import Final

__all__ = ["EXIT_DIFFERENT", "EXIT_INTERRUPTED", "EXIT_WRONG_INPUT"]

EXIT_DIFFERENT: Final = 1
"""Something was ruled otherwise, or could not be ruled."""
EXIT_WRONG_INPUT: Final = 2
"""Nothing could be done at all; click's own code for wrong options."""
EXIT_INTERRUPTED: Final = 130
"""As shells tell Ctrl-C."""
