"""End-game tables that are right under the rules of repetition.

``classes`` names the classes; ``files`` keeps a solved one; ``making`` solves them, on workers;
``probing`` asks them; ``checking`` looks whether they are right; ``lzdtm`` reads those of others;
``wording`` puts what they tell into words. docs/tables.md tells the method.
"""

from xiangqi.tables.probing import Tablebase, TableValue, default_folder, probe, probe_move

__all__ = ["TableValue", "Tablebase", "default_folder", "probe", "probe_move"]
