"""A table in many files, and a limit of memory: python examples/out_of_core.py

Small here, so that it takes seconds: it stays in memory. A table that would need more than `--memory` is kept in
scratch files and gives the same bytes (docs/scale.md). `--sample-rows` makes this one a large table all the same.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

FILES, ROWS = 6, 5_000
HEADER = "a,b,c,d,label"


def induce(*arguments: str) -> str:
    """What the command writes to standard output, or its message if it fails."""
    done = subprocess.run([sys.executable, "-m", "induce", *arguments], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else done.stderr


def save(path: Path, table: np.ndarray) -> None:
    np.savetxt(path, table, "%.4g", ",", header=HEADER, comments="")


def write_tables(folder: Path) -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(FILES * ROWS, 4)).round(4)
    y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + random.normal(0, 0.5, len(X)) > 0
    table = np.column_stack([X, y])
    for number in range(FILES):
        save(folder / f"part-{number}.csv", table[number::FILES])
    save(folder / "whole.csv", table[::-1])


def main(folder: Path) -> None:
    write_tables(folder)
    large = ["--sample-rows", "4000", "--inducing", "60", "--kernel", "se", "--quiet"]
    for name, data in {"parts": f"{folder}/part-*.csv", "whole": f"{folder}/whole.csv"}.items():
        induce(
            "fit", data, *large, "--memory", "1GB", "-o", f"{folder}/{name}.model", "--json", f"{folder}/{name}.json"
        )
        summary = json.loads((folder / f"{name}.json").read_text())
        print(f"{name}: {summary['n']} rows, {summary['passes']} passes, elbo {summary['elbo']:.1f}")
    same = (folder / "parts.model").read_bytes() == (folder / "whole.model").read_bytes()
    print("the models have the same bytes" if same else "the models differ")
    print(induce("eval", f"{folder}/parts.model", f"{folder}/part-*.csv"), end="")
    print(induce("fit", f"{folder}/part-*.csv", *large, "--memory", "1MB", "-o", f"{folder}/none.model"), end="")


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        main(Path(folder))
