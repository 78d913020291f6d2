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
    assert len(ax.lines[0].get_xdata()) == len(classifier.inducing_points_)
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
