"""Squares, pieces, moves and what attacks what; C only."""
