"""Endgame tables that take the repetition rules into account.

``classes`` defines the material classes; ``files`` reads and writes tables; ``making`` solves
classes in parallel and audits the results; ``probing`` probes tables and formats their values.
docs/tables.md describes the method.
"""

from xiangqi.tables.probing import Tablebase, TableValue, default_folder, probe, probe_move

__all__ = ["TableValue", "Tablebase", "default_folder", "probe", "probe_move"]
