"""Boards as pictures: pieces and marks (``elements``, ``glyphs``), arrows, the whole (``svg``)."""
