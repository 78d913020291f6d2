"""Measures the Python overhead of a fit on a synthetic table of the size of magic (19,020 rows, 10 features).

    python bench/python/overhead.py [--command build/induce] [--rows 19020] [--repeats 3] [--max-iter 60]

ratio           wall-clock time of GPClassifier.fit divided by the core's own time in the same fit, which excludes
                checking, converting and standardising the table and all callbacks into Python
ratio_of_best   the same wall-clock time divided by `seconds` from the command line's summary for the same fit in a
                separate process; best of each, run alternately. On a shared machine this is mostly noise.
Both must reach the same bound to the last bit.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from induce import GPClassifier


def table(rows: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    X = random.normal(size=(rows, 10))
    return X, (np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + random.normal(size=rows) > 0).astype(int)


def fit_by_command(command: str, csv: Path, max_iter: int) -> tuple[float, float]:
    summary = csv.with_suffix(".json")
    fit = [command, "fit", str(csv), "--json", str(summary), "--quiet", "--max-iter", str(max_iter)]
    subprocess.run(fit, check=True)
    report = json.loads(summary.read_text())
    return report["seconds"], report["elbo"]


def fit_in_python(X: np.ndarray, y: np.ndarray, max_iter: int) -> tuple[float, float, float]:
    classifier = GPClassifier(max_iter=max_iter)
    begin = time.perf_counter()
    classifier.fit(X, y)
    return time.perf_counter() - begin, classifier.report_["seconds"], classifier.elbo_


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/induce")
    parser.add_argument("--rows", type=int, default=19_020)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--max-iter", type=int, default=60)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)  # max_iter keeps the bench short

    X, y = table(arguments.rows)
    command, python = [], []
    with tempfile.TemporaryDirectory() as folder:
        csv = Path(folder) / "table.csv"
        np.savetxt(csv, np.column_stack([X, y]), delimiter=",", fmt=[*["%.17g"] * X.shape[1], "%d"])
        for _ in range(arguments.repeats):
            command.append(fit_by_command(arguments.command, csv, arguments.max_iter))
            python.append(fit_in_python(X, y, arguments.max_iter))
    assert len({run[-1] for run in command + python}) == 1, "the two fits differ"
    ratio = statistics.median(wall / core for wall, core, _ in python)
    added = statistics.median(wall - core for wall, core, _ in python)
    ratio_of_best = min(python)[0] / min(command)[0]
    print(f"rows {arguments.rows}  python {min(python)[0]:.3f} s  of which outside the core {added:.4f} s", end="  ")
    print(f"ratio {ratio:.4f}  ratio_of_best {ratio_of_best:.3f}")


if __name__ == "__main__":
    main()
