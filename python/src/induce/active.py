"""Active learning with modAL and scikit-activeml: both ask `GPClassifier.rank_rows` which rows to label next.

>>> learner = modAL.models.ActiveLearner(GPClassifier().fit(X, y), query_strategy=modal_query)
>>> positions, rows = learner.query(X_pool, n_instances=20)

>>> strategy = GainSampling()  # of scikit-activeml
>>> positions = strategy.query(X, y, clf=SklearnClassifier(GPClassifier(), classes=[0, 1]), batch_size=20)
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

__all__ = ["GainSampling", "modal_query"]  # noqa: F822


def modal_query(learner: Any, X_pool: Any, n_instances: int = 1, **options: Any) -> tuple[np.ndarray, np.ndarray]:
    """A query strategy of modAL: positions in X_pool, the first one first, and the gain of each.

    The estimator of the learner is a fitted GPClassifier, or a pipeline that ends with one. Options are those of
    `rank_rows`.
    """
    return ranked(learner.estimator, X_pool, n_instances, **options)


def ranked(estimator: Any, X: Any, n: int, **options: Any) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(estimator, Pipeline):
        X, estimator = estimator[:-1].transform(X), estimator[-1]
    return estimator.rank_rows(X, n, return_gain=True, **options)


def __getattr__(name: str) -> Any:
    if name == "GainSampling":  # needs scikit-activeml
        return import_module("._skactiveml", __package__).GainSampling
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
