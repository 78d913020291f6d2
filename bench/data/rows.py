"""Rows as canonical lines of LIBSVM text, and a checksum that does not depend on number formatting."""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Callable, Iterable
from pathlib import Path


def number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def line(label: int, features: Iterable[tuple[int, float]]) -> str:
    """`label` is +1 or -1; zeros are left out."""
    return " ".join([f"{label:+d}", *(f"{index}:{number(value)}" for index, value in features if value)])


def from_libsvm(text: str, positive: Callable[[str], bool]) -> list[str]:
    rows = []
    for label, *entries in (words for text_line in text.splitlines() if (words := text_line.split())):
        pairs = (entry.partition(":") for entry in entries)
        rows.append(line(1 if positive(label) else -1, ((int(index), float(value)) for index, _, value in pairs)))
    return rows


def from_table(text: str, separator: str | None, positive: Callable[[str], bool]) -> list[str]:
    """Rows of numbers with the label last; `separator` None: whitespace."""
    rows = []
    for words in (text_line.split(separator) for text_line in text.splitlines() if text_line.strip()):
        *values, label = (word.strip() for word in words)
        rows.append(line(1 if positive(label) else -1, enumerate((float(value) for value in values), 1)))
    return rows


def checksum(rows: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for row in rows:
        digest.update(row.encode() + b"\n")
    return digest.hexdigest()


def read(path: Path) -> list[str]:
    return from_libsvm(lzma.decompress(path.read_bytes()).decode(), lambda label: float(label) > 0)


def write(path: Path, rows: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lzma.compress(("\n".join(rows) + "\n").encode()))
