"""Paints the icons of the installed static site: a piece of the board, as PNG.

    python -m tools.make_icons

Headless Chromium paints the site's ``icon.svg``. A maskable icon has the colour of the board around
the piece, for systems that cut icons to their own shape.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from xiangqi.web.site.offline import ICONS, draw_icon

__all__ = ["main"]

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "xiangqi/web/site/static"
FLAGS: Final = (
    "--headless=new --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 "
    "--default-background-color=00000000"
).split()


def paint(chromium: str, size: int, *, is_maskable: bool) -> bytes:
    """Paint the icon at a size in pixels."""
    with tempfile.TemporaryDirectory() as folder:
        page, picture = Path(folder, "icon.html"), Path(folder, "icon.png")
        drawing = draw_icon(is_maskable=is_maskable).decode()
        style = f"<style>body {{ margin: 0 }} svg {{ display: block; width: {size}px }}</style>"
        page.write_text(f"<!doctype html>{style}{drawing}", encoding="utf-8")
        window = [f"--window-size={size},{size}", f"--user-data-dir={folder}/profile"]
        command = [chromium, *FLAGS, *window, f"--screenshot={picture}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return picture.read_bytes()


def main() -> None:
    """Paint all icons into the static files of the site."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("Chromium is not installed (Debian: chromium)")
    for name, (size, purpose) in ICONS.items():
        (FOLDER / name).write_bytes(paint(chromium, size, is_maskable=purpose == "maskable"))
        print(f"{name}: {size} x {size}")


if __name__ == "__main__":
    main()
