"""Archives: the games of many files ruled on, by as many workers as there are.

    >>> from xiangqi.games.archive import Archive, in_processes, rule_archive
    >>> for batch in rule_archive(Archive(["a.pgn", "b.jsonl.gz"]), workers=in_processes(4)):
    ...     print(*batch.lines, sep="\\n")  # doctest: +SKIP

Files are cut into games in one place (``source``), which is quick; the games are
read and ruled on by the workers (:mod:`xiangqi.workers`), in any executor of
:mod:`concurrent.futures`; and the results come in the order of the games, the same for any number
of workers. However large the archive, only a few batches of it are in memory.
"""

from __future__ import annotations

from xiangqi.games.archive.judging import RuledBatch, Tally, rule_archive, ruling_line
from xiangqi.games.archive.output import RulingsFile, judge_to_file
from xiangqi.games.archive.source import Archive, Unread
from xiangqi.workers import Workers, in_processes, in_this_process, lent, on_cluster

__all__ = [
    "Archive",
    "RuledBatch",
    "RulingsFile",
    "Tally",
    "Unread",
    "Workers",
    "in_processes",
    "in_this_process",
    "judge_to_file",
    "lent",
    "on_cluster",
    "rule_archive",
    "ruling_line",
]
