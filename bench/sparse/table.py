"""Two made-up tables like rcv1: 20,000 rows for training and 5,000 to test, 40,000 columns, 0.25 % full, unit length.

Columns follow Zipf's law: column k has a probability proportional to 1 / (k + 10). Values are those of tf-idf: a
count times log(rows / rows with the column); then each row is divided by its length.

linear: about 100 independent columns per row; the label is a linear function of the 2,000 most frequent columns plus
noise. topics: a row has two of 20 topics, and half of its columns are from the 200 columns of each; the label says
whether both topics are of the same half, with 5 % of the labels flipped: no linear function knows.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

ROWS, TEST_ROWS, COLUMNS, PER_ROW = 20_000, 5_000, 40_000, 130
TOPICS, OF_TOPIC = 20, 200


def zipf_columns(count: int, random: np.random.Generator) -> np.ndarray:
    p = 1 / (np.arange(COLUMNS) + 10)
    return random.choice(COLUMNS, size=count, p=p / p.sum())


def tf_idf(row: np.ndarray, column: np.ndarray, rows: int) -> sparse.csr_array:
    counts = sparse.csr_array((np.ones(len(row)), (row, column)), shape=(rows, COLUMNS))
    counts.sum_duplicates()
    counts.data = 1 + np.log(counts.data)
    having = np.bincount(counts.indices, minlength=COLUMNS)
    X = counts @ sparse.diags_array(np.log(rows / np.maximum(having, 1)))
    X = sparse.csr_array(sparse.diags_array(1 / np.maximum(sparse.linalg.norm(X, axis=1), 1e-300)) @ X)
    X.data = np.round(X.data, 5)
    X.sort_indices()
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # for dump_svmlight_file
    return X


def linear(random: np.random.Generator) -> tuple[sparse.csr_array, np.ndarray]:
    rows = ROWS + TEST_ROWS
    length = random.poisson(PER_ROW, size=rows) + 1
    X = tf_idf(np.repeat(np.arange(rows), length), zipf_columns(length.sum(), random), rows)
    score = X[:, :2000] @ random.normal(size=2000)
    score = 3 * (score - score.mean()) / score.std()
    return X, (random.uniform(size=rows) < 1 / (1 + np.exp(-score))).astype(int)


def topics(random: np.random.Generator) -> tuple[sparse.csr_array, np.ndarray]:
    rows = ROWS + TEST_ROWS
    vocabulary = random.permutation(COLUMNS)[: TOPICS * OF_TOPIC].reshape(TOPICS, OF_TOPIC)
    chosen = random.integers(TOPICS, size=(rows, 2))
    length = random.poisson(PER_ROW, size=rows) + 1
    row = np.repeat(np.arange(rows), length)
    column = zipf_columns(len(row), random)
    special = random.uniform(size=len(row)) < 0.5
    topic = chosen[row[special], random.integers(2, size=special.sum())]
    column[special] = vocabulary[topic, random.integers(OF_TOPIC, size=special.sum())]
    y = (chosen[:, 0] % 2) == (chosen[:, 1] % 2)
    return tf_idf(row, column, rows), (y ^ (random.uniform(size=rows) < 0.05)).astype(int)


TABLES = {"linear": linear, "topics": topics}
