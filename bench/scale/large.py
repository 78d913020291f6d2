"""A table of many rows from a CSV file, in memory and in scratch files (Markdown).

    bench/scale/large                     ten million rows, --memory 700MB
    bench/scale/large --rows 1000000 --memory 300MB
    bench/scale/large --inducing 0        the library's own choice of the number of inducing inputs

The labels are drawn from known probabilities, so the NLL of a model can be compared with that of the truth on 200,000
other rows. Both models must have the same bytes. Peak memory is that of the process, reading included. The data file,
about 87 bytes a row, is kept in --folder for the next run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from bench.support import machine

COMMAND = Path(__file__).resolve().parents[2] / "build" / "induce"
PIECE = 100_000
TEST_ROWS = 200_000


def made_up(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, labels, and the true probabilities of class 1."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 10)).round(5)
    p = 1 / (1 + np.exp(-(2 * np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + X[:, 3] / 2)))
    return X, (random.random(rows) < p).astype(int), p


def write(path: Path, rows: int, seed: int) -> float:
    """Write a CSV file; return the NLL of the true probabilities."""
    loss = 0.0
    with path.open("w") as file:
        file.write(",".join(f"x{k}" for k in range(10)) + ",label\n")
        for first in range(0, rows, PIECE):
            X, y, p = made_up(min(PIECE, rows - first), seed + first)
            np.savetxt(file, np.column_stack([X, y]), fmt=["%.5f"] * 10 + ["%d"], delimiter=",")
            loss -= np.log(np.where(y == 1, p, 1 - p)).sum()
    return loss / rows


def fit(folder: Path, data: Path, test: Path, options: list[str]) -> tuple[dict, bytes, float]:
    model, summary = folder / "large.model", folder / "large.json"
    began = time.perf_counter()
    words = ["fit", data, "--test", test, "-o", model, "--json", summary, "--quiet", *options]
    subprocess.run([COMMAND, *map(str, words)], check=True)
    return json.loads(summary.read_text()), model.read_bytes(), time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000, metavar="N")
    parser.add_argument("--memory", default="700MB", metavar="BYTES")
    parser.add_argument("--inducing", type=int, default=100, metavar="M")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()), metavar="DIR")
    chosen = parser.parse_args()
    data, test = chosen.folder / f"induce-large-{chosen.rows}.csv", chosen.folder / "induce-large-test.csv"
    if not data.exists():
        print(f"writing {data.name}", file=sys.stderr, flush=True)
        write(data, chosen.rows, 1)
    truth = write(test, TEST_ROWS, 10**9)
    options = ["--inducing", str(chosen.inducing)] if chosen.inducing else []
    print(f"{machine.cpu_model()}, {chosen.rows:,} rows, CSV of {data.stat().st_size / 1e6:,.0f} MB\n")
    print(
        "| rows are | seconds, all | seconds, fit | passes | m | peak, MB | test NLL - truth |\n" + "|---" * 7 + "|"
    )
    models, seconds = [], []
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        for where, more in (("in memory", []), ("in files", ["--memory", chosen.memory])):
            found, model, whole = fit(Path(folder), data, test, [*options, *more])
            models.append(model)
            seconds.append(whole)
            excess = found["test"]["nll"] - truth
            print(
                f"| {where} | {whole:.0f} | {found['seconds']:.0f} | {found['passes']} | {found['m']} | "
                f"{found['peak_rss_mb']:.0f} | {excess:.4f} |",
                flush=True,
            )
    print(f"\nfiles over memory: {seconds[1] / seconds[0]:.2f} times the seconds")
    print("the models have the same bytes" if models[0] == models[1] else "THE MODELS DIFFER")
    sys.exit(models[0] != models[1])


if __name__ == "__main__":
    main()
