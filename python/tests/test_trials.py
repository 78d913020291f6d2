"""Labels that are successes of trials, or shares. Oracle: the table in which they are rows with weights, and the command line."""

import copy
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.model_selection import KFold

from induce import Error, GPClassifier

QUICK = {"inducing": 10}


@pytest.fixture(scope="module")
def counted():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=80), "b": rng.normal(size=80)})
    n = rng.integers(1, 9, 80)
    return X, rng.binomial(n, 1 / (1 + np.exp(-2 * X["a"]))), n


def test_equal_rows_with_weights(counted):
    X, y, n = counted
    classifier = GPClassifier(**QUICK).fit(X, y, trials=n, sample_weight=np.full(80, 2.0))
    weights = np.r_[y, n - y]
    used = weights > 0
    rows = np.r_[np.arange(80), np.arange(80)][used]
    label = np.repeat([1, 0], 80)[used]
    split = GPClassifier(**QUICK).fit(X.iloc[rows], label, sample_weight=2.0 * weights[used], groups=rows)
    np.testing.assert_array_equal(classifier.predict_proba(X), split.predict_proba(X))
    assert classifier.report_["leave_one_out"]["n"] == 2 * n.sum()
    assert classifier.report_["class_counts"] == split.report_["class_counts"]
    np.testing.assert_array_equal(classifier.classes_, [0, 1])


def test_columns_arrays_and_shares(counted):
    X, y, n = counted
    table = X.assign(n=n, y=y)
    by_array = GPClassifier(**QUICK).fit(X, y, trials=n).predict_proba(X)
    np.testing.assert_array_equal(GPClassifier(**QUICK).fit(table, "y", trials="n").predict_proba(X), by_array)
    shares = GPClassifier(**QUICK).fit(X, y / n, shares=True, sample_weight=n)
    np.testing.assert_allclose(shares.predict_proba(X), by_array, atol=1e-6)


def test_updates_equal_those_by_rows_with_weights(counted):
    X, y, n = counted
    by_trials = GPClassifier(**QUICK).fit(X, y, trials=n)
    by_rows = copy.deepcopy(by_trials)
    by_trials.update(X.assign(n=n, y=y), "y", trials="n")
    used = np.flatnonzero(np.c_[y, n - y])
    by_rows.update(X.iloc[used // 2], 1 - used % 2, np.c_[y, n - y].ravel()[used].astype(float))
    np.testing.assert_array_equal(by_trials.predict_proba(X), by_rows.predict_proba(X))
    assert by_trials.update_report_["nll"] == by_rows.update_report_["nll"]
    by_trials.update(X, y / n, shares=True)
    with pytest.raises(Error, match=r"row 0: \d+ successes of \d trials"):
        by_trials.update(X, y + 9, trials=n)
    named = GPClassifier(**QUICK).fit(X, np.where(y > n / 2, "b", "a"))
    with pytest.raises(Error, match=r"for the classes 0 and 1; the model has \['a', 'b'\]"):
        named.update(X, y, trials=n)


def test_the_command_line_gives_the_same_model(counted, tmp_path):
    X, y, n = counted
    X.assign(n=n, clicks=y).to_csv(tmp_path / "t.csv", index=False)
    arguments = ["fit", "t.csv", "--label", "clicks", "--trials", "n", "--kernel", "se", "-o", "m", "--quiet"]
    subprocess.run([sys.executable, "-m", "induce", *arguments], cwd=tmp_path, check=True)
    loaded = GPClassifier.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.predict_proba(X), GPClassifier(kernel="se").fit(X, y, trials=n).predict_proba(X))
    np.testing.assert_array_equal(loaded.classes_, [0, 1])


def test_class_weights(counted):
    X, y, n = counted
    balanced = GPClassifier(**QUICK, class_weight="balanced").fit(X, y, trials=n)
    odds = (n - y).sum() / y.sum()
    mean, plain = balanced.predict_latent(X)[0], GPClassifier(**QUICK).fit(X, y, trials=n).predict_latent(X)[0]
    np.testing.assert_allclose(mean - plain, np.log(odds), atol=1e-9)


def test_metadata_routing(counted):
    X, y, n = counted
    with sklearn.config_context(enable_metadata_routing=True):
        classifier = GPClassifier(**QUICK).set_fit_request(trials=True)
        for train, _ in KFold(2).split(X):
            classifier.fit(X.iloc[train], y[train], trials=n[train])


def test_errors(counted):
    X, y, n = counted
    for given, label, text in [
        ({"trials": n - 9}, y, r"row 0: trials of -\d: must be a whole number of at least 0"),
        ({"trials": n}, n + 1, r"row 0: \d successes of \d trials: must be a whole number from 0 to \d"),
        ({"trials": n[1:]}, y, "trials has 79 numbers for 80 rows"),
        ({"trials": "n"}, y, "trials = 'n': X has no such column"),
        ({"trials": n, "shares": True}, y, "trials and shares cannot be used together"),
        ({"shares": True}, y / n + 0.5, r"row \d+: a share of .*: must be from 0 to 1"),
    ]:
        with pytest.raises(Error, match=text):
            GPClassifier(**QUICK).fit(X, label, **given)
    with pytest.raises(ValueError, match="shares=True"):
        GPClassifier(**QUICK).fit(X, y / n * 0.77)


def test_no_trials_at_all():
    with pytest.raises(Error, match="no row has trials"):
        GPClassifier().fit(np.arange(5.0).reshape(-1, 1), np.zeros(5), trials=np.zeros(5))
