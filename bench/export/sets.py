"""Exported models on all test rows of real data sets, beside the library (Markdown).

    bench/export/sets                     all sets of ../shared/data
    bench/export/sets --sets german adult only these
    bench/export/sets --inducing 50       another number of inducing inputs (default: 100)

The model is fitted to the training rows with the library's own choices. Then the library (Model::predict),
onnxruntime in batches of 200 and the C header predict every test row, on one thread. A set that is one file is split:
four fifths are for training. Compare times within one line only.
"""

from __future__ import annotations

import argparse
import lzma
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_svmlight_file

from bench.export.session import BATCH, c_program, onnx_session
from bench.support import machine
from induce import GPClassifier

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
Table = np.ndarray | pd.DataFrame


def sparse_rows(path: Path) -> tuple[np.ndarray, np.ndarray]:
    with lzma.open(path) as file:
        X, y = load_svmlight_file(file)
    return X.toarray(), y.astype(int)


def same_width(*tables: np.ndarray) -> list[np.ndarray]:
    """LIBSVM files leave out zeros, and so the last columns of a file may be missing."""
    width = max(each.shape[1] for each in tables)
    return [np.ascontiguousarray(np.pad(each, ((0, 0), (0, width - each.shape[1])))) for each in tables]


def read(path: Path) -> tuple[Table, np.ndarray, Table, np.ndarray]:
    """Training rows, their labels, test rows, and theirs. `path`: without what follows the name of the set."""
    train, test = (path.with_name(f"{path.name}.{part}.svm.xz") for part in ("train", "test"))
    if path.name == "adult":
        tables = [pd.read_csv(path.with_name(f"adult.{part}.csv.xz"), na_values="?") for part in ("train", "test")]
        X, T = (table.iloc[:, :-1] for table in tables)
        y, labels = (table.iloc[:, -1].to_numpy() for table in tables)
        return X, y, T, labels
    if train.exists():
        (X, y), (T, labels) = sparse_rows(train), sparse_rows(test)
    else:
        X, y = sparse_rows(path.with_name(path.name + ".svm.xz"))
        order = np.random.default_rng(0).permutation(len(X))
        held_out = len(X) // 5
        T, labels, X, y = X[order[:held_out]], y[order[:held_out]], X[order[held_out:]], y[order[held_out:]]
    X, T = same_width(X, T)
    return X, y, T, labels


def feed_of(model: GPClassifier, T: Table) -> dict[str, np.ndarray]:
    if isinstance(T, np.ndarray):
        return {"X": T}
    X = model._read_columns(T)
    feed = {}
    for k, column in enumerate(model.columns_):
        if column.kind in ("category", "boolean"):
            texts = T[column.name].fillna("").astype(str).str.strip()
            feed[column.name] = texts.to_numpy(dtype=object)[:, None]
        else:
            feed[column.name] = X[:, [k]]
    return feed


def line(path: Path, inducing: int) -> str:
    X, y, T, _ = read(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of gaps and levels that training did not have
        model = GPClassifier(inducing=inducing).fit(X, y).set_params(threads=1)
        seconds, found = {}, {}

        def timed(name: str, predict) -> None:
            begin = time.perf_counter()
            found[name] = predict()
            seconds[name] = time.perf_counter() - begin

        timed("library", lambda: model.predict_proba(T))
        session, feed = onnx_session(model, ["label", "probabilities"]), feed_of(model, T)
        parts = [{name: values[k : k + BATCH] for name, values in feed.items()} for k in range(0, len(T), BATCH)]
        timed("onnx", lambda: [session(part) for part in parts])
        with tempfile.TemporaryDirectory() as folder:
            program, cells = c_program(model, Path(folder)), model._read_columns(T)
            timed("C", lambda: program(cells))
        labels = np.concatenate([each[0] for each in found["onnx"]])
        wrong = int(np.sum(labels.astype(str) != model.predict(T).astype(str)))
    P = np.concatenate([each[1] for each in found["onnx"]])
    off = {"onnx": np.abs(P - found["library"]).max(), "C": np.abs(found["C"] - found["library"]).max()}
    rate = {name: f"{len(T) / each:,.0f}" for name, each in seconds.items()}
    return (
        f"| {path.name} | {len(T):,} | {wrong} | {off['onnx']:.0e} | {off['C']:.0e} | "
        f"{rate['library']} | {rate['onnx']} | {rate['C']} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", metavar="SET")
    parser.add_argument("--inducing", type=int, default=100, metavar="M")
    chosen = parser.parse_args()
    if not SHARED.is_dir():
        parser.error(f"{SHARED} is not there")
    files = [path for folder in (".", "multiclass", "mixed") for path in sorted((SHARED / folder).glob("*.xz"))]
    sets = {path.name.split(".")[0]: path.with_name(path.name.split(".")[0]) for path in files}
    print(f"{machine.cpu_model()}, one thread, m = {chosen.inducing}\n")
    print(
        "| set | test rows | other labels, ONNX | largest difference, ONNX | C | library, rows/s | "
        "onnxruntime, rows/s | C, rows/s |\n" + "|---" * 8 + "|"
    )
    for name in chosen.sets or sets:
        if name not in sets:
            parser.error(f"--sets: '{name}' is not one of {', '.join(sets)}")
        print(line(sets[name], chosen.inducing), flush=True)


if __name__ == "__main__":
    main()
