"""Weights. Oracle: a weight of k is k copies of the row, a weight of 0 omits it."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from induce import Error, GPClassifier


@pytest.fixture
def weighted(banana):
    X, y = banana
    weights = np.random.default_rng(1).integers(0, 4, len(X))
    return X, y, weights


def test_integer_weights_equal_copies_to_the_bit(weighted):
    X, y, weights = weighted
    order = np.random.default_rng(2).permutation(len(X))
    by_weight = GPClassifier().fit(X[order], y[order], sample_weight=weights[order])
    by_copies = GPClassifier().fit(X.repeat(weights, axis=0), y.repeat(weights))
    assert by_weight.elbo_ == by_copies.elbo_
    np.testing.assert_array_equal(by_weight.predict_proba(X), by_copies.predict_proba(X))


@pytest.mark.parametrize("method", ["vi-jj", "vi-taylor"])
def test_integer_weights_equal_copies_in_the_paper_methods(weighted, method):
    # These methods do not merge equal rows, and k-means samples from them. With this m it must pick every distinct row.
    X, y, weights = weighted
    settings = {"method": method, "inducing": int((weights > 0).sum())}
    by_weight = GPClassifier(**settings).fit(X, y, sample_weight=weights)
    by_copies = GPClassifier(**settings).fit(X.repeat(weights, axis=0), y.repeat(weights))
    assert by_weight.elbo_ == pytest.approx(by_copies.elbo_, rel=1e-3)
    np.testing.assert_allclose(by_weight.predict_proba(X), by_copies.predict_proba(X), atol=5e-3)


def test_class_weights_shift_the_mean_of_the_fit_without_them(banana):
    X, y = banana
    plain = GPClassifier().fit(X, y)
    weighted = GPClassifier(class_weight={0: 3, 1: 1}).fit(X, y)
    mean, variance = plain.predict_latent(X)
    shifted, same = weighted.predict_latent(X)
    np.testing.assert_allclose(shifted, mean - np.log(3), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(same, variance)
    np.testing.assert_array_equal(weighted.report_["class_weights"], [3, 1])
    assert weighted.report_["theta"]["mean"] == weighted.model_.theta["mean"]
    for figure in ("leave_one_out", "cross_validation", "elbo"):
        assert weighted.report_[figure] == pytest.approx(plain.report_[figure], rel=0, abs=0, nan_ok=True)


def test_balanced_classes_are_equally_frequent(banana):
    X, y = banana
    kept = (y == 0) | (np.arange(len(y)) % 4 == 0)
    X, y = X[kept], y[kept]
    rows = np.arange(len(y)) % 3 + 1  # weights of rows count
    plain = GPClassifier().fit(X, y, sample_weight=rows)
    balanced = GPClassifier(class_weight="balanced").fit(X, y, sample_weight=rows)
    shift = np.log(rows[y == 0].sum() / rows[y == 1].sum())
    np.testing.assert_allclose(balanced.predict_latent(X)[0], plain.predict_latent(X)[0] + shift, atol=1e-12)


def test_a_rare_class_keeps_its_auc_when_balanced():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(4000, 4))
    y = rng.random(4000) < 1 / (1 + np.exp(5.5 - X[:, 0] - 0.8 * X[:, 1] ** 2))
    assert 0.01 < y[:2000].mean() < 0.04
    given = {"inducing": 20, "kernel": "se", "warp": "none"}
    auc = [
        roc_auc_score(y[2000:], GPClassifier(**given, class_weight=weight).fit(X[:2000], y[:2000]).predict_proba(X[2000:])[:, 1])
        for weight in (None, "balanced")
    ]
    assert auc[1] == pytest.approx(auc[0], abs=0.005)


def test_errors_for_invalid_class_weights(banana):
    X, y = banana
    for given, text in [
        ({"class_weight": {0: 0}}, "class_weights is 0 for class '0': must be a number greater than 0"),
        ({"class_weight": {1: np.inf}}, "class_weights is inf for class '1': must be"),
        ({"class_weight": "balanced", "likelihood": "probit"}, "likelihood = probit: class weights shift the mean"),
    ]:
        with pytest.raises(Error, match=text):
            GPClassifier(**given).fit(X, y)


def test_unit_weights_equal_no_weights(banana):
    X, y = banana
    expected = GPClassifier().fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(GPClassifier().fit(X, y, sample_weight=np.ones(len(X))).predict_proba(X), expected)


def test_errors_for_invalid_weights(banana):
    X, y = banana
    for weights, text in [
        (
            np.where(np.arange(len(X)) == 5, -2.0, 1.0),
            r"sample_weight is -2\.0 in row 5: must be a number of at least 0",
        ),
        (np.where(np.arange(len(X)) == 7, np.nan, 1.0), "sample_weight is nan in row 7: must be"),
        (np.where(np.arange(len(X)) == 7, np.inf, 1.0), "sample_weight is inf in row 7: must be"),
        (np.ones(3), "one weight per row"),
        (np.where(y == 0, 1.0, 0.0), "two classes are needed"),
    ]:
        with pytest.raises(Error, match=text):
            GPClassifier().fit(X, y, sample_weight=weights)


def test_scores_refuse_the_same_weights(banana):
    X, y = banana
    classifier = GPClassifier(method="vi-jj", inducing=5).fit(X, y)
    assert classifier.score(X, y, np.ones(len(X))) == classifier.score(X, y)
    for value in (-1.0, np.nan, np.inf):
        with pytest.raises(Error, match=f"sample_weight is {value} in row 3: must be"):
            classifier.score(X, y, np.where(np.arange(len(X)) == 3, value, 1.0))
