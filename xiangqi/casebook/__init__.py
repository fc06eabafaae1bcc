"""Rule book cases (``cases``) and their verification (``verify``); random cycles
(``random_cycles``), and the search for cycles on which rule sets differ (``disputes``)."""
