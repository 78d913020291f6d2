"""The contents of the plots. To check their appearance, run examples/plots.py."""

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from induce import GPClassifier, plot

matplotlib.use("agg")


@pytest.fixture(scope="module")
def classifier(banana):
    return GPClassifier().fit(*banana)


@pytest.fixture(autouse=True)
def _close_figures():
    settings = dict(matplotlib.rcParams)
    yield
    plt.close("all")
    assert dict(matplotlib.rcParams) == settings  # a plot must not change global settings


def test_decision_surface(classifier, banana):
    ax = plot.decision_surface(classifier, *banana)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("feature 0", "feature 1")
    drawn = ax.images[0].get_array()
    assert 0 <= drawn.min() < 0.2 < 0.8 < drawn.max() <= 1
    assert len(ax.lines[0].get_xdata()) == len(classifier.inducing_inputs_)
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["0", "1", "inducing inputs"]


def test_decision_surface_with_named_features(banana):
    X, y = banana
    frame = pd.DataFrame({"east": X[:, 0], "idle": np.linspace(0, 1, len(X)), "north": X[:, 1]})
    ax = plot.decision_surface(GPClassifier().fit(frame, y), frame, y, features=("north", "east"))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("north", "east")


def test_calibration_curve(classifier, banana):
    _, ax = plt.subplots()
    X, y = banana
    assert plot.calibration_curve(classifier, X, y, bins=4, ax=ax) is ax
    predicted, observed = ax.lines[1].get_data()
    probability = classifier.predict_proba(X)[:, 1]
    lowest = probability < 0.25
    assert predicted[0] == pytest.approx(probability[lowest].mean())
    assert observed[0] == pytest.approx(y[lowest].mean())


def test_feature_relevance(classifier):
    ax = plot.feature_relevance(classifier, top=1)
    assert len(ax.patches) == 1
    assert ax.patches[0].get_width() == classifier.feature_relevance_.max()
    assert ax.get_title(loc="left") == "1 less relevant features not shown"


@pytest.mark.parametrize("x", ["seconds", "passes", "iterations"])
def test_training_curve(classifier, x):
    ax = plot.training_curve(classifier, x=x)
    assert ax.get_xlabel() == x
    drawn = np.concatenate([line.get_ydata() for line in ax.lines[:-1]])
    np.testing.assert_allclose(drawn * classifier.history_["rows"], classifier.history_["bound"], rtol=1e-12)


def test_training_curve_rejects_unknown_x(classifier):
    with pytest.raises(ValueError, match="'hours': must be one of seconds, passes, iterations"):
        plot.training_curve(classifier, x="hours")


def test_effects(classifier, banana):
    axes = plot.effects(classifier)
    assert len(axes) == 2
    first = max(classifier.effects(), key=lambda effect: effect.total)
    assert axes[0].get_title(loc="left").startswith(first.feature)
    np.testing.assert_array_equal(axes[0].lines[1].get_ydata(), first.mean)
    _, ax = plt.subplots()
    assert plot.effects(classifier, banana[0], features=["feature 1"], axes=ax)[0] is ax
    with pytest.raises(ValueError, match="1 axes for 2 features"):
        plot.effects(classifier, axes=ax)


def test_importance(classifier):
    ax = plot.importance(classifier, top=1)
    assert ax.patches[0].get_width() == classifier.importance_[:, 1].max()
    assert ax.get_title(loc="left") == "1 less important features not shown"


@pytest.fixture(scope="module")
def seven():
    """Seven classes on a ring, named by letters."""
    random = np.random.default_rng(0)
    y = np.arange(210) % 7
    X = np.column_stack([np.cos(0.9 * y), np.sin(0.9 * y)]) + random.normal(scale=0.25, size=(210, 2))
    return X, np.array(list("ABCDEFG"))[y]


@pytest.fixture(scope="module")
def many(seven):
    return GPClassifier(inducing=20, kernel="se", warp="none").fit(*seven)


def test_effects_of_many_classes(many):
    axes = plot.effects(many)
    variation = sum(effect.mean.var(axis=1) for effect in many.effects())
    shown = np.sort(np.argsort(-variation)[:5])
    legend = axes[0].figure.legends[0]
    assert [text.get_text() for text in legend.get_texts()] == many.classes_[shown].tolist()
    assert legend.get_title().get_text() == "5 of 7 classes, which vary most"
    first = max(many.effects(), key=lambda effect: effect.total)
    drawn = [line.get_ydata() for line in axes[0].lines[1:6]]
    np.testing.assert_array_equal(drawn, first.mean[shown])

    _, ax = plt.subplots()
    plot.effects(many, features=[0], classes=["B", "G"], axes=ax)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["B", "G"]
    assert ax.get_legend().get_title().get_text() == "2 of 7 classes"
    with pytest.raises(ValueError, match="no class 'Z'; its classes: 'A', 'B'"):
        plot.effects(many, classes=["Z"])


def test_calibration_of_many_classes(many, seven):
    X, y = seven
    probability = many.predict_proba(X)
    ax = plot.calibration_curve(many, X, y, bins=2)
    predicted, observed = ax.lines[1].get_data()
    confident = probability.max(axis=1) >= 0.5
    assert predicted[-1] == pytest.approx(probability.max(axis=1)[confident].mean())
    assert observed[-1] == pytest.approx((many.predict(X) == y)[confident].mean())
    assert ax.get_xlabel() == "predicted probability of the predicted class"

    ax = plot.calibration_curve(many, X, y, bins=4, classes=["C", "A"])
    assert [text.get_text()[0] for text in ax.get_legend().get_texts()] == ["C", "A"]
    lowest = probability[:, 2] < 0.25
    assert ax.lines[1].get_ydata()[0] == pytest.approx((y == "C")[lowest].mean())  # many rows


def test_confusion(many, classifier, seven, banana):
    X, y = seven
    ax = plot.confusion(many, X, y)
    assert [text.get_text() for text in ax.get_yticklabels()] == list("ABCDEFG")
    shares = ax.images[0].get_array()
    wrong = (many.predict(X) == "B") & (y == "A")
    assert shares[0, 1] == wrong.sum() / (y == "A").sum()
    counts = np.zeros((7, 7))
    for text in ax.texts:
        counts[int(text.get_position()[1]), int(text.get_position()[0])] = text.get_text()
    np.testing.assert_allclose(counts / 30, shares)
    assert plot.confusion(classifier, *banana).images[0].get_array().shape == (2, 2)
    with pytest.raises(ValueError, match="no class 'Z'"):
        plot.confusion(many, X[:1], ["Z"])


def test_confusion_of_very_many_classes_has_no_text(seven):
    class Constant:
        classes_ = np.arange(21)

        def predict(self, X):
            return np.zeros(len(X), dtype=int)

    assert not plot.confusion(Constant(), seven[0], np.arange(210) % 21).texts


def test_decision_surface_of_many_classes(many, seven):
    ax = plot.decision_surface(many, *seven, resolution=50)
    assert ax.images[0].get_array().shape == (50, 50, 3)
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == [*"ABCDEFG", "inducing inputs"]


def test_effects_count_the_levels_they_leave_out():
    random = np.random.default_rng(0)
    job = random.integers(0, 20, 600)
    X = pd.DataFrame({"job": [f"job {k}" for k in job]})
    classifier = GPClassifier(inducing=20, kernel="se").fit(X, (job + random.normal(0, 4, 600) > 10).astype(int))
    (ax,) = np.atleast_1d(plot.effects(classifier)).ravel()
    assert ax.get_xlabel() == "8 more levels not shown"
    assert len(ax.get_xticklabels()) == 12
