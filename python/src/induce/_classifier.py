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
from ._answers import Answers
from ._frame import without
from ._onnx import to_onnx
from ._page import facts_of
from ._parameters import Parameters, documented
from ._progress import progress_bar
from ._warnings import warn

if TYPE_CHECKING:
    import onnx


@documented
class GPClassifier(ClassifierMixin, Answers, Parameters, BaseEstimator):
    """Gaussian process classification by variational inference with inducing inputs.

    No tuning is required. Features are standardised, and kernel parameters and inducing inputs are learned by
    maximising a lower bound on the evidence. Kernel and warp are chosen by this bound for small tables, for
    others by rows that the fit holds out itself. Results are bitwise identical for the same data, parameters and
    random_state, for any number of threads.

    Two classes share one latent function (logistic or probit likelihood). C >= 3 classes, up to 1,000, have one each
    (softmax likelihood): time and memory grow with C. The paper's methods are for two classes. Ordered classes, such
    as low, middle and high, have one latent function with learned thresholds (likelihood="ordinal"); their order is
    that of `order`, of numbers, or of y if it is an ordered pandas categorical, whose unused categories are left out.

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
        X, group_of, in_time = _groups.taken_out(X, groups, time, self._choices().order_of_dates())
        encode = _labels.encoder(self.likelihood, y, self.order)
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
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        trials: Any = None,
        shares: bool = False,
        forget: float | None = None,
        grow: bool = False,
    ) -> GPClassifier:
        """Learn new rows without a new fit: kernel, inducing inputs and columns stay.

        The posterior becomes what it would be if the rows had been among the training rows. y: labels of classes_, or
        the name of their column in X. forget: a number of new rows after which all that the model knew before counts
        half. grow: add inducing inputs among rows that are unlike all rows before. update_report_ says how
        surprising the rows were, and whether to keep, grow or refit the model. trials, shares: as in fit().
        """
        check_is_fitted(self)
        if isinstance(y, str):
            X, y = without(X, y)
        if forget is not None and not forget > 0:
            raise _core.Error(f"forget = {forget!r}: must be a number of rows greater than 0, or None")
        _labels.refuse_missing(y)
        X, trials = _trials.taken_out(X, trials, shares)
        rows = self._read_columns(X)
        counts = _trials.counts_of(y, trials, self.classes_) if shares or trials is not None else None
        labels = counts or (_labels.index_of(y, self.classes_),)
        weights = None if sample_weight is None else _weights.checked(sample_weight, len(labels[0]))
        far = "" if self.model_.sparse else self.model_.far_values(rows)
        learn = _core.update_trials if counts else _core.update
        self.model_, self.update_report_ = learn(
            self.model_, rows, *labels, weights, float(forget or 0), bool(grow), _options.threads(self.threads)
        )
        if gaps := self.update_report_["new_gaps"]:
            warn(
                f"{gaps} of {len(y)} rows have gaps unlike those of the training data: they were learned with "
                "typical values in their place"
            )
        if far:
            warn(far)
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

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows whose class is predicted correctly."""
        weights = None if sample_weight is None else _weights.checked(sample_weight, len(y))
        return super().score(X, y, weights)

    def report(
        self,
        path: str | os.PathLike[str],
        X: Any = None,
        y: Any = None,
        *,
        held_out: bool = False,
        rows: bool = False,
        decision_costs: Any = None,
    ) -> None:
        """Write a page about the model for people: one HTML file of at most 1.5 MB that needs no network.

        With X and y it says how good the model is on these rows; `held_out`: they were not used for training. They
        are not in the page, unless `rows`: then the most surprising ones are, with their values. With decision_costs,
        by default those of the estimator, it says what the decisions cost.
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
            costs = _costs.of_model(self, decision_costs)
            costs = None if costs is None else costs.ravel().tolist()
            page = self.model_.report(self._read_columns(X), index, summary, held_out, rows, costs, threads)
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
            if loaded.likelihood == "ordinal":  # the command line's --order is no option of the core
                loaded.order = loaded.classes_.tolist()
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

    def _warn(self) -> None:
        for text in self.report_["warnings"]:
            warn(text)
        if self.status_ == "budget":
            warn(f"the fit did not converge: {self.report_['message']}", ConvergenceWarning)
        if self.status_ == "failed":
            warn(f"the fit failed: {self.report_['message']}; the last good model is kept", ConvergenceWarning)
