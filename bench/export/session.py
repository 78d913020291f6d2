"""Predictions of exported models beside the library's, on one thread (Markdown).

    bench/export/run                     m = 20, 100 and 400, two classes and three
    bench/export/run --inducing 50       another m

Ten features, kernel se. The C header is compiled with cc -O3 -march=native and called row by row; the library
(Model::predict) and onnxruntime get 10,000 rows at once, onnxruntime also in batches of 200. Best of five, in turn.
Compare within one run only.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime

from bench.support import machine
from induce import GPClassifier

PROGRAM = """#include "model.h"
int many(const double *X, long n, double *P) {
  long i;
  int failed = 0;
  for (i = 0; i < n; ++i) failed |= induce_predict(X + i * INDUCE_FEATURES, P + i * INDUCE_CLASSES);
  return failed;
}
"""
ROWS, FEATURES, BATCH, ROUNDS = 10_000, 10, 200, 5


def fitted(m: int, classes: int) -> GPClassifier:
    random = np.random.default_rng(0)
    X = random.normal(size=(max(2000, 3 * m), FEATURES))
    f = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.3 * random.normal(size=len(X))
    y = np.digitize(f, [0.0] if classes == 2 else [-0.5, 0.5])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that 100 iterations may be too few
        return GPClassifier(kernel="se", warp="none", inducing=m, max_iter=100).fit(X, y)


def c_program(model: GPClassifier, folder: Path) -> Callable[[np.ndarray], np.ndarray]:
    model.to_c(folder / "model.h")
    (folder / "many.c").write_text(PROGRAM)
    command = ["cc", "-O3", "-march=native", "-fPIC", "-shared", "many.c", "-o", "many.so", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    library = ctypes.CDLL(str(folder / "many.so"))

    def predict(X: np.ndarray) -> np.ndarray:
        P = np.empty((len(X), len(model.classes_)))
        at = [each.ctypes.data_as(ctypes.c_void_p) for each in (X, P)]
        assert library.many(at[0], ctypes.c_long(len(X)), at[1]) == 0
        return P

    return predict


def onnx_session(model: GPClassifier, outputs: list[str]) -> Callable[[dict[str, np.ndarray]], list[np.ndarray]]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    content = model.to_onnx().SerializeToString()
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    return lambda feed: session.run(outputs, feed)


def batches(predict: Callable[[np.ndarray], np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
    return lambda X: np.concatenate([predict(X[k : k + BATCH]) for k in range(0, len(X), BATCH)])


def row(m: int, classes: int) -> str:
    model = fitted(m, classes)
    X = np.random.default_rng(1).normal(size=(ROWS, FEATURES))
    with tempfile.TemporaryDirectory() as folder:
        session = onnx_session(model, ["probabilities"])

        def runtime(X: np.ndarray) -> np.ndarray:
            return session({"X": X})[0]

        ways = {
            "library": lambda X: model.set_params(threads=1).predict_proba(X),
            "C": c_program(model, Path(folder)),
            "onnx": runtime,
            "batches": batches(runtime),
        }
        best = dict.fromkeys(ways, np.inf)
        found = {}
        for _ in range(ROUNDS):
            for name, predict in ways.items():
                begin = time.perf_counter()
                found[name] = predict(X)
                best[name] = min(best[name], time.perf_counter() - begin)
    worst = max(np.abs(found[name] - found["library"]).max() for name in ways)
    ns = {name: seconds / ROWS * 1e9 for name, seconds in best.items()}
    rate = {name: f"{ROWS / best[name]:,.0f}" for name in ways}
    return (
        f"| {model.model_.inducing} | {classes} | {ns['library']:,.0f} | {ns['C']:,.0f} | "
        f"{ns['C'] / ns['library']:.1f} | {rate['library']} | "
        f"{rate['onnx']} | {rate['batches']} | {ns['batches'] / ns['library']:.1f} | {worst:.0e} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inducing", type=int, nargs="+", default=[20, 100, 400], metavar="M")
    chosen = parser.parse_args()
    print(f"{machine.cpu_model()}, one thread\n")
    print(
        "| m | classes | library, ns a row | C header, ns a row | ratio | library, rows/s | onnxruntime, rows/s | "
        "in batches of 200 | ratio | largest difference |\n" + "|---" * 10 + "|"
    )
    for classes in (2, 3):
        for m in chosen.inducing:
            print(row(m, classes), flush=True)


if __name__ == "__main__":
    main()
