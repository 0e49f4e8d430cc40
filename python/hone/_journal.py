"""Journals as tables: a row a trial, parameters and metrics as columns."""
from __future__ import annotations

import json
import os
import tempfile
from typing import TYPE_CHECKING, Any, Union

from ._errors import UsageError

if TYPE_CHECKING:
    import pandas

Path = Union[str, "os.PathLike[str]"]


class Trials(list[dict[str, Any]]):
    """A list of dictionaries, one a trial; what a trial lacks is not in it. attrs: the journal's
    first line."""

    attrs: dict[str, Any]


def read_journal(path: Path, *, frame: Union[bool, None] = None,
                 **options: Any) -> Union[pandas.DataFrame, Trials]:
    """The trials of a journal, or of a file that `hone import` reads (caches of Kernel Tuner, T4).

    frame: True for a DataFrame, False for Trials; None: a DataFrame where pandas is installed.
    attrs of both is the journal's first line. Columns are those of `hone export --to jsonl`
    (docs/report.md); of a journal of several problems there are the rows of all, or of the one
    that set={"N": 512} names."""
    from ._commands import run
    with tempfile.TemporaryDirectory(prefix="hone") as folder:
        journal = path
        if not _is_journal(path):
            journal = os.path.join(folder, "imported.jsonl")
            run("import", path, output=journal)
        text = run("export", journal, to="jsonl", output="-", **options)
        with open(journal, encoding="utf-8") as file:
            attrs = json.loads(file.readline())
    rows = Trials(json.loads(line) for line in text.splitlines())
    rows.sort(key=lambda row: row["line"])
    rows.attrs = attrs
    pandas = _pandas(frame)
    if not pandas:
        return rows
    table = pandas.DataFrame(rows)
    table.attrs = attrs
    return table


def to_parquet(journal: Any, path: Path) -> None:
    """Write a journal (a file, or what read_journal gave) as Parquet, by pyarrow; the first line is
    the file's metadata `hone`."""
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise UsageError("to_parquet needs pyarrow: pip install 'hone[parquet]'") from None
    rows = (read_journal(journal, frame=False) if isinstance(journal, (str, os.PathLike))
            else journal)
    table = (_arrow_table(pyarrow, rows) if isinstance(rows, Trials) else
             pyarrow.Table.from_pandas(rows, preserve_index=False))
    metadata = {**(table.schema.metadata or {}), b"hone": json.dumps(rows.attrs).encode()}
    parquet.write_table(table.replace_schema_metadata(metadata), os.fspath(path))


def _arrow_table(pyarrow: Any, rows: Trials) -> Any:
    """Columns in the order in which they first occur."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return pyarrow.table({name: [row.get(name) for row in rows] for name in names})


def _is_journal(path: Path) -> bool:
    """By the first line, as the program tells them apart."""
    try:
        with open(path, "rb") as file:
            first = json.loads(file.readline(1 << 24))
    except (ValueError, RecursionError):  # no JSON, or brackets without end
        return False
    except OSError as error:
        raise UsageError(f"cannot read '{os.fspath(path)}': {error.strerror}") from None
    return isinstance(first, dict) and first.get("kind") == "journal"


def _pandas(frame: Union[bool, None]) -> Any:
    if frame is False:
        return None
    try:
        import pandas
    except ImportError:
        if frame:
            raise UsageError("frame=True needs pandas: pip install 'hone[pandas]'") from None
        return None
    return pandas
