"""Matches between engines: clocks, adjudication, statistics, ratings and PGN."""
