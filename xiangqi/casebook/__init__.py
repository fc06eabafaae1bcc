"""The rule book's cases (``cases``), and whether each is ruled as it must be (``verify``)."""
