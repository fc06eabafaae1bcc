"""What PyInstaller has to know to put this package into an executable; it finds this by itself.

It looks for imports in the text of programs, and much here is imported by name when it is needed:
the commands, the rooms of the core, and the data beside the modules.
"""

from pathlib import Path

__all__ = ["get_hook_dirs"]


def get_hook_dirs() -> list[str]:
    """Where the hook is: the entry point ``pyinstaller40``."""
    return [str(Path(__file__).parent)]
