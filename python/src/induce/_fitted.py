"""Attributes of a fitted estimator, read from the model and the fit report."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._effects import terms_of
from ._table import Column


class FittedAttributes:
    """Properties, so that no value is stored twice. hasattr is False before a fit, as scikit-learn requires."""

    model_: _core.Model
    report_: dict[str, Any]
    columns_: list[Column]

    @property
    def inducing_inputs_(self) -> np.ndarray:
        return self._model().inducing_inputs

    @property
    def inducing_points_(self) -> np.ndarray:  # its name in 0.2
        inputs = self.inducing_inputs_
        warnings.warn("inducing_points_ is now inducing_inputs_", FutureWarning, stacklevel=2)  # its name in 0.2
        return inputs

    @property
    def input_names_(self) -> list[str]:
        return self._model().input_names

    @property
    def lengthscale_names_(self) -> list[str]:
        return self._model().lengthscale_names

    @property
    def lengthscales_(self) -> np.ndarray:
        theta = self._model().theta
        if "lengthscales" not in theta:
            raise AttributeError("no lengthscales_: the kernel has no part of all columns; see report_['theta']")
        return np.broadcast_to(theta["lengthscales"], len(self.lengthscale_names_)).copy()

    @property
    def feature_relevance_(self) -> np.ndarray:
        if self._model().sparse:
            raise AttributeError(
                "no relevance: the model was fitted to a sparse table; see lengthscales_, lengthscale_names_"
            )
        # Only the report knows which features were constant and so have zero relevance.
        if hasattr(self, "report_"):
            return self.report_["relevance"]
        if len(self.lengthscale_names_) != self._model().features:
            raise AttributeError("no relevance: the model file has no report; see lengthscales_, lengthscale_names_")
        return 1 / self.lengthscales_

    def _explained(self) -> Any:
        explanation = self._model().explanation
        if self._model().sparse:
            raise AttributeError("no importance: the model was fitted to a sparse table")
        if explanation is None:
            raise AttributeError("no importance: the fit was interrupted, or an older version wrote the model")
        return explanation

    @property
    def importance_(self) -> np.ndarray:
        return self._explained()[1]

    @property
    def terms_(self) -> dict[str, float]:
        return terms_of(self._explained(), self.columns_)

    @property
    def feature_importances_(self) -> np.ndarray:
        total = self.importance_[:, 1]
        return total / (total.sum() or 1.0)

    @property
    def elbo_(self) -> float:
        return self._report("elbo")

    @property
    def n_iter_(self) -> int:
        return self._report("iterations")

    @property
    def status_(self) -> str:
        return self._report("status")

    @property
    def history_(self) -> dict[str, np.ndarray]:
        return self._report("history")

    @property
    def updates_(self) -> list[dict[str, float]]:
        return _core.past_updates(self._model())

    def _model(self) -> _core.Model:
        check_is_fitted(self, "model_")
        return self.model_

    def _report(self, name: str) -> Any:
        if not hasattr(self, "report_"):
            raise AttributeError("no report: the estimator is not fitted, or its model file has none")
        return self.report_[name]
