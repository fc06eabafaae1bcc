"""Forced play by checks and captures: mates and gains; C only."""
