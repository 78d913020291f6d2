"""Three and more classes. Oracles: multinomial logistic regression, the softmax by sampling, identities, and the bits
of the same fit by another way.
"""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from induce import Error, GPClassifier


def few_digits(return_X_y):
    X, y = load_digits(return_X_y=return_X_y)
    chosen = np.random.default_rng(0).choice(len(y), 400, replace=False)
    return X[chosen], y[chosen]


def pinwheel(rows=240, classes=3, seed=0):
    """Arms around the origin with some overlap: fits in a moment."""
    random = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    angle = 2 * np.pi * y / classes + random.normal(scale=0.35, size=rows)
    radius = random.uniform(0.5, 2, rows)
    X = np.column_stack([radius * np.cos(angle + radius), radius * np.sin(angle + radius)])
    return X + random.normal(scale=0.1, size=X.shape), y


@pytest.fixture(scope="module")
def arms():
    return pinwheel()


FAST = {"inducing": 25, "kernel": "se", "warp": "none"}  # nothing to choose: a fit takes a fraction of a second


@pytest.fixture(scope="module")
def classifier(arms):
    return GPClassifier(**FAST).fit(*arms)


@pytest.mark.filterwarnings("ignore:feature .* constant", "ignore:features .* constant")  # pixels at the border
@pytest.mark.parametrize(
    ("table", "options", "at_most"),
    [
        pytest.param(load_iris, {}, 1, id="iris"),
        # Tables of a few hundred rows that logistic regression fits best: docs/results.md has the figures.
        pytest.param(load_wine, {}, 1.4, id="wine"),
        pytest.param(few_digits, {"kernel": "se", "warp": "none"}, 1.35, id="digits"),  # all choices take a minute
    ],
)
def test_nll_against_logistic_regression(table, options, at_most):
    X, y = table(return_X_y=True)
    ours, theirs = [], []
    for split in range(3):
        train, test, y_train, y_test = train_test_split(X, y, test_size=1 / 3, random_state=split, stratify=y)
        peer = make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000)).fit(train, y_train)
        ours.append(log_loss(y_test, GPClassifier(**options).fit(train, y_train).predict_proba(test)))
        theirs.append(log_loss(y_test, peer.predict_proba(test)))
    print(f"NLL {np.mean(ours):.4f}, logistic regression {np.mean(theirs):.4f}")
    assert np.mean(ours) <= at_most * np.mean(theirs)


