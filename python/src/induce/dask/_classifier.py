"""GPClassifier for Dask."""

from __future__ import annotations

import inspect
import os
from typing import Any

import dask.array as da
import distributed
from distributed import Client
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from .. import GPClassifier as LocalClassifier
from .. import _core, _labels, _options
from .._parameters import SIGNATURE, documented
from .._warnings import warn
from . import _parts, _predict
from ._cluster import Cluster
from ._fit import fit_on
from ._recipe import Recipe, find_recipe

OWN = ("client", "workers", "n_workers")


def _signature() -> inspect.Signature:
    own = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in OWN]
    own[0] = own[0].replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
    self, *others = SIGNATURE.parameters.values()
    return inspect.Signature([self, *own, *(each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in others)])


def _fitted(estimator: LocalClassifier) -> dict[str, Any]:
    return {name: value for name, value in vars(estimator).items() if name.endswith("_")}


@documented
class GPClassifier(LocalClassifier):
    """induce.GPClassifier for dask arrays and DataFrames, fitted by the workers that have their partitions.

    The model has the same bytes as that of induce.GPClassifier on the same rows, for any number of workers and
    however the rows are divided. When a worker dies, its partitions are computed again on others and the fit
    continues; if that is impossible, it ends with WorkerLost.

    Parameters
    ----------
    client : distributed.Client or None, default=None
        None: the current one (distributed.get_client).
    workers : str, list of str or None, default=None
        Addresses or hosts of the workers to use. None: all that have partitions.
    n_workers : int or None, default=None
        The largest number of workers to use.
    {parameters}

    Attributes
    ----------
    Those of induce.GPClassifier, and client_, the client in use. report_ has shards (workers that had rows),
    bytes_moved, seconds_waiting and shard_imbalance.
    """

    def __init__(self, client: Client | None = None, *, workers=None, n_workers=None, **parameters: Any):
        super().__init__(**parameters)
        self.client = client
        self.workers = workers
        self.n_workers = n_workers

    __init__.__signature__ = _signature()

    @property
    def client_(self) -> Client:
        if self.client is not None:
            return self.client
        try:
            return distributed.get_client()
        except ValueError:
            raise _core.Error("client = None: there is no current client; make a distributed.Client first") from None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> GPClassifier:
        """Fit the model to dask collections. y and sample_weight may be in other partitions than X."""
        if y is None:
            raise _core.Error("y = None: must be a dask array or Series")
        _parts.check_collections(X, y=y, sample_weight=sample_weight)
        cluster = self._cluster()
        options = _options.core_options(self._local_parameters())  # its errors before any work
        threads = None if self.threads is None else _options.threads(self.threads)

        if _parts.is_sparse(X):
            return self._fit_here(*(_parts.gathered(cluster, each) for each in (X, y, sample_weight)))
        source = _parts.Source(cluster, X, y, sample_weight)
        encode = _labels.encoder(self.likelihood, y, self.order)
        recipe = find_recipe(cluster, X, source.parts(), self._choices(), self.class_weight, encode)
        self._take(recipe)
        options.class_weights = recipe.class_weights
        label = None if isinstance(y, da.Array) else getattr(y, "name", None)
        names = {
            "classes": [_labels.name_of(each) for each in recipe.classes],
            "label": label if isinstance(label, str) else "",
            "features": [column.name for column in recipe.columns] if recipe.shape.names else [],
            "columns": self._kinds_for_core(),
        }
        with self._on_iteration() as on_iteration:
            self.model_, self.report_, raised = fit_on(cluster, source, recipe, options, threads, names, on_iteration)
        self.classes_ = recipe.classes
        if raised is not None:
            raise raised
        self._warn()
        return self

    def _fit_here(self, *table: Any) -> GPClassifier:
        """Rows of a sparse table become a few features, which are fitted in this process."""
        local = LocalClassifier(**self._local_parameters()).fit(*table)
        vars(self).update(_fitted(local))
        return self

    def predict(self, X: Any) -> Any:
        """Return the most probable class of each row, lazily: an array, or a Series for a DataFrame."""
        return self._lazily("predict", X)

    def predict_proba(self, X: Any) -> Any:
        """Return probabilities, lazily: an array, or for a DataFrame one with classes_ as columns."""
        return self._lazily("predict_proba", X)

    def predict_log_proba(self, X: Any) -> Any:
        return self._lazily("predict_log_proba", X)

    def predict_level(self, X: Any) -> Any:
        """Return the expected level of each row of ordered classes, lazily: an array."""
        if not _parts.is_lazy(X):
            return self.to_local().predict_level(X)
        levels, probability = self._levels(), self.predict_proba(X)
        return (probability if isinstance(probability, da.Array) else probability.to_dask_array()) @ levels

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows whose class is predicted correctly."""
        if not _parts.is_lazy(X):
            return self.to_local().score(X, y, sample_weight)
        _parts.check_collections(X, y=y, sample_weight=sample_weight)
        cluster = self._cluster()
        return _predict.accuracy(cluster, self._for_tasks(), _parts.Source(cluster, X, y, sample_weight).parts())

    def to_local(self) -> LocalClassifier:
        """Return an induce.GPClassifier with the same model, which needs neither client nor cluster."""
        check_is_fitted(self)
        local = LocalClassifier(**self._local_parameters())
        vars(local).update(_fitted(self))
        return local

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file, which induce.GPClassifier.load and the command line can read."""
        self.to_local().save(path)

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "client": None}

    def __sklearn_clone__(self) -> GPClassifier:
        parameters = self.get_params(deep=False)
        client = parameters.pop("client")
        return type(self)(client, **{name: clone(value, safe=False) for name, value in parameters.items()})

    def _cluster(self) -> Cluster:
        return Cluster(self.client_, self.workers, self.n_workers)

    def _local_parameters(self) -> dict[str, Any]:
        return {name: value for name, value in self.get_params(deep=False).items() if name not in OWN}

    def _for_tasks(self) -> LocalClassifier:
        """A worker runs as many tasks as it has threads."""
        local = self.to_local()
        local.callback = None
        return local.set_params(threads=1 if self.threads is None else self.threads)

    def _lazily(self, method: str, X: Any) -> Any:
        check_is_fitted(self)
        if not _parts.is_lazy(X):
            return getattr(self.to_local(), method)(X)
        _parts.check_collections(X)
        return _predict.lazily(self._for_tasks(), method, X)

    def _take(self, recipe: Recipe) -> None:
        vars(self).pop("feature_names_in_", None)
        self.columns_ = recipe.columns
        self._set_names_in(recipe.shape.names, recipe.shape.count)
        for text in recipe.warnings:
            warn(text)
