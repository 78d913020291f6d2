"""A table in many files, fitted within a limit of memory: python examples/out_of_core.py

Small here, so that it takes seconds; `--sample-rows` makes it a large table all the same. The model has the same
bytes as that of a fit in memory.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

FILES, ROWS = 6, 5_000


def induce(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "induce", *arguments], check=True)


def write_parts(folder: Path) -> None:
    for number in range(FILES):
        random = np.random.default_rng(number)
        X = random.normal(size=(ROWS, 4)).round(4)
        y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + random.normal(0, 0.5, ROWS) > 0
        table = np.column_stack([X, y])
        np.savetxt(folder / f"part-{number}.csv", table, "%.4g", ",", header="a,b,c,d,label", comments="")


def main(folder: Path) -> None:
    write_parts(folder)
    parts = f"{folder}/part-*.csv"
    large = ["--sample-rows", "4000", "--inducing", "60", "--kernel", "se", "--quiet"]
    for name, limit in {"memory": [], "files": ["--memory", "20MB"]}.items():
        outputs = ["-o", f"{folder}/{name}.model", "--json", f"{folder}/{name}.json"]
        induce("fit", parts, *large, *limit, *outputs)
        summary = json.loads((folder / f"{name}.json").read_text())
        print(f"{name}: {summary['n']} rows, {summary['passes']} passes, elbo {summary['elbo']:.1f}")
    same = (folder / "memory.model").read_bytes() == (folder / "files.model").read_bytes()
    print("the models have the same bytes" if same else "the models differ")
    induce("eval", f"{folder}/files.model", parts)


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        main(Path(folder))
