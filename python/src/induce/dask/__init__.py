"""Fits of tables that are spread over the workers of a Dask cluster.

>>> from induce.dask import GPClassifier
>>> classifier = GPClassifier(client=client).fit(X, y)  # dask arrays or DataFrames
>>> classifier.predict_proba(X_new)  # lazy
"""

from __future__ import annotations

try:
    import dask  # noqa: F401
    import distributed  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"induce.dask needs dask and distributed ({error}): pip install 'induce[dask]', or 'dask[distributed]'"
    ) from error

from ._classifier import GPClassifier
from ._cluster import WorkerLost

WorkerLost.__module__ = GPClassifier.__module__ = __name__  # the public names, also used by pickle

__all__ = ["GPClassifier", "WorkerLost"]
