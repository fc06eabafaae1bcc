"""End-game tables that are right under the rules of repetition.

``classes`` names the classes; ``files`` reads and writes tables; ``making`` solves classes in
parallel; ``probing`` probes tables; ``checking`` verifies them; ``wording`` formats their values.
docs/tables.md describes the method.
"""

from xiangqi.tables.probing import Tablebase, TableValue, default_folder, probe, probe_move

__all__ = ["TableValue", "Tablebase", "default_folder", "probe", "probe_move"]
