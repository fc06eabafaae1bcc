"""Squares, pieces, moves and attacks; C only."""
