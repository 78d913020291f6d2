"""Weights. Oracle: a weight of k is k copies of the row, a weight of 0 omits it."""

import numpy as np
import pytest

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


def test_class_weight_equals_row_weights(banana):
    X, y = banana
    by_class = GPClassifier(class_weight={0: 3, 1: 1}).fit(X, y)
    by_row = GPClassifier().fit(X, y, sample_weight=np.where(y == 0, 3, 1))
    np.testing.assert_array_equal(by_class.predict_proba(X), by_row.predict_proba(X))
    assert by_class.predict_proba(X)[:, 0].mean() > GPClassifier().fit(X, y).predict_proba(X)[:, 0].mean()


def test_balanced_classes_have_equal_total_weight(banana):
    X, y = banana
    kept = (y == 0) | (np.arange(len(y)) % 4 == 0)
    X, y = X[kept], y[kept]
    balanced = GPClassifier(class_weight="balanced").fit(X, y)
    weights = np.where(y == 0, len(y) / (2 * (y == 0).sum()), len(y) / (2 * (y == 1).sum()))
    by_row = GPClassifier().fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(balanced.predict_proba(X), by_row.predict_proba(X), rtol=1e-9)


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
