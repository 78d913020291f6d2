"""The estimator with scikit-learn's tools and common table types."""

import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

import induce
from induce import GPClassifier, _core


def test_results_do_not_depend_on_container_or_label_type(banana):
    X, y = banana
    words = np.array(["no", "yes"])[y]
    expected = GPClassifier().fit(X, y).predict_proba(X)
    columns = {"east": X[:, 0], "north": X[:, 1]}
    for table, labels in [
        (X.tolist(), y.tolist()),
        (np.asfortranarray(X), y.astype(bool)),
        (pd.DataFrame(columns), pd.Series(words, name="answer")),
        (pl.DataFrame(columns), pl.Series("answer", words)),
    ]:
        classifier = GPClassifier().fit(table, labels)
        np.testing.assert_array_equal(classifier.predict_proba(table), expected)
        assert list(getattr(classifier, "feature_names_in_", columns)) == list(columns)
        assert set(classifier.predict(table)) == set(np.asarray(labels))


def test_contiguous_doubles_are_not_copied(banana, monkeypatch):
    X, y = banana
    seen = []
    monkeypatch.setattr(_core, "fit", lambda X, *rest, core_fit=_core.fit, **named: seen.append(X) or core_fit(X, *rest, **named))
    GPClassifier().fit(X, y)
    assert np.shares_memory(seen[0], X)


def test_latent_function_and_probabilities_agree(banana):
    X, y = banana
    classifier = GPClassifier().fit(X, y)
    probability = classifier.predict_proba(X)
    mean, variance = classifier.predict_latent(X)
    assert mean.shape == variance.shape == (len(X),)
    assert (variance > 0).all()
    np.testing.assert_array_equal(mean > 0, probability[:, 1] > 0.5)
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    np.testing.assert_allclose(np.exp(classifier.predict_log_proba(X)), probability)
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)  # oracle: E sigmoid(f) by quadrature
    f = mean[:, None] + np.sqrt(variance)[:, None] * nodes
    np.testing.assert_allclose((1 / (1 + np.exp(-f))) @ weights / weights.sum(), probability[:, 1], atol=1e-5)


def test_works_with_scikit_learn_tools(banana):
    X, y = banana
    pipeline = make_pipeline(PolynomialFeatures(2, include_bias=False), GPClassifier())
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.85
    search = GridSearchCV(GPClassifier(), {"kernel": ["se", "matern52"], "inducing": [5, 20]}, cv=2, n_jobs=2)
    assert search.fit(X, y).best_params_["inducing"] == 20
    calibrated = CalibratedClassifierCV(GPClassifier(inducing=10), cv=2).fit(X, y)
    assert calibrated.predict_proba(X).shape == (len(X), 2)
    assert clone(GPClassifier(inducing=7)).inducing == 7


def test_pickle_and_joblib_keep_every_bit(banana, tmp_path):
    X, y = banana
    classifier = GPClassifier(trace_elbo=True).fit(X, y)
    joblib.dump(classifier, tmp_path / "model.joblib")
    for copy in (pickle.loads(pickle.dumps(classifier)), joblib.load(tmp_path / "model.joblib")):
        np.testing.assert_array_equal(copy.predict_proba(X), classifier.predict_proba(X))
        np.testing.assert_array_equal(copy.history_["bound"], classifier.history_["bound"])


def test_fitted_attributes(banana):
    X, y = banana
    classifier = GPClassifier(inducing=12, trace_elbo=True)
    for name in ("elbo_", "n_iter_", "history_", "inducing_inputs_", "lengthscales_", "status_"):
        assert not hasattr(classifier, name)
    with pytest.raises(NotFittedError):
        classifier.predict(X)
    classifier.fit(X, y)
    assert classifier.status_ == "converged"
    assert classifier.n_iter_ == len(classifier.history_["bound"]) == len(classifier.history_["seconds"])
    # The last iteration may be that of a fold, which lacks a tenth of the rows: the fit of all rows has none if it began at its optimum.
    assert np.isclose(classifier.history_["elbo"][-1], classifier.elbo_, rtol=0.1)
    assert classifier.inducing_inputs_.shape == (12, 2)
    with pytest.warns(FutureWarning, match="inducing_points_ is now inducing_inputs_"):
        np.testing.assert_array_equal(classifier.inducing_points_, classifier.inducing_inputs_)
    low, high = X.min(axis=0) - 1, X.max(axis=0) + 1  # in the units of the data
    assert ((classifier.inducing_inputs_ > low) & (classifier.inducing_inputs_ < high)).all()
    np.testing.assert_allclose(classifier.feature_relevance_ * classifier.lengthscales_, [1, 1])
    one_for_all = GPClassifier(ard=False).fit(X, y).lengthscales_
    assert one_for_all.shape == (2,)
    assert one_for_all[0] == one_for_all[1]


def test_budget_warns(banana):
    with pytest.warns(ConvergenceWarning, match="max_iter of 2 reached"):
        assert GPClassifier(max_iter=2).fit(*banana).status_ == "budget"


def test_core_warnings_are_python_warnings(banana):
    X, y = banana
    with pytest.warns(UserWarning, match="feature 3 is constant"):
        GPClassifier().fit(np.column_stack([X, np.ones(len(X))]), y)


def test_errors_carry_the_core_message(banana):
    X, y = banana
    with pytest.raises(induce.Error, match="unknown method 'guess'; known: auto, vi-jj"):
        GPClassifier(method="guess").fit(X, y)
    with pytest.raises(ValueError, match="unknown kernel 'wool'; known: se, matern12"):
        GPClassifier(kernel="wool").fit(X, y)
    with pytest.raises(ValueError, match=r"kernel 'se\+additive': .* use mains instead"):
        GPClassifier(kernel="se+additive").fit(X, y)
    with pytest.raises(induce.Error, match="inducing = 301: must be between 1 and the number of rows, 300"):
        GPClassifier(inducing=301).fit(X, y)
    with pytest.raises(induce.Error, match="method = svi-lbfgs: it is for two classes, and the data has 3"):
        GPClassifier(method="svi-lbfgs").fit(X, np.arange(len(X)) % 3)
    assert pickle.loads(pickle.dumps(induce.Error("text"))).args == ("text",)


def test_metadata_routing_reaches_fit(banana):
    X, y = banana
    with sklearn.config_context(enable_metadata_routing=True):
        classifier = GPClassifier().set_fit_request(sample_weight=True)
        routed = classifier.get_metadata_routing().consumes("fit", ["sample_weight"])
    assert routed == {"sample_weight"}
