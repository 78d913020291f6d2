"""GPClassifier: the scikit-learn estimator."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from . import _core, _costs, _groups, _labels, _model_file, _options, _weights
from ._columns import ColumnsOfX
from ._doubt import Doubt, smallest_sets
from ._effects import Effect, PairEffect, effects_of, pairs_of
from ._fitted import FittedAttributes
from ._frame import without
from ._onnx import to_onnx
from ._page import facts_of
from ._parameters import Parameters, documented
from ._progress import progress_bar
from ._warnings import warn

if TYPE_CHECKING:
    import onnx


@documented
class GPClassifier(ClassifierMixin, FittedAttributes, ColumnsOfX, Parameters, BaseEstimator):
    """Gaussian process classification by variational inference with inducing inputs.

    No tuning is required. Features are standardised, and kernel parameters and inducing inputs are learned by
    maximising a lower bound on the evidence. Kernel and warp are chosen by rows that the fit holds out itself.
    Results are bitwise identical for the same data, parameters and random_state, for any number of threads.

    Two classes share one latent function (logistic or probit likelihood). C >= 3 classes, up to 1,000, have one each
    (softmax likelihood): time and memory grow with C. The paper's methods are for two classes.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,), sorted
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,), defined if X has feature names
    columns_ : list of Column
        The features, d columns of X: name, kind ("number", "category", "boolean" or "date"), levels and position in
        X. Columns that were dropped, and texts that look like ids, are not among them.
    elbo_ : float
        Evidence lower bound of the model.
    n_iter_ : int
    status_ : "converged", "budget", "interrupted" or "failed"
    history_ : dict of arrays
        seconds, passes, bound and elbo after each iteration.
    inducing_inputs_ : ndarray of shape (m, len(input_names_)), in the units of the data
    input_names_ : list of str
        The inputs of the kernel: the features, or, with categories or gaps, "age", "age (missing)", "job=cook", ...
    lengthscales_ : ndarray of shape (len(lengthscale_names_),), in standard deviations of the inputs
    lengthscale_names_ : list of str
        What has a length-scale of its own: the features, or, with categories or gaps, "age", "age (missing)", ...
    importance_ : ndarray of shape (d, 2)
        Shares of the variance of the latent function over the training rows: of the feature's main effect, and in
        total, with its interactions.
    terms_ : dict of str to float
        Shares of the variation of the latent function over the training rows that add up to 1, the largest first: of
        the effect of each feature ("age"), of each pair of the kernel ("age*hours"), and of all else that the joint
        term does ("joint").
    feature_importances_ : ndarray of shape (d,)
        Total importance, normalised to sum 1.
    feature_relevance_ : ndarray of shape (d,)
        Inverse length-scales: how fast the prediction changes along each feature.
    report_ : dict
        Everything the core reports about the fit.

    Notes
    -----
    Ctrl-C ends the fit within the current iteration. The estimator keeps the best model so far, with status_
    "interrupted", and KeyboardInterrupt propagates, so that loops and searches around the fit end too.

    A fit that ends on max_iter or max_time emits a ConvergenceWarning.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None, time: Any = None) -> GPClassifier:
        """Fit the model. An integer weight of k is equivalent to k copies of the row.

        y has the labels, or is the name of their column in X. groups says which rows belong together, such as those
        of a person: whatever the fit holds out to choose and to judge itself, rows of one group are on one side.
        With time in place of groups, numbers or dates, the latest rows are held out. Both are one value per row, or
        the name of a column of X, which is then no feature.
        """
        label = getattr(y, "name", None)
        if isinstance(y, str):
            label, (X, y) = y, without(X, y)
        X, group_of, in_time = _groups.taken_out(X, groups, time)
        X, y = self._learn_columns(X, y)
        classes, index = _labels.encode(y)
        _costs.matrix(self.decision_costs, classes)  # its errors before any work
        weights = None if sample_weight is None else _weights.checked(sample_weight, len(index))
        names = {
            "classes": [_labels.name_of(each) for each in classes],
            "label": label if isinstance(label, str) else "",
            "features": [column.name for column in self.columns_] if hasattr(self, "feature_names_in_") else [],
            "columns": self._kinds_for_core(),
        }
        options = _options.core_options(self.get_params(deep=False))
        options.class_weights = _weights.class_weights(index, classes, weights, self.class_weight)
        with self._on_iteration() as on_iteration:
            self.model_, self.report_, raised = _core.fit(
                X,
                index,
                options,
                weights=weights,
                groups=group_of,
                in_time=in_time,
                on_iteration=on_iteration,
                **names,
            )
        self.classes_ = classes
        self.report_["class_counts"] = _labels.counts(names["classes"], index, weights)
        if raised is not None:
            raise raised
        self._warn()
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of each class (a column, in the order of classes_) for each row of X."""
        return self._predict(X)[0]

    def predict_log_proba(self, X: Any) -> np.ndarray:
        with np.errstate(divide="ignore"):  # log 0 is -inf, as intended
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> np.ndarray:
        """Return the most probable class for each row of X, or that of least expected cost with decision_costs."""
        probability = self.predict_proba(X)
        costs = _costs.matrix(self.decision_costs, self.classes_)
        predicted = probability.argmax(axis=1) if costs is None else (probability @ costs).argmin(axis=1)
        return self.classes_[predicted]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows whose class is predicted correctly."""
        weights = None if sample_weight is None else _weights.checked(sample_weight, len(y))
        return super().score(X, y, weights)

    def predict_latent(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return mean and variance of the latent function: one of each per row, or per row and class.

        predict_proba is the expectation of the likelihood under this normal distribution. For two classes the arrays
        have shape (n,) and the likelihood is logistic or probit. For C >= 3 they have shape (n, C), a column is the
        latent function of a class, and the likelihood is the softmax.
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
        """Return the smallest set of classes whose probabilities add up to 1 - alpha, for each row.

        An array of shape (n, n_classes), True where a class is in the set. The true class is in it with probability
        1 - alpha or more if the probabilities are calibrated.
        """
        if not 0 < alpha < 1:
            raise _core.Error(f"alpha = {alpha!r}: must be greater than 0 and less than 1")
        return smallest_sets(self.predict_proba(X), 1 - alpha)

    def effects(self, X: Any = None, sample_weight: Any = None) -> list[Effect]:
        """Return what each feature does, in feature order: a curve with a 95 % band, and its importance.

        Without X, over the training rows, as stored in the model. With X, over its rows. With C >= 3 classes an
        effect has a curve for each: its arrays have shape (C, points).
        """
        return effects_of(self._explanation(X, sample_weight), self.columns_, self.classes_)

    def pair_effects(self, X: Any = None, sample_weight: Any = None) -> list[PairEffect]:
        """Return what the pairs of the kernel do beyond the effects of their features, with 95 % bands.

        The list is empty unless the kernel has pairs (`kernel="se+mains+pairs"`). X, sample_weight: as in effects().
        """
        return pairs_of(self._explanation(X, sample_weight), self.columns_, self.classes_)

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
                    "the model has no effects of its own: its fit was interrupted, or an older "
                    "version wrote it; pass X, for example the training data"
                )
        else:
            X = self._read_columns(X)
            weights = None if sample_weight is None else _weights.checked(sample_weight, len(X))
            explanation = self.model_.explain(X, weights, _options.threads(self.threads))
        return explanation

    def report(
        self,
        path: str | os.PathLike[str],
        X: Any = None,
        y: Any = None,
        *,
        held_out: bool = False,
        rows: bool = False,
    ) -> None:
        """Write a page about the model for people: one HTML file of at most 1.5 MB that needs no network.

        With X and y it says how good the model is on these rows; `held_out`: they were not used for training. They
        are not in the page, unless `rows`: then the most surprising ones are, with their values.
        """
        check_is_fitted(self)
        if (X is None) != (y is None):
            raise _core.Error("report needs both X and y, or neither")
        threads = _options.threads(self.threads)
        summary = facts_of(self.report_) if hasattr(self, "report_") else ""
        if X is None:
            page = self.model_.report(summary, threads)
        else:
            index = _labels.index_of(y, self.classes_)
            page = self.model_.report(self._read_columns(X), index, summary, held_out, rows, threads)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(page)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file in safetensors layout. The command line can read it."""
        check_is_fitted(self)
        report = getattr(self, "report_", None)
        notes = _model_file.notes(self.get_params(deep=False), self.classes_, self._columns_for_file(), report)
        self.model_.save(os.fspath(path), notes)

    def to_c(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the model as one C99 header, and write it to path if given: see docs/export.md."""
        check_is_fitted(self)
        header = _core.c_header(self.model_, getattr(self, "report_", {}).get("rows", 0))
        if path is not None:
            with open(path, "w", encoding="ascii", newline="\n") as file:
                file.write(header)
        return header

    def to_onnx(self, dtype: Any = np.float64) -> onnx.ModelProto:
        """Return the model as an ONNX graph with the outputs label and probabilities: see docs/export.md.

        dtype, float64 or float32, is that of numbers in inputs and outputs. Needs the package onnx.
        """
        check_is_fitted(self)
        return to_onnx(self, dtype)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> GPClassifier:
        """Read a model written by `save` or the command line. One of the command line has no history_ or elbo_.

        Parameters are those that were asked for, not what the fit chose: a clone chooses anew. model_.kernel,
        model_.inducing and the like tell what was chosen.
        """
        model = _core.Model.load(os.fspath(path))
        try:
            loaded = cls._restored(model, *_model_file.read_notes(path))
        except _model_file.INVALID as error:
            raise _core.Error(f"{os.fspath(path)}: invalid Python metadata: {error!r}") from error
        return loaded

    @classmethod
    def _restored(cls, model: _core.Model, notes: dict[str, Any], options: dict[str, Any]) -> GPClassifier:
        if notes:
            loaded = cls(**_model_file.restored_parameters(notes["parameters"]))
            loaded.classes_ = _model_file.restored_classes(notes["classes"], len(model.classes))
        else:
            loaded = cls(**_model_file.parameters_from_options(options))
            loaded.classes_ = _labels.classes_from_names(model.classes)
        loaded.model_ = model
        loaded._restore_columns(notes.get("columns"))
        if notes.get("report"):
            loaded.report_ = _model_file.restored_report(notes["report"])
        return loaded

    @contextmanager
    def _on_iteration(self) -> Iterator[Any]:
        """What the core calls: the callback, and the progress bar if there is one."""
        if not self.verbose:
            yield self.callback
            return
        with progress_bar(type(self).__name__) as bar:

            def on_iteration(progress):
                bar.show(progress)
                return self.callback(progress) if self.callback else None

            yield on_iteration

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

    def _warn(self) -> None:
        for text in self.report_["warnings"]:
            warn(text)
        if self.status_ == "budget":
            warn(f"the fit did not converge: {self.report_['message']}", ConvergenceWarning)
        if self.status_ == "failed":
            warn(f"the fit failed: {self.report_['message']}; the last good model is kept", ConvergenceWarning)
