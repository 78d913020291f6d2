"""What bench/compare measures: a pass, predictions, reading, and whole fits. Each measure runs a program once."""

from __future__ import annotations

import json
import math
import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.support.program import bench_words, call
from bench.support.settings import files

REAL = ("german", "svmguide1", "magic")
MADE_UP = {"made-up-small": 800, "made-up-middle": 3000, "made-up-large": 15_000}  # training rows
TEST_ROWS = 2000


@dataclass(frozen=True)
class Sample:
    seconds: float
    shown: str  # what people want to know, with its unit
    nll: float | None = None  # of a fit, on test rows


@dataclass(frozen=True)
class Measure:
    """A command with arguments that writes a JSON file; `field` of it is shown, times `scale`."""

    name: str  # as in budget.json
    arguments: tuple[str | Path, ...]
    field: str = "seconds"
    unit: str = "s"
    scale: float = 1.0

    def run(self, program: Path) -> Sample:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out.json"
            command, *more = self.arguments
            call([*(bench_words(program) if command == "bench" else [program, command]), *more, "--json", out])
            found = json.loads(out.read_text())
        nll = found["test"]["nll"] if "test" in found else None
        return Sample(found["seconds"], f"{found[self.field] * self.scale:.4g} {self.unit}", nll)


def bench(kind: str, rows: int, inducing: int, *more: str) -> tuple[str, ...]:
    return ("bench", kind, "--rows", str(rows), "--inducing", str(inducing), "--repeats", "3", *more)


def made_up_rows(rows: int, seed: int) -> list[str]:
    """Lines of a CSV file: eight features, two of no use, and a label that is a curved function of the others."""
    draw = random.Random(seed)
    lines = ["x0,x1,x2,x3,x4,x5,x6,x7,label"]
    for _ in range(rows):
        x = [round(draw.gauss(0, 1), 6) for _ in range(8)]
        f = 2 * math.sin(2 * x[0]) + x[1] * x[2] + abs(x[3]) - 1 + x[4] - 0.5 * x[5] ** 2
        lines.append(",".join(map(str, x)) + f",{int(draw.random() < 1 / (1 + math.exp(-2 * f)))}")
    return lines


def write_lines(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


def fit_files(data: Path, folder: Path) -> dict[str, tuple[Path, Path]]:
    """Train and test file of each fit: the real sets where `data` has them, otherwise made-up ones in `folder`."""
    try:
        return {name: files(data, name) for name in REAL}
    except FileNotFoundError:
        test = write_lines(folder / "test.csv", made_up_rows(TEST_ROWS, 0))
        return {
            name: (write_lines(folder / f"{name}.csv", made_up_rows(rows, rows)), test)
            for name, rows in MADE_UP.items()
        }


def measures(data: Path, folder: Path, *, quick: bool) -> list[Measure]:
    """All measures, with files they need in `folder`. `quick`: on fewer rows, for the same names."""
    size = 4 if quick else 1
    head, *rows = made_up_rows(4000, 1)
    table = write_lines(folder / "read.csv", [head, *rows * (150 // size)])
    return [
        Measure("pass-100", bench("pass", 200_000 // size, 100, "--features", "10", "--only-pass")),
        Measure("pass-400", bench("pass", 50_000 // size, 400, "--features", "10", "--only-pass")),
        Measure("predict", bench("predict", 400_000 // size, 100), "rows_per_second", "M rows/s", 1e-6),
        Measure("read-csv", ("bench", "read", table, "--repeats", "3", "--threads", "1"), "mb_per_second", "MB/s"),
        *(
            Measure(f"fit-{name}", ("fit", train, "--test", test, "--quiet"))
            for name, (train, test) in fit_files(data, folder).items()
        ),
    ]
