"""update, partial_fit and start_from. Oracles: the command line, copies of rows, scikit-learn's conventions."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss

import induce
from induce import GPClassifier

FAST = {"kernel": "se", "inducing": 20, "warp": "none"}


def table(n: int, seed: int, classes: int = 2, shift: float = 0.0) -> tuple[pd.DataFrame, np.ndarray]:
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"age": random.normal(size=n), "size": random.normal(size=n)})
    X["job"] = random.choice(["clerk", "cook", "smith"], n)
    f = 2 * np.sin(1.5 * X["age"]) + X["size"] + (X["job"] == "cook") + shift
    y = (random.random(n) < 1 / (1 + np.exp(-f))).to_numpy().astype(int)
    if classes == 3:
        y = np.where((y == 1) & (X["size"] > 0), 2, y)
    return X, np.array(["no", "yes", "very"])[y]


@pytest.mark.parametrize("classes", [2, 3])
def test_update_learns_and_says_what_it_saw(classes):
    X, y = table(600, 1, classes)
    new_X, new_y = table(400, 2, classes)
    classifier = GPClassifier(**FAST).fit(X, y)
    before = classifier.predict_proba(new_X)
    assert classifier.update(new_X, new_y) is classifier
    seen = classifier.update_report_
    assert seen["n"] == 400
    assert seen["nll"] == pytest.approx(log_loss(new_y, before, labels=classifier.classes_), rel=1e-9)
    assert seen["fitted_nll"] < seen["nll"]
    assert seen["fitted_nll"] == pytest.approx(
        log_loss(new_y, classifier.predict_proba(new_X), labels=classifier.classes_), rel=1e-9
    )
    assert [each["name"] for each in seen["classes"]] == classifier.classes_.tolist()
    assert sum(each["rows"] for each in seen["classes"]) == 400
    assert abs(seen["z"]) < 4
    assert seen["advice"] in ("keep", "grow", "refit")
    assert {each["feature"] for each in seen["columns"]} <= {"age", "size", "job"}
    json.dumps(seen)
    assert len(classifier.updates_) == 1
    assert classifier.updates_[0]["rows"] == 400


def test_update_is_that_of_the_command_line(tmp_path):
    X, y = table(500, 1)
    new_X, new_y = table(300, 2)
    classifier = GPClassifier(**FAST).fit(X.assign(y=y), "y")
    classifier.save(tmp_path / "model")
    new_X.assign(y=new_y).to_csv(tmp_path / "new.csv", index=False)
    words = [
        "update",
        tmp_path / "model",
        tmp_path / "new.csv",
        "-o",
        tmp_path / "updated",
        "--forget",
        "1000",
        "--quiet",
    ]
    subprocess.run([sys.executable, "-m", "induce", *map(str, words)], check=True)
    classifier.update(new_X.assign(y=new_y), "y", forget=1000)
    loaded = GPClassifier.load(tmp_path / "updated")
    np.testing.assert_array_equal(loaded.predict_proba(new_X), classifier.predict_proba(new_X))
    assert loaded.classes_.tolist() == classifier.classes_.tolist()
    assert loaded.get_params()["inducing"] == 20
    assert loaded.updates_ == classifier.updates_
    again = pickle.loads(pickle.dumps(classifier))
    np.testing.assert_array_equal(again.predict_proba(new_X), classifier.predict_proba(new_X))


def test_weights_are_copies():
    X, y = table(400, 1)
    new_X, new_y = table(200, 2)
    times = np.where(np.arange(200) % 3 == 0, 2, 1)
    weighted = GPClassifier(**FAST).fit(X, y).update(new_X, new_y, times)
    copied = (
        GPClassifier(**FAST).fit(X, y).update(new_X.loc[np.repeat(np.arange(200), times)], np.repeat(new_y, times))
    )
    np.testing.assert_allclose(weighted.predict_proba(X), copied.predict_proba(X), rtol=1e-9)


def test_class_weight_stays_a_shift():
    X, y = table(400, 1)
    new_X, new_y = table(200, 2)
    plain = GPClassifier(**FAST).fit(X, y).update(new_X, new_y)
    weighted = GPClassifier(**FAST, class_weight={"no": 1, "yes": 5}).fit(X, y).update(new_X, new_y)
    np.testing.assert_allclose(weighted.predict_latent(X)[0], plain.predict_latent(X)[0] + np.log(5), atol=1e-9)


def test_partial_fit_fits_and_then_updates():
    X, y = table(400, 1, 3)
    new_X, new_y = table(200, 2, 3)
    classifier = GPClassifier(**FAST)
    classes = ["no", "very", "yes"]
    assert classifier.partial_fit(X, y, classes=classes) is classifier
    np.testing.assert_array_equal(classifier.predict_proba(X), GPClassifier(**FAST).fit(X, y).predict_proba(X))
    classifier.partial_fit(new_X, new_y).partial_fit(new_X, new_y, classes, np.ones(200))
    assert len(classifier.updates_) == 2
    with pytest.raises(ValueError, match="not the same as on the last call"):
        classifier.partial_fit(new_X, new_y, classes=["no", "yes"])
    with pytest.raises(ValueError, match="class 'very' has no rows"):
        GPClassifier(**FAST).partial_fit(X[y != "very"], y[y != "very"], classes=classes)
    with pytest.raises(ValueError, match=r"'very'.* is not a class"):
        GPClassifier(**FAST).partial_fit(X, y, classes=["no", "yes"])
    assert not hasattr(clone(classifier), "model_")


def test_new_levels_and_gaps_are_counted():
    X, y = table(400, 1)
    new_X, new_y = table(200, 2)
    new_X.loc[::4, "job"] = "pilot"
    new_X.loc[::5, "size"] = np.nan
    classifier = GPClassifier(**FAST).fit(X, y)
    with pytest.warns(UserWarning, match="'pilot'"), pytest.warns(UserWarning, match="learned with typical values"):
        classifier.update(new_X, new_y)
    assert classifier.update_report_["unknown_levels"] == 50
    assert classifier.update_report_["new_gaps"] == 40
    assert np.isfinite(classifier.predict_proba(X)).all()


def test_drift_is_seen_grown_and_forgotten():
    X, y = table(800, 1)
    new_X, new_y = table(400, 2, shift=3)
    classifier = GPClassifier(**FAST).fit(X, y).update(new_X, new_y, forget=100, grow=True)
    assert classifier.update_report_["z"] > 3
    assert classifier.update_report_["advice"] == "refit"
    assert classifier.update_report_["kept"] == pytest.approx(2**-4)
    far_X = new_X.assign(age=new_X["age"] + 12)
    with pytest.warns(UserWarning, match="age: .* far above"):
        classifier.update(far_X, new_y, grow=True)
    assert classifier.update_report_["inputs_added"] > 0
    assert len(classifier.inducing_inputs_) > 20


def test_errors_name_the_argument():
    X, y = table(300, 1)
    classifier = GPClassifier(**FAST)
    with pytest.raises(NotFittedError):
        classifier.update(X, y)
    classifier.fit(X, y)
    with pytest.raises(induce.Error, match="label 1 is 'perhaps'"):
        classifier.update(X[:2], ["no", "perhaps"])
    with pytest.raises(induce.Error, match="forget = -1"):
        classifier.update(X, y, forget=-1)
    with pytest.raises(ValueError, match="size"):
        classifier.update(X.drop(columns="size"), y)
    with pytest.raises(ValueError, match="5 rows but 4 labels"):
        classifier.update(X[:5], y[:4])
    with pytest.raises(induce.Error, match=r"no effects of its own.*updated"):
        classifier.update(X, y).effects()
    assert len(classifier.effects(X)) == 3


def test_start_from_takes_fewer_passes(tmp_path):
    X, y = table(3000, 1)
    new_X, new_y = table(3000, 2)
    first = GPClassifier(kernel="se", inducing=40).fit(X, y)
    first.save(tmp_path / "first")
    anew = GPClassifier(kernel="se", inducing=40).fit(new_X, new_y)
    started = GPClassifier(start_from=tmp_path / "first").fit(new_X, new_y)
    assert started.report_["passes"] < anew.report_["passes"]
    assert started.elbo_ > anew.elbo_ - 5
    started.save(tmp_path / "started")
    assert GPClassifier.load(tmp_path / "started").get_params()["start_from"] is None  # a model sets no paths


def test_values_far_outside_are_a_warning():
    X, y = table(300, 1)
    classifier = GPClassifier(**FAST).fit(X, y)
    with pytest.warns(UserWarning, match="age: 300 rows far above"):
        classifier.update(X.assign(age=X["age"] + 3000), y)
    assert classifier.update_report_["advice"] == "refit"
    assert "check its units" in classifier.update_report_["reason"]
