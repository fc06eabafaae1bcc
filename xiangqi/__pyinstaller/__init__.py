"""Hook for PyInstaller, which finds it by itself.

PyInstaller finds imports by their text; this hook adds the modules that are imported by name: the
commands and the packages of the core, and the data beside the modules.
"""

from pathlib import Path

__all__ = ["get_hook_dirs"]


def get_hook_dirs() -> list[str]:
    """Folder of the hook: the entry point ``pyinstaller40``."""
    return [str(Path(__file__).parent)]
