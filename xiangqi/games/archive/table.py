"""Rulings as a table in Apache Parquet, for pandas, Polars, DuckDB and the like."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any, Final

from xiangqi.errors import FormatError
from xiangqi.extras import how_to_install
from xiangqi.files import new_file

__all__ = ["require_parquet", "write_parquet"]

GROUP_ROWS: Final = 4096
"""Rows of a row group: as many are in memory at a time."""

_TYPES: Final = {
    "source": "string", "game": "int64", "red": "string", "black": "string", "recorded": "string",
    "plies": "int64", "result": "string", "termination": "string", "ply": "int64",
    "warned": "int64", "agrees": "bool", "rules": "string", "offender": "string",
    "red_conduct": "string", "black_conduct": "string", "reason": "string", "ruling": "string",
    "others": "string", "errors": "list",
}  # fmt: skip
"""The columns; ``ruling`` is JSON with all evidence, null where no repetition decided, and
``others``, with the differences, null where no other rule sets were asked."""


def require_parquet() -> None:
    """Raise FormatError unless what writes Parquet is installed."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        why = f"needs pyarrow: {how_to_install('parquet')}"
        raise FormatError("parquet", "", why) from error


def write_parquet(lines: Path, path: Path, *, replace: bool = False) -> None:
    """Make a table of a file of rulings in JSON lines. Raises FormatError as :func:`new_file`."""
    import pyarrow as pa
    from pyarrow import parquet

    types = {
        "string": pa.string(), "int64": pa.int64(), "bool": pa.bool_(),
        "list": pa.list_(pa.string()),
    }  # fmt: skip
    schema = pa.schema([(name, types[kind]) for name, kind in _TYPES.items()])
    with (
        lines.open("rb") as file,
        new_file(path, replace=replace) as out,
        parquet.ParquetWriter(out, schema, compression="zstd") as writer,
    ):
        rows = map(_flat_row, file)
        while group := list(islice(rows, GROUP_ROWS)):
            writer.write_table(pa.Table.from_pylist(group, schema=schema))


def _flat_row(line: bytes) -> dict[str, Any]:
    """The row of a line of JSON."""
    row: dict[str, Any] = json.loads(line)
    ruling = row["ruling"]
    if ruling is not None:
        row["red_conduct"], row["black_conduct"] = ruling["red"], ruling["black"]
        row["offender"], row["reason"] = ruling["offender"], ruling["reason"]
        row["ruling"] = json.dumps(ruling, ensure_ascii=False)
    if "others" in row:
        asked = {key: row[key] for key in ("others", "differences")}
        row["others"] = json.dumps(asked, ensure_ascii=False)
    row["errors"] = [_spelled_out(error) for error in row["errors"]]
    return {name: _spelled_out(value) for name, value in row.items()}


def _spelled_out(value: Any) -> Any:
    """A value; in text, halves of surrogate pairs as JSON spells them: UTF-8 has none."""
    if not isinstance(value, str):
        return value
    return value.encode("utf-8", "backslashreplace").decode("utf-8")