def test_probabilities_and_shapes(classifier, arms):
    X, y = arms
    probability = classifier.predict_proba(X)
    mean, variance = classifier.predict_latent(X)
    assert probability.shape == mean.shape == variance.shape == (len(X), 3)
    assert ((probability >= 0) & (probability <= 1)).all()
    np.testing.assert_allclose(probability.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert (variance > 0).all()
    np.testing.assert_array_equal(classifier.predict(X), classifier.classes_[probability.argmax(axis=1)])
    np.testing.assert_allclose(np.exp(classifier.predict_log_proba(X)), probability)
    assert classifier.score(X, y) > 0.9
    assert len(classifier.predict_proba(X[:1])) == 1
    theta = classifier.report_["theta"]
    assert theta["mean"].shape == theta["class_scales"].shape == (3,)


def test_probabilities_are_expectations_of_the_softmax(classifier, arms):
    X = arms[0][:40]
    mean, variance = classifier.predict_latent(X)
    draws = np.random.default_rng(5).standard_normal((20_000, 1, 3))
    f = mean + np.sqrt(variance) * np.concatenate([draws, -draws])
    p = np.exp(f - f.max(axis=2, keepdims=True))
    p /= p.sum(axis=2, keepdims=True)
    np.testing.assert_allclose(classifier.predict_proba(X), p.mean(axis=0), atol=6 * p.std(axis=0).max() / 200)


@pytest.mark.parametrize(
    "classes",
    [
        np.array([2, 5, 9]),
        np.array([-1.0, 0.0, 7.0]),
        np.array(["ash", "beech", "oak, or else"]),
        np.array(["ash", "beech", "oak"], dtype=object),
        pd.Categorical(["low", "mid", "top"]),
    ],
    ids=str,
)
def test_labels_of_any_type(classifier, arms, tmp_path, classes):
    X, y = arms
    labels = classes[y]
    other = GPClassifier(**FAST).fit(X, labels)
    np.testing.assert_array_equal(other.classes_, np.unique(np.asarray(labels)))
    np.testing.assert_array_equal(other.predict_proba(X), classifier.predict_proba(X))
    assert (other.predict(X) == np.asarray(labels)).mean() > 0.9
    other.save(tmp_path / "model")
    loaded = GPClassifier.load(tmp_path / "model")
    assert loaded.classes_.dtype == other.classes_.dtype
    np.testing.assert_array_equal(loaded.classes_, other.classes_)
    np.testing.assert_array_equal(loaded.predict(X), other.predict(X))


def test_classes_are_sorted_as_numpy_does(arms):
    X, y = arms
    numbers = GPClassifier(**FAST).fit(X, np.array([10, 9, 100])[y])
    assert numbers.classes_.tolist() == [9, 10, 100]
    assert numbers.model_.classes == ["9", "10", "100"]
    texts = GPClassifier(**FAST).fit(X, np.array(["10", "9", "100"])[y])
    assert texts.classes_.tolist() == ["10", "100", "9"]


def test_a_class_with_one_row(arms):
    X, y = arms
    alone = np.append(y, 3)
    with pytest.warns(UserWarning, match="class '3' has only 1 row"):
        classifier = GPClassifier(**FAST).fit(np.vstack([X, [[6.0, 6.0]]]), alone)
    assert classifier.predict_proba(X).shape == (len(X), 4)
    assert classifier.predict_proba(X)[:, 3].mean() < 0.05
    with pytest.warns(UserWarning, match="far below"):
        assert np.isfinite(classifier.predict_log_proba([[6.0, 6.0], [-50.0, 3.0]])).all()


def test_files_pickle_and_threads_keep_every_bit(classifier, arms, tmp_path):
    X, y = arms
    classifier.save(tmp_path / "model")
    loaded = GPClassifier.load(tmp_path / "model")
    copies = [
        loaded,
        pickle.loads(pickle.dumps(classifier)),
        GPClassifier(**FAST, threads=1).fit(X, y),
        GPClassifier(**FAST, threads=2).fit(X, y),
    ]
    for copy in copies:
        np.testing.assert_array_equal(copy.predict_proba(X), classifier.predict_proba(X))
        np.testing.assert_array_equal(copy.predict_latent(X), classifier.predict_latent(X))
        np.testing.assert_array_equal(copy.importance_, classifier.importance_)
        np.testing.assert_array_equal(copy.effects()[1].lower, classifier.effects()[1].lower)
    assert loaded.classes_.dtype == classifier.classes_.dtype
    for name, value in classifier.report_["theta"].items():
        np.testing.assert_array_equal(loaded.report_["theta"][name], value)
    # without Python's notes, as the command line writes it
    classifier.model_.save(str(tmp_path / "plain"), {})
    plain = GPClassifier.load(tmp_path / "plain")
    assert (plain.likelihood, plain.classes_.tolist()) == ("auto", [0, 1, 2])
    np.testing.assert_array_equal(plain.predict_proba(X), classifier.predict_proba(X))
    plain.fit(X, y)  # its parameters are those of the model


def test_metadata_of_another_number_of_classes_is_an_error(classifier, tmp_path):
    entry = '{"parameters": {}, "classes": {"dtype": "<i8", "values": [0, 1]}}'
    classifier.model_.save(str(tmp_path / "model"), {"python": entry})
    with pytest.raises(Error, match="invalid Python metadata.*expected 3 classes"):
        GPClassifier.load(tmp_path / "model")


def test_resumed_fit_equals_uninterrupted_fit(classifier, arms, tmp_path):
    X, y = arms
    state, seen = tmp_path / "fit.state", []
    stopped = GPClassifier(**FAST, checkpoint=state, callback=lambda now: seen.append(now) or len(seen) < 4)
    assert stopped.fit(X, y).status_ == "interrupted"
    assert stopped.predict_proba(X).shape == (len(X), 3)
    resumed = GPClassifier(**FAST, resume=state).fit(X, y)
    np.testing.assert_array_equal(resumed.predict_proba(X), classifier.predict_proba(X))


def test_weights(arms):
    X, y = arms
    weights = np.random.default_rng(1).integers(0, 3, len(X))
    by_weight = GPClassifier(**FAST).fit(X, y, sample_weight=weights)
    by_copies = GPClassifier(**FAST).fit(X.repeat(weights, axis=0), y.repeat(weights))
    np.testing.assert_array_equal(by_weight.predict_proba(X), by_copies.predict_proba(X))
    with pytest.raises(Error, match="all rows of class '2' have weight 0"):
        GPClassifier().fit(X, y, sample_weight=np.where(y == 2, 0, 1))


def test_class_weights(arms):
    X, y = arms
    by_class = GPClassifier(**FAST, class_weight={1: 4}).fit(X, y)
    plain = GPClassifier(**FAST).fit(X, y)
    shift = np.log([1, 4, 1]) - np.log(4) / 3
    np.testing.assert_allclose(by_class.predict_latent(X)[0], plain.predict_latent(X)[0] + shift, atol=1e-12)

    kept = (y != 2) | (np.arange(len(y)) % 4 == 0)
    X, y = X[kept], y[kept]
    balanced = GPClassifier(**FAST, class_weight="balanced").fit(X, y)
    plain = GPClassifier(**FAST).fit(X, y)
    assert balanced.predict_proba(X)[:, 2].mean() > plain.predict_proba(X)[:, 2].mean()


def test_works_with_scikit_learn_tools(arms):
    X, y = arms
    words = np.array(["east", "north", "west"])[y]
    pipeline = make_pipeline(StandardScaler(), GPClassifier(**FAST))
    probability = cross_val_predict(pipeline, X, words, cv=3, method="predict_proba")
    assert log_loss(words, probability) < 0.5
    assert set(cross_val_predict(pipeline, X, words, cv=3)) == set(words)
    calibrated = CalibratedClassifierCV(GPClassifier(**FAST), cv=3).fit(X, words)
    np.testing.assert_allclose(calibrated.predict_proba(X).sum(axis=1), 1)
    assert calibrated.score(X, words) > 0.85


def test_effects_have_a_class_dimension(classifier, arms):
    X = arms[0][:9]  # few rows: all of them enter the average
    for f, effect in enumerate(classifier.effects(X)):
        points = len(effect.values)
        assert effect.classes.tolist() == [0, 1, 2]
        assert effect.mean.shape == effect.lower.shape == effect.upper.shape == (3, points)
        assert (effect.lower <= effect.mean).all() and (effect.mean <= effect.upper).all()
        moved = np.repeat(X[None], points, axis=0)
        moved[:, :, f] = effect.values[:, None]
        mean, _ = classifier.predict_latent(moved.reshape(-1, 2))
        curves = mean.reshape(points, 9, 3).mean(axis=1)
        curves = (curves - curves.mean(axis=1, keepdims=True)).T
        share = (X[:, f][:, None] == effect.values).mean(axis=0)
        np.testing.assert_allclose(effect.mean, curves - (curves @ share)[:, None], atol=1e-8)
    assert classifier.importance_.shape == (2, 2)
    assert classifier.feature_importances_.sum() == pytest.approx(1)


def test_two_classes_keep_their_shapes(banana):
    X, y = banana
    classifier = GPClassifier(inducing=10).fit(X, np.array(["no", "yes"])[y])
    effect = classifier.effects()[0]
    assert effect.mean.shape == effect.values.shape
    assert effect.classes.tolist() == ["yes"]
    assert classifier.predict_latent(X)[0].shape == (len(X),)


def test_errors_say_what_to_do(arms):
    X, y = arms
    with pytest.raises(Error, match="method = vi-jj: it is for two classes, and the data has 3; use vi-newton"):
        GPClassifier(method="vi-jj").fit(X, y)
    with pytest.raises(Error, match="likelihood = probit: it is for two classes, and the data has 3; use softmax"):
        GPClassifier(likelihood="probit").fit(X, y)
    with pytest.raises(Error, match="likelihood = softmax: it is for three or more classes"):
        GPClassifier(likelihood="softmax").fit(X, y == 1)
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        GPClassifier().fit(X, X[:, 0])
    with pytest.raises(Error, match="looks like a quantity"):
        GPClassifier().fit(X, np.arange(len(X)) // 3)
    with pytest.raises(Error, match="1200 classes: at most 1000"):
        GPClassifier().fit(np.arange(2400.0)[:, None], [f"c{i // 2}" for i in range(2400)])
    with pytest.raises(Error, match="all labels are 'x'"):
        GPClassifier().fit(X, ["x"] * len(X))
