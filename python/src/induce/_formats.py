"""Parquet, Feather and Arrow files for the command line. pyarrow reads and writes them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ._core import Error

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = {".parquet": "parquet", ".pq": "parquet", ".feather": "feather", ".arrow": "feather", ".ipc": "feather"}
WRITING = ("predict", "explain")  # the commands whose output is a table
OUTPUT = ("-o", "--output")
CELLS = 2**19  # of a batch


def open_table(path: str) -> pa.RecordBatchReader:
    """The file as a stream of batches, so it need not fit in memory. The index of a pandas DataFrame is not data."""
    pa = _pyarrow(path)
    try:
        with open(path, "rb") as file:
            kind = "parquet" if file.read(4) == b"PAR1" else "feather"
        table = pa.dataset.dataset(path, format=kind)
        index = (table.schema.pandas_metadata or {}).get("index_columns", ())
        names = [name for name in table.schema.names if name not in index]
        return table.scanner(columns=names, batch_size=max(256, CELLS // max(1, len(names)))).to_reader()
    except (OSError, pa.ArrowException) as error:
        raise Error(f"{path}: {' '.join(str(error).split())}") from None


@contextmanager
def output_as_csv(arguments: list[str]) -> Iterator[list[str]]:
    """The arguments with a temporary file in place of an output of another format than CSV, converted at the end."""
    path = next((value for _, value in _outputs(arguments)), "")
    if not path:
        yield arguments
        return
    _pyarrow(path)  # before the work, not after it
    with TemporaryDirectory(prefix="induce-csv-") as folder:
        csv = Path(folder, Path(path).name + ".csv")
        replaced = list(arguments)
        for k, value in _outputs(arguments):
            replaced[k] = arguments[k].removesuffix(value) + str(csv)
        yield replaced
        if csv.exists():
            _from_csv(csv, path)


def _outputs(arguments: list[str]) -> list[tuple[int, str]]:
    """Where the path of such an output is, and the path."""
    found = []
    for k, (before, argument) in enumerate(zip(["", *arguments], arguments, strict=False)):
        option, _, value = argument.partition("=")
        path = argument if before in OUTPUT else value if option in OUTPUT else ""
        if arguments[0] in WRITING and _format(path):
            found.append((k, path))
    return found


def _format(path: str) -> str | None:
    return FORMATS.get(os.path.splitext(path)[1].lower())


def _pyarrow(path: str) -> Any:
    try:
        import pyarrow.csv
        import pyarrow.dataset
        import pyarrow.feather
        import pyarrow.parquet
    except ImportError:
        raise Error(f"{path}: Parquet, Feather and Arrow files need pyarrow (pip install pyarrow)") from None
    return pyarrow


def _from_csv(name: Path, path: str) -> None:
    pa = _pyarrow(path)
    guessed = pa.csv.read_csv(name).schema
    texts = {field.name: pa.string() for field in guessed if not pa.types.is_floating(field.type)}
    table = pa.csv.read_csv(name, convert_options=pa.csv.ConvertOptions(column_types=texts))
    for k, column in enumerate(table.column_names):
        table = table.set_column(k, column, _whole(pa, table.column(k)))
    write = pa.parquet.write_table if _format(path) == "parquet" else pa.feather.write_feather
    write(table, path)


def _whole(pa: Any, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Texts as whole numbers, if all are and no digit is lost."""
    if column.type != pa.string():
        return column
    try:
        numbers = column.cast(pa.int64())
    except pa.ArrowInvalid:
        return column
    return numbers if numbers.cast(pa.string()).equals(column) else column
