"""Length of random tests: long ones run nightly, short ones at each change."""

import os
from typing import Final

__all__ = ["SOAK"]

SOAK: Final = os.environ.get("MEIHUA_SOAK", "0") not in ("", "0")
"""Is the environment variable ``MEIHUA_SOAK`` set, as the nightly run does?"""
