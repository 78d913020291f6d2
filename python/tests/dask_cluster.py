"""Clusters and tables for the tests of induce.dask, which are skipped without Dask."""

import warnings
from contextlib import contextmanager

import numpy as np
import pytest

dask = pytest.importorskip("dask", reason="dask is not installed: pip install 'induce[dask]'")
distributed = pytest.importorskip("distributed", reason="distributed is not installed: pip install 'induce[dask]'")
pd = pytest.importorskip("pandas")
dd = pytest.importorskip("dask.dataframe")
da = pytest.importorskip("dask.array")

SMALL = {"inducing": 12, "max_iter": 25, "threads": 1}
LARGE = {**SMALL, "sample_rows": 1000}  # the rows stay in shards


@contextmanager
def quiet():
    """Fits end on max_iter, and Dask warns about itself."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the fit did not converge")
        warnings.filterwarnings("ignore", category=DeprecationWarning, module="dask|distributed|tornado")
        warnings.filterwarnings("ignore", category=ResourceWarning)
        warnings.filterwarnings("ignore", category=UserWarning, module="distributed")
        yield


def start(workers):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            memory_limit=0,
            dashboard_address=":0",
            silence_logs=50,
        )
        return cluster, distributed.Client(cluster)


@contextmanager
def running(workers):
    cluster, client = start(workers)
    yield client
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        client.close()
        cluster.close()


def numbers(rows=1200, classes=2):
    random = np.random.default_rng(1)
    X = random.normal(size=(rows, 3))
    X[: rows // 5] = np.round(X[: rows // 5])  # equal rows
    X[random.random(X.shape) < 0.03] = np.nan
    f = np.nan_to_num(2 * np.sin(2 * X[:, 0]) + X[:, 1]) + random.normal(size=rows) / 2
    y = np.clip(np.floor(f + classes / 2), 0, classes - 1).astype(int)
    weight = np.where(random.random(rows) < 0.3, 0.3, 1.1)
    return X, y, weight


def bytes_of(classifier):
    return classifier.model_.__getstate__()
