"""Parquet, Feather and Arrow files for the command line, which reads and writes CSV. pyarrow converts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from shutil import disk_usage, rmtree
from tempfile import TemporaryDirectory, gettempdir, mkdtemp
from typing import TYPE_CHECKING, Any

from ._core import Error

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = {".parquet": "parquet", ".pq": "parquet", ".feather": "feather", ".arrow": "feather", ".ipc": "feather"}
WRITING = ("predict", "explain")  # the commands whose output is a table
OUTPUT = ("-o", "--output")
PREFIX = "induce-csv-"  # of temporary folders; then comes the number of the process
CSV_BYTES = 20  # of a number or text, with its comma


@contextmanager
def as_csv(arguments: list[str]) -> Iterator[list[str]]:
    """The arguments with files of other formats replaced by temporary CSV files. Output is converted at the end."""
    place = _scratch(arguments)
    _remove_old(place)
    with TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-", dir=place) as folder:
        inputs: dict[str, Path] = {}
        outputs: dict[str, Path] = {}

        def replaced(argument: str, before: str) -> list[str]:
            if not argument.startswith("-") and not before.startswith("-") and (files := _files_of(argument)):
                return [name for file in files for name in replaced(file, "")]
            option, equals, path = argument.partition("=") if argument.startswith("--") else ("", "", argument)
            is_output = option in OUTPUT or before in OUTPUT
            if not _format(path) or not (arguments[0] in WRITING if is_output else os.path.isfile(path)):
                return [argument]
            known = outputs if is_output else inputs
            if path not in known:
                if not is_output and (option := next(filter(_is_of_text, arguments), "")):
                    raise Error(f"{option.partition('=')[0]} is for text files: {path} has its own encoding")
                _pyarrow(path)  # for output, too: before the work, not after it
                known[path] = Path(mkdtemp(dir=folder), Path(path).name + ".csv")
                if not is_output:
                    _to_csv(path, known[path])
            return [option + equals + str(known[path])]

        pairs = zip(arguments, ["", *arguments], strict=False)
        yield [name for pair in pairs for name in replaced(*pair)]
        for path, csv in outputs.items():
            if csv.exists():
                _from_csv(csv, path)


def _is_of_text(argument: str) -> bool:
    return argument.partition("=")[0] in ("--encoding", "--delimiter")


def _scratch(arguments: list[str]) -> Path:
    """Where temporary files go: --scratch, if it is a folder."""
    for before, argument in zip(["", *arguments], arguments, strict=False):
        option, _, value = argument.partition("=")
        path = argument if before == "--scratch" else value if option == "--scratch" else ""
        if path and os.path.isdir(path):
            return Path(path)
    return Path(gettempdir())


def _remove_old(place: Path) -> None:
    """What a process that was killed has left behind."""
    for folder in place.glob(PREFIX + "*-*"):
        process = folder.name[len(PREFIX) :].partition("-")[0]
        if process.isdigit() and not os.path.exists(f"/proc/{process}"):
            rmtree(folder, ignore_errors=True)


def needs_conversion(arguments: list[str]) -> bool:
    return any(_format(argument) or _files_of(argument) for argument in arguments)


def _files_of(argument: str) -> list[str]:
    """The files of a folder or pattern, if one of them must be converted; in the order of the command line."""
    if os.path.isdir(argument):
        files = [entry.path for entry in os.scandir(argument) if entry.is_file() and entry.name[0] not in "._"]
    elif not os.path.exists(argument) and any(letter in argument for letter in "*?["):
        files = [name for name in glob(argument) if os.path.isfile(name)]
    else:
        return []
    return sorted(files, key=os.fsencode) if any(_format(name) for name in files) else []


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


def _to_csv(path: str, output: Path) -> None:
    """In batches, so the table need not fit in memory."""
    pa = _pyarrow(path)
    try:
        table = pa.dataset.dataset(path, format=_format(path))
        kept = [field for field in table.schema if field.name not in _index_columns(table.schema)]
        schema = pa.schema([(field.name, _csv_type(pa, path, field)) for field in kept])
        needed, free = table.count_rows() * len(kept) * CSV_BYTES, disk_usage(output.parent).free
        if needed > free:
            raise Error(
                f"{path}: as CSV it needs about {needed / 2**20:,.0f} MB in {output.parent.parent.parent}, which has "
                f"{free / 2**20:,.0f} MB; choose another folder with --scratch"
            )
        with pa.csv.CSVWriter(output, schema) as writer:
            for batch in table.to_batches(columns=schema.names):
                writer.write_table(pa.Table.from_batches([batch]).cast(schema))
    except (OSError, pa.ArrowException) as error:
        raise Error(f"{path}: {' '.join(str(error).split())}") from None


def _index_columns(schema: pa.Schema) -> set[str]:
    """Columns that hold the index of a pandas DataFrame, which is not data."""
    return {name for name in (schema.pandas_metadata or {}).get("index_columns", ()) if isinstance(name, str)}


def _csv_type(pa: Any, path: str, field: pa.Field) -> pa.DataType:
    """What to write a column as: categories as their texts, and numbers with all digits of a double."""
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return pa.float64()
    if pa.types.is_nested(kind):
        raise Error(f"{path}: column '{field.name}' has the type {kind}: must be numbers, texts, booleans or dates")
    return kind


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
