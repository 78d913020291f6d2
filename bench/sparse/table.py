"""A made-up table like rcv1: 20,000 rows, 40,000 columns, 0.2 % full, columns by Zipf's law, rows of unit length.

A row has about 80 different columns, column k with probability proportional to 1 / (k + 10). Values are those of tf-idf:
a count times log(rows / rows with the column), then the row is divided by its length. The label is a linear function of
the 2,000 most frequent columns plus noise.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy import sparse
from sklearn.datasets import dump_svmlight_file


def make_table(
    rows: int, columns: int = 40_000, full: float = 0.002, seed: int = 1
) -> tuple[sparse.csr_array, np.ndarray]:
    random = np.random.default_rng(seed)
    p = 1 / (np.arange(columns) + 10)
    length = random.poisson(full * columns * 1.35, size=rows) + 1  # some columns are drawn twice
    drawn = random.choice(columns, size=length.sum(), p=p / p.sum())
    row = np.repeat(np.arange(rows), length)
    counts = sparse.csr_array((np.ones(len(drawn)), (row, drawn)), shape=(rows, columns))
    counts.sum_duplicates()
    counts.data = 1 + np.log(counts.data)
    having = np.bincount(counts.indices, minlength=columns)
    X = counts @ sparse.diags_array(np.log(rows / np.maximum(having, 1)))
    X = sparse.diags_array(1 / np.maximum(sparse.linalg.norm(X, axis=1), 1e-300)) @ X
    weights = np.zeros(columns)
    weights[:2000] = random.normal(size=2000)
    score = X @ weights
    score = (score - score.mean()) / score.std()
    y = random.uniform(size=rows) < 1 / (1 + np.exp(-3 * score))
    X = sparse.csr_array(X)
    X.data = np.round(X.data, 5)
    X.sort_indices()
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # for dump_svmlight_file
    return X, y.astype(int)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train")
    parser.add_argument("test")
    arguments = parser.parse_args()
    X, y = make_table(25_000)
    for path, part in ((arguments.train, slice(None, 20_000)), (arguments.test, slice(20_000, None))):
        dump_svmlight_file(X[part], y[part], path, zero_based=False)


if __name__ == "__main__":
    main()
