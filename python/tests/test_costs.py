"""Decisions by cost. Oracle: the expected cost of each class, written out."""

import numpy as np
import pytest

from induce import Error, GPClassifier


@pytest.fixture(scope="module")
def fitted(banana):
    X, y = banana
    words = np.array(["ok", "fraud"])[y]
    return GPClassifier(method="vi-jj", inducing=10).fit(X, words), X


def test_the_label_has_the_least_expected_cost(fitted):
    classifier, X = fitted
    p = classifier.predict_proba(X)[:, 0]  # of fraud
    for costs in ({"fraud": {"ok": 100}, "ok": {"fraud": 4}}, [[0, 100], [4, 0]]):
        chosen = classifier.set_params(decision_costs=costs).predict(X)
        np.testing.assert_array_equal(chosen == "fraud", 4 * (1 - p) <= 100 * p)
    classifier.set_params(decision_costs={"fraud": {"fraud": 4}, "ok": {}})  # as bad as wrong, and worse
    assert (classifier.predict(X) == "ok").all()
    classifier.set_params(decision_costs=None)
    np.testing.assert_array_equal(classifier.predict(X) == "fraud", p >= 0.5)


def test_many_classes():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    X = np.c_[y + rng.normal(size=200), rng.normal(size=200)]
    costs = rng.random((3, 3))
    classifier = GPClassifier(kernel="se", warp="none", inducing=5, decision_costs=costs).fit(X, y)
    expected = [[sum(row[c] * costs[c, k] for c in range(3)) for k in range(3)] for row in classifier.predict_proba(X)]
    np.testing.assert_array_equal(classifier.predict(X), np.argmin(expected, axis=1))


@pytest.mark.parametrize(
    "costs", [np.array([[0, 100], [4, 0]]), {np.int64(0): {np.int64(1): np.float64(100)}, 1: {0: 4}}], ids=["array", "dict"]
)
def test_costs_of_numpy_are_saved(banana, costs, tmp_path):
    X, y = banana
    classifier = GPClassifier(method="vi-jj", inducing=10, decision_costs=costs).fit(X, y)
    classifier.save(tmp_path / "m")
    np.testing.assert_array_equal(GPClassifier.load(tmp_path / "m").predict(X), classifier.predict(X))
    assert (classifier.predict(X) != classifier.set_params(decision_costs=None).predict(X)).any()


def test_class_weights_and_costs_are_a_warning(banana, tmp_path):
    X, y = banana
    costs = [[0, 100], [4, 0]]
    balanced = GPClassifier(method="vi-jj", inducing=10, class_weight="balanced", decision_costs=costs).fit(X, y)
    with pytest.warns(UserWarning, match="rarity twice"):
        balanced.predict(X)
    with pytest.warns(UserWarning, match="rarity twice"):
        balanced.report(tmp_path / "page.html", X, y)
    balanced.save(tmp_path / "m")
    with pytest.warns(UserWarning, match="rarity twice"):
        GPClassifier.load(tmp_path / "m").predict(X)


def test_errors(banana):
    X, y = banana
    for costs, text in [
        ({2: {0: 1}}, r"decision_costs: 2 is not a class; the classes are \[0, 1\]"),
        ({0: 3}, r"decision_costs\[0\] = 3: must be a dict by predicted class"),
        ({0: {1: np.nan}}, "must be 2 x 2 finite numbers"),
        ([[0, 1]], "must be 2 x 2 finite numbers"),
    ]:
        with pytest.raises(Error, match=text):
            GPClassifier(decision_costs=costs).fit(X, y)
