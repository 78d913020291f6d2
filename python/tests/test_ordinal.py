"""Ordered classes in Python. Oracles: the order that was given, the definition of the scores, the command line's file, softmax."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from export_models import fitted, labels_of, numbers, quick
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

from induce import Error, GPClassifier

NAMES = np.array(["low", "middle", "high"])
ORDER = pd.CategoricalDtype(["none", "low", "middle", "high"], ordered=True)


@pytest.fixture(scope="module")
def X():
    return numbers(300)


@pytest.fixture(scope="module")
def levels(X):
    return labels_of(X, 3)


@pytest.fixture(scope="module")
def classifier(X, levels):
    return fitted(quick(likelihood="ordinal", kernel="se"), X, pd.Series(NAMES[levels], dtype=ORDER, name="grade"))


def test_the_order_is_that_of_the_categorical(classifier, X, levels):
    assert classifier.classes_.tolist() == ["low", "middle", "high"]  # "none" has no rows
    thresholds = classifier.report_["theta"]["thresholds"]
    assert thresholds.shape == (2,)
    assert thresholds[0] < thresholds[1]
    p = classifier.predict_proba(X)
    np.testing.assert_allclose(p.sum(1), 1, rtol=0, atol=1e-14)
    np.testing.assert_allclose(classifier.predict_level(X), p @ [1, 2, 3], rtol=0, atol=1e-14)
    assert np.corrcoef(classifier.predict_level(X), levels)[0, 1] > 0.7
    mean, variance = classifier.predict_latent(X)
    assert mean.shape == variance.shape == (300,)
    assert classifier.score(X, NAMES[levels]) > 0.6


def test_numbers_have_their_order(classifier, X, levels):
    by_number = fitted(quick(likelihood="ordinal", kernel="se"), X, 10 * levels)
    assert by_number.classes_.tolist() == [0, 10, 20]
    np.testing.assert_array_equal(by_number.predict_proba(X), classifier.predict_proba(X))


def test_texts_need_an_order(X, levels):
    with pytest.raises(Error, match=r"no order.*order=\[...\], or y = pandas.Categorical\(y, categories=\[...\], ordered=True\)"):
        quick(likelihood="ordinal").fit(X, NAMES[levels])


@pytest.mark.filterwarnings("ignore:the fit did not converge")
def test_a_list_is_an_order_as_on_the_command_line(classifier, X, levels, tmp_path):
    listed = clone(quick(likelihood="ordinal", kernel="se", order=["none", "low", "middle", "high"]))
    assert listed.get_params()["order"] == ["none", "low", "middle", "high"]
    fitted(listed, X, NAMES[levels])
    assert listed.classes_.tolist() == ["low", "middle", "high"]  # "none" has no rows
    np.testing.assert_array_equal(listed.predict_proba(X), classifier.predict_proba(X))
    listed.save(tmp_path / "model")
    assert GPClassifier.load(tmp_path / "model").order == listed.order
    reversed_numbers = fitted(quick(likelihood="ordinal", kernel="se", order=np.array([2, 1, 0])), X, levels)
    assert reversed_numbers.classes_.tolist() == [2, 1, 0]
    assert cross_val_score(listed, X, NAMES[levels], cv=2).min() > 0.5


def test_an_order_is_checked(X, levels):
    for order, message in {
        ("low", "high"): r"order = \['low', 'high'\]: must list all labels; missing: 'middle'",
        ("low", "low", "middle", "high"): "'low' is in it twice",
        "low": "order = 'low': must be a list of all labels",
    }.items():
        with pytest.raises(Error, match=message):
            quick(likelihood="ordinal", order=order).fit(X, NAMES[levels])
    with pytest.raises(Error, match='needs likelihood = "ordinal", not \'auto\''):
        quick(order=["low", "middle", "high"]).fit(X, NAMES[levels])


def test_the_order_of_the_command_line_is_known_again(X, levels, tmp_path):
    table = pd.DataFrame(X).assign(grade=NAMES[levels])
    table.to_csv(tmp_path / "train.csv", index=False)
    options = "fit train.csv --label grade --likelihood ordinal --order low,middle,high --kernel se -o model --quiet"
    subprocess.run([sys.executable, "-m", "induce", *options.split()], cwd=tmp_path, check=True)
    loaded = GPClassifier.load(tmp_path / "model")
    assert loaded.order == ["low", "middle", "high"]
    assert clone(loaded).fit(X, NAMES[levels]).classes_.tolist() == loaded.order


def test_two_classes_are_logistic(X, levels):
    model = fitted(quick(likelihood="ordinal", kernel="se"), X, np.where(levels > 0, "b", "a"))
    assert model.model_.likelihood == "logistic"
    with pytest.raises(Error, match="its classes have no order; use ordinal"):
        model.predict_level(X)


def test_metrics_are_their_definition(classifier):
    report = classifier.report_["leave_one_out"]
    assert 0 < report["rps"] < 0.2
    assert 0 < report["level_error"] < 0.5


def test_doubt_sets_and_effects_have_the_right_shapes(classifier, X):
    doubt = classifier.predict_doubt(X)
    p = classifier.predict_proba(X)
    assert doubt.p_low.shape == doubt.p_high.shape == p.shape
    assert (doubt.p_low <= doubt.p_high).all()
    assert classifier.predict_set(X).shape == p.shape
    for effect in classifier.effects():
        assert effect.mean.shape == effect.values.shape
        assert effect.classes.tolist() == ["high"]


def test_survives_its_file(classifier, X, levels, tmp_path):
    classifier.save(tmp_path / "model")
    loaded = GPClassifier.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_proba(X), classifier.predict_proba(X))
    assert loaded.classes_.tolist() == ["low", "middle", "high"]
    assert loaded.model_.ordered
    page = tmp_path / "page.html"
    loaded.report(page, X, NAMES[levels], held_out=True)
    text = page.read_text(encoding="utf-8")
    for part in ("Ranked probability score", "Error in levels", "a high level", '"thresholds":['):
        assert part in text


def test_plots(classifier):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    from induce import plot

    axes = plot.effects(classifier)
    assert all(not ax.get_legend() for ax in axes)
    pyplot.close("all")


def test_weights_of_rows_count_and_those_of_classes_are_refused(X, levels):
    weighted = fitted(quick(likelihood="ordinal", kernel="se"), X, levels)
    weight = np.where(levels == 2, 3.0, 1.0)
    heavier = quick(likelihood="ordinal", kernel="se", max_iter=None)
    heavier.fit(X, levels, sample_weight=weight)
    assert heavier.predict_proba(X)[:, 2].mean() > weighted.predict_proba(X)[:, 2].mean() + 0.05
    with pytest.raises(Error, match="class weights"):
        quick(likelihood="ordinal", class_weight="balanced").fit(X, levels)


def test_other_methods_refuse_by_name(X, levels):
    with pytest.raises(Error, match="likelihood = ordinal: the method vi-jj does not support it; use one of: vi-taylor, vi-newton"):
        GPClassifier(method="vi-jj", likelihood="ordinal").fit(X, levels)
