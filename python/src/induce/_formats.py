"""Parquet, Feather and Arrow files for the command line. pyarrow reads and writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._core import Error

if TYPE_CHECKING:
    import pyarrow as pa

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


def encode_table(path: str, stream: Any) -> bytes:
    """A file for the path, from the capsule of an Arrow stream. None: only check that it can be written."""
    pa = _pyarrow(path)
    if stream is None:
        return b""
    table = pa.table(_Stream(stream))
    for k, column in enumerate(table.column_names):
        table = table.set_column(k, column, _whole(pa, table.column(k)))
    file = pa.BufferOutputStream()
    if path.lower().endswith((".parquet", ".pq")):
        pa.parquet.write_table(table, file)
    else:
        pa.feather.write_feather(table, file)
    return file.getvalue().to_pybytes()


@dataclass
class _Stream:
    capsule: Any

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.capsule


def _pyarrow(path: str) -> Any:
    try:
        import pyarrow.dataset
        import pyarrow.feather
        import pyarrow.parquet
    except ImportError:
        raise Error(f"{path}: Parquet, Feather and Arrow files need pyarrow (pip install pyarrow)") from None
    return pyarrow


def _whole(pa: Any, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Texts as whole numbers, if all are and no digit is lost."""
    if column.type != pa.large_string():
        return column
    texts = column.cast(pa.string())
    try:
        numbers = texts.cast(pa.int64())
    except pa.ArrowInvalid:
        return texts
    return numbers if numbers.cast(pa.string()).equals(texts) else texts
