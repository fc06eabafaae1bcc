"""The rule book's cases (``cases``), and their verification (``verify``)."""
