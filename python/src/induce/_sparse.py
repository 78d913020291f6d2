"""scipy's sparse matrices for the core: CSR arrays, columns in order. The core decides whether they stay sparse."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from . import _core


def is_sparse(X: Any) -> bool:
    return sparse.issparse(X)


def table_of(X: Any) -> _core.SparseTable:
    """From a CSR matrix of doubles. Copies only what is not in order yet."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return _core.SparseTable(
        np.ascontiguousarray(X.indptr, dtype=np.int64),
        np.ascontiguousarray(X.indices, dtype=np.int32),
        np.ascontiguousarray(X.data, dtype=np.float64),
        X.shape[1],
    )
