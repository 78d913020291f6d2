"""Records as JSON lines: append one, read all, find the last one for a key."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Record = dict[str, Any]


def plain(value: Any) -> Any:
    """`value` with NaN and infinities replaced by None, because JSON cannot represent them."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def append(path: Path, record: Record) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as out:
        out.write(json.dumps(plain(record), separators=(",", ":")) + "\n")


def read(path: Path) -> list[Record]:
    """All records. A truncated last line, left by an interrupted run, is skipped."""
    if not path.exists():
        return []
    records = []
    for number, text in enumerate(lines := path.read_text().splitlines()):
        try:
            records.append(json.loads(text))
        except json.JSONDecodeError:
            if number + 1 < len(lines):
                raise ValueError(f"{path}: line {number + 1} is not JSON") from None
    return records


def last_by(records: Iterable[Record], *keys: str) -> dict[tuple, Record]:
    """The last record for each value of `keys`: a rerun replaces the earlier record."""
    return {tuple(record.get(key) for key in keys): record for record in records}


def significant(value: float, digits: int = 5) -> float:
    """`value` rounded to `digits` significant digits, to keep the files small."""
    return float(f"{value:.{digits}g}") if math.isfinite(value) else value
