"""Boards as pictures: SVG elements and arrows (``arrows``), pieces and boards (``svg``)."""
