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

from . import _core, _costs, _groups, _labels, _model_file, _options, _trials, _weights
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
    (softmax likelihood): time and memory grow with C. The paper's methods are for two classes. Ordered classes, such
    as low, middle and high, have one latent function with learned thresholds (likelihood="ordinal"); their order is
    that of numbers, or that of y if it is an ordered pandas categorical, whose unused categories are left out.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,), sorted; ordered classes: from the lowest to the highest
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
    update_report_ : dict
        What the last update() saw in its rows; updates_ has a short entry for each since the fit.

    Notes
    -----
    Ctrl-C ends the fit within the current iteration. The estimator keeps the best model so far, with status_
    "interrupted", and KeyboardInterrupt propagates, so that loops and searches around the fit end too.

    A fit that ends on max_iter or max_time emits a ConvergenceWarning.
    """

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        time: Any = None,
        trials: Any = None,
        shares: bool = False,
    ) -> GPClassifier:
        """Fit the model. An integer weight of k is equivalent to k copies of the row.

        y has the labels, or is the name of their column in X. groups says which rows belong together, such as those
        of a person: whatever the fit holds out to choose and to judge itself, rows of one group are on one side.
        With time in place of groups, numbers or dates, the latest rows are held out. Both are one value per row, or
        the name of a column of X, which is then no feature.

        With trials, one number per row or the name of a column of X, y is the number of successes of these trials;
        with shares=True it is a share from 0 to 1, as many successes of one trial. The classes are then 0 and 1,
        failure and success. The trials of a row are never on two sides of what is held out.
        """
        label = getattr(y, "name", None)
        if isinstance(y, str):
            label, (X, y) = y, without(X, y)
        X, group_of, in_time = _groups.taken_out(X, groups, time)
        encode = _labels.encoder(self.likelihood, y)
        X, trials = _trials.taken_out(X, trials, shares)
        X, y = self._learn_columns(X, y)
        counts = _trials.counts_of(y, trials) if shares or trials is not None else None
        classes, index = (_trials.CLASSES, None) if counts else encode(y)
        _costs.matrix(self.decision_costs, classes)  # its errors before any work
        weights = None if sample_weight is None else _weights.checked(sample_weight, len(y))
        names = {
            "label": label if isinstance(label, str) else "",
            "features": [column.name for column in self.columns_] if hasattr(self, "feature_names_in_") else [],
            "columns": self._kinds_for_core(),
        }
        options = _options.core_options(self.get_params(deep=False))
        class_names = [_labels.name_of(each) for each in classes]
        labelled = counts.split(weights) if counts else (index, weights)
        options.class_weights = _weights.class_weights(labelled[0], classes, labelled[1], self.class_weight)
        settings = {"weights": weights, "groups": group_of, "in_time": in_time, **names}
        with self._on_iteration() as on_iteration:
            if counts:
                fitted = _core.fit_trials(X, *counts, options, on_iteration=on_iteration, **settings)
            else:
                fitted = _core.fit(X, index, options, class_names, on_iteration=on_iteration, **settings)
        self.model_, self.report_, raised = fitted
        self.classes_ = classes
        self.report_["class_counts"] = _labels.counts(class_names, *labelled)
        if raised is not None:
            raise raised
        self._warn()
        return self

    def update(
        self, X: Any, y: Any, sample_weight: Any = None, *, forget: float | None = None, grow: bool = False
    ) -> GPClassifier:
        """Learn new rows without a new fit: kernel, inducing inputs and columns stay.

        The posterior becomes what it would be if the rows had been among the training rows. y: labels of classes_, or
        the name of their column in X. forget: a number of new rows after which all that the model knew before counts
        half. grow: add inducing inputs among rows that are unlike all rows before. update_report_ says how
        surprising the rows were, and whether to keep, grow or refit the model.
        """
        check_is_fitted(self)
        if isinstance(y, str):
            X, y = without(X, y)
        if forget is not None and not forget > 0:
            raise _core.Error(f"forget = {forget!r}: must be a number of rows greater than 0, or None")
        _labels.refuse_missing(y)
        rows = self._read_columns(X)
        index = _labels.index_of(y, self.classes_)
        weights = None if sample_weight is None else _weights.checked(sample_weight, len(index))
        threads = _options.threads(self.threads)
        self.model_, self.update_report_ = _core.update(
            self.model_, rows, index, weights, float(forget or 0), bool(grow), threads
        )
        if gaps := self.update_report_["new_gaps"]:
            warn(
                f"{gaps} of {len(index)} rows have gaps unlike those of the training data: they were learned with "
                "typical values in their place"
            )
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> GPClassifier:
        """Fit the model if it is not fitted, else update it.

        classes: all classes, as in scikit-learn. The first call is a fit, which needs rows of each of them; in later
        calls they must be those of the first.
        """
        known = getattr(self, "classes_", None)
        if classes is not None:
            classes = np.unique(classes)
            if known is not None and not np.array_equal(known, classes):
                raise _core.Error(f"classes = {classes!r} is not the same as on the last call: {known!r}")
        if known is not None:
            return self.update(X, y, sample_weight)
        if classes is not None:
            labels = X[y] if isinstance(y, str) else y
            _labels.refuse_missing(labels)
            _labels.index_of(labels, classes)
            absent = [_labels.name_of(each) for each in classes if not (np.asarray(labels) == each).any()]
            if absent:
                raise _core.Error(
                    f"class '{absent[0]}' has no rows: the first call of partial_fit is a fit, and needs rows of each"
                )
        return self.fit(X, y, sample_weight)

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

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows whose class is predicted correctly."""
        weights = None if sample_weight is None else _weights.checked(sample_weight, len(y))
        return super().score(X, y, weights)

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
    def _restored(
        cls, model: _core.Model, notes: dict[str, Any], options: dict[str, Any], thresholds: list[float]
    ) -> GPClassifier:
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
        else:
            loaded._notes = {"set_thresholds": thresholds}
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
