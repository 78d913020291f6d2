"""What a fitted GPClassifier says about rows: predictions, doubt, sets of classes, which rows to label, effects."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core, _costs, _options, _weights
from ._columns import ColumnsOfX
from ._doubt import Doubt, smallest_sets
from ._effects import Effect, PairEffect, effects_of, pairs_of
from ._fitted import FittedAttributes
from ._warnings import warn


class Answers(FittedAttributes, ColumnsOfX):
    """Methods that read the model and change nothing."""

    classes_: np.ndarray
    decision_costs: Any

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of each class (a column, in the order of classes_) for each row of X."""
        return self._predict(X)[0]

    def predict_log_proba(self, X: Any) -> np.ndarray:
        with np.errstate(divide="ignore"):  # log 0 is -inf, as intended
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> np.ndarray:
        """Return the most probable class for each row of X, or that of least expected cost with decision_costs."""
        probability = self.predict_proba(X)
        costs = _costs.of_model(self)
        predicted = probability.argmax(axis=1) if costs is None else (probability @ costs).argmin(axis=1)
        return self.classes_[predicted]

    def predict_level(self, X: Any) -> np.ndarray:
        """Return the expected level of each row, for ordered classes: the mean of the number of its class, 1 to C.

        The lowest of C classes has the number 1.
        """
        return self.predict_proba(X) @ self._levels()

    def _levels(self) -> np.ndarray:
        check_is_fitted(self)
        if not self.model_.ordered:
            raise _core.Error(f"likelihood = {self.model_.likelihood}: its classes have no order; use ordinal")
        return np.arange(1.0, len(self.classes_) + 1)

    def predict_latent(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return mean and variance of the latent function: one of each per row, or per row and class.

        predict_proba is the expectation of the likelihood under this normal distribution. For two classes the arrays
        have shape (n,) and the likelihood is logistic or probit; for ordered classes too, and it is ordinal. For
        other C >= 3 classes they have shape (n, C), a column is the latent function of a class, and the likelihood is
        the softmax.
        """
        _, mean, variance = self._predict(X)
        return mean, variance

    def predict_doubt(self, X: Any) -> Doubt:
        """Return what kind of doubt each prediction has: p_low, p_high, noise, knowledge and novelty.

        With 95 % the probability of classes_[1] lies between p_low and p_high (of each class, a column, if there are
        three or more). noise and knowledge add up to the entropy of the probabilities, in nats. A novelty near 1 says
        that the row is unlike all training rows.
        """
        rows = self._checked_rows(X)
        return Doubt(*self.model_.predict_doubt(rows, _options.threads(self.threads)))

    def predict_set(self, X: Any, alpha: float = 0.1) -> np.ndarray:
        """Return the smallest set of classes that is right with probability 1 - alpha, for each row.

        An array of shape (n, n_classes), True where a class is in the set: as many of the most probable ones as it
        took for 1 - alpha of the training rows, predicted without their labels (report_["set_thresholds"]).
        The probability is that of rows drawn like these. Without such predictions (models of earlier versions,
        class weights) as many as have a probability of 1 - alpha together.
        """
        if not 0 < alpha < 1:
            raise _core.Error(f"alpha = {alpha!r}: must be greater than 0 and less than 1")
        return smallest_sets(self.predict_proba(X), alpha, self._set_thresholds())

    def _set_thresholds(self) -> Any:
        report = getattr(self, "report_", None) or vars(self).get("_notes", {})
        return () if len(report.get("class_weights", ())) else report.get("set_thresholds", ())

    def rank_rows(
        self,
        X: Any,
        n: int = 50,
        *,
        costs: Any = None,
        random_share: float = 0.1,
        random_state: int = 0,
        return_gain: bool = False,
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """Return the positions of the n rows of X that should be labelled next, the first one first.

        They are those whose labels are expected to improve the predictions for all of X most, together: a row like
        one that is chosen already gains little more. With costs, a number greater than 0 for each row, they are those
        of most gain per cost. The share random_share of them is drawn from all of X with the seed random_state. With
        return_gain also the gain of each: by how much its label is expected to lower the mean negative log-likelihood
        of X, in nats, beyond the labels of the rows before it and of the random rows.
        """
        rows = self._checked_rows(X)
        if costs is not None:
            costs = np.ascontiguousarray(costs, dtype=np.float64)
        chosen = self.model_.rank_rows(rows, n, costs, random_share, random_state, _options.threads(self.threads))
        positions = np.array([each[0] for each in chosen], dtype=np.intp)
        return (positions, np.array([each[1] for each in chosen])) if return_gain else positions

    def effects(self, X: Any = None, sample_weight: Any = None) -> list[Effect]:
        """Return what each feature does, in feature order: a curve with a 95 % band, and its importance.

        Without X, over the training rows, as stored in the model. With X, over its rows. With C >= 3 classes an
        effect has a curve for each: its arrays have shape (C, points).
        """
        return effects_of(self._explanation(X, sample_weight), self.columns_, self._classes_of_functions())

    def pair_effects(self, X: Any = None, sample_weight: Any = None) -> list[PairEffect]:
        """Return what the pairs of the kernel do beyond the effects of their features, with 95 % bands.

        The list is empty unless the kernel has pairs (`kernel="se+mains+pairs"`). X, sample_weight: as in effects().
        """
        return pairs_of(self._explanation(X, sample_weight), self.columns_, self._classes_of_functions())

    def _classes_of_functions(self) -> np.ndarray:
        """The classes that have a latent function, or the one that the only function grows towards."""
        check_is_fitted(self)
        one = len(self.classes_) == 2 or self.model_.ordered
        return self.classes_[-1:] if one else self.classes_

    def _explanation(self, X: Any, sample_weight: Any) -> Any:
        check_is_fitted(self)
        if self.model_.sparse:
            raise _core.Error(
                "the model was fitted to a sparse table: it sees a few directions of its rows, not columns, so there "
                "are no effects"
            )
        if X is None:
            if sample_weight is not None:
                raise _core.Error("sample_weight needs X")
            explanation = self.model_.explanation
            if explanation is None:
                raise _core.Error(
                    "the model has no effects of its own: its fit was interrupted, it was updated, or an older "
                    "version wrote it; pass X, for example the training data"
                )
        else:
            X = self._read_columns(X)
            weights = None if sample_weight is None else _weights.checked(sample_weight, len(X))
            explanation = self.model_.explain(X, weights, _options.threads(self.threads))
        return explanation

    def _predict(self, X: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        rows = self._checked_rows(X)
        return self.model_.predict(rows, _options.threads(self.threads))

    def _checked_rows(self, X: Any) -> Any:
        """The table for the core, after warnings about its rows."""
        check_is_fitted(self)
        X = self._read_columns(X)
        gaps = 0 if self.model_.sparse else self.model_.rows_with_new_gaps(X)
        if gaps:
            warn(
                f"{gaps} of {len(X)} rows have gaps unlike those of the training data: their predictions average "
                "over typical values and are less certain"
            )
        if far := "" if self.model_.sparse else self.model_.far_values(X):
            warn(far)
        return X
