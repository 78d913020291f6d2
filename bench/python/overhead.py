"""What Python adds to a fit: wall-clock seconds of GPClassifier.fit over those of the same fit in C++.

    python bench/python/overhead.py [--command build/induce] [--rows 19020] [--repeats 3]

The table is made up, with the size of magic (19,020 rows, 10 features). The C++ side is the command line's own
clock, `seconds` of its JSON summary, which leaves out reading the file; the Python side has everything between the
call and the answer. Both fit the same bits, which is checked. Best of several, in turn, since machines are noisy.
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from induce import GPClassifier


def table(rows: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    X = random.normal(size=(rows, 10))
    return X, (np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + random.normal(size=rows) > 0).astype(int)


def seconds_of_core(command: str, csv: Path, max_iter: int) -> tuple[float, float]:
    summary = csv.with_suffix(".json")
    fit = [command, "fit", str(csv), "--json", str(summary), "--quiet", "--max-iter", str(max_iter)]
    subprocess.run(fit, check=True)
    report = json.loads(summary.read_text())
    return report["seconds"], report["elbo"]


def seconds_of_python(X: np.ndarray, y: np.ndarray, max_iter: int) -> tuple[float, float]:
    classifier = GPClassifier(max_iter=max_iter)
    begin = time.perf_counter()
    classifier.fit(X, y)
    return time.perf_counter() - begin, classifier.elbo_


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/induce")
    parser.add_argument("--rows", type=int, default=19_020)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--max-iter", type=int, default=500)
    arguments = parser.parse_args()

    X, y = table(arguments.rows)
    core, python = [], []
    with tempfile.TemporaryDirectory() as folder:
        csv = Path(folder) / "table.csv"
        np.savetxt(csv, np.column_stack([X, y]), delimiter=",", fmt=[*["%.17g"] * X.shape[1], "%d"])
        for _ in range(arguments.repeats):
            core.append(seconds_of_core(arguments.command, csv, arguments.max_iter))
            python.append(seconds_of_python(X, y, arguments.max_iter))
    assert len({elbo for _, elbo in core + python}) == 1, "the two fits differ"
    best_core, best_python = min(core)[0], min(python)[0]
    print(f"rows {arguments.rows}  core {best_core:.3f} s  python {best_python:.3f} s", end="  ")
    print(f"ratio {best_python / best_core:.3f}")


if __name__ == "__main__":
    main()
