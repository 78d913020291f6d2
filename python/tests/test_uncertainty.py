"""predict_doubt and predict_set. Oracles: sampling from the latent Gaussians; cumulative sums; fresh rows."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from induce import Error, GPClassifier


@pytest.fixture(scope="module")
def three():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    X = np.c_[np.cos(2 * y), np.sin(2 * y)] + 0.7 * rng.normal(size=(300, 2))
    return GPClassifier(kernel="se", warp="none").fit(X, y), X


def entropy(p):
    return -(p * np.log(np.maximum(p, 1e-300))).sum(axis=-1)


def test_two_classes_agree_with_sampling(banana):
    X, y = banana
    classifier = GPClassifier().fit(X, y)
    doubt = classifier.predict_doubt(X)
    mean, variance = classifier.predict_latent(X)
    draws = np.random.default_rng(1).normal(size=(20000, 1)) * np.sqrt(variance) + mean
    p = 1 / (1 + np.exp(-draws))
    np.testing.assert_allclose(doubt.p_low, np.quantile(p, 0.025, axis=0), atol=0.02)
    np.testing.assert_allclose(doubt.p_high, np.quantile(p, 0.975, axis=0), atol=0.02)
    np.testing.assert_allclose(doubt.noise, entropy(np.stack([p, 1 - p], axis=-1)).mean(axis=0), atol=0.01)
    np.testing.assert_allclose(doubt.noise + doubt.knowledge, entropy(classifier.predict_proba(X)), atol=1e-12)


def test_three_classes_agree_with_sampling(three):
    classifier, X = three
    doubt = classifier.predict_doubt(X)
    mean, variance = classifier.predict_latent(X)
    f = np.random.default_rng(2).normal(size=(5000, *mean.shape)) * np.sqrt(variance) + mean
    p = np.exp(f - f.max(axis=-1, keepdims=True))
    p /= p.sum(axis=-1, keepdims=True)
    assert doubt.p_low.shape == mean.shape
    np.testing.assert_allclose(doubt.p_low, np.quantile(p, 0.025, axis=0), atol=0.04)
    np.testing.assert_allclose(doubt.p_high, np.quantile(p, 0.975, axis=0), atol=0.05)
    np.testing.assert_allclose(doubt.noise, entropy(p).mean(axis=0), atol=0.02)


@pytest.mark.filterwarnings("ignore:.*far above")
def test_rows_from_elsewhere_are_new(three):
    classifier, X = three
    novelty = classifier.predict_doubt(np.r_[X, X + 30]).novelty
    assert novelty[:300].max() < novelty[300:].min()
    assert novelty[300:].min() > 0.95


def test_sets_are_the_smallest(three):
    """By the probabilities alone, as with class weights."""
    fitted, X = three
    classifier = GPClassifier(kernel="se", warp="none", class_weight={0: 2, 1: 1, 2: 1}).fit(X, fitted.predict(X))
    probability = classifier.predict_proba(X)
    for alpha in (0.05, 0.3):
        sets = classifier.predict_set(X, alpha)
        inside = np.where(sets, probability, 0)
        assert (inside.sum(axis=1) >= 1 - alpha - 1e-12).all()
        least = np.where(sets, probability, 2).min(axis=1)
        assert (inside.sum(axis=1) - least < 1 - alpha).all()
        assert (np.where(sets, 0, probability).max(axis=1) <= least).all()
    with pytest.raises(Error, match=r"alpha = 1\.5: must be greater than 0 and less than 1"):
        classifier.predict_set(X, 1.5)


def noisy(seed, n):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 4, n)
    return np.c_[np.cos(y * 1.6), np.sin(y * 1.6)] + 0.7 * rng.standard_t(3, size=(n, 2)), y


def test_sets_are_right_as_often_as_they_say(tmp_path):
    classifier = GPClassifier().fit(*noisy(0, 500))
    X, y = noisy(1, 6000)
    for alpha in (0.05, 0.2):
        right = classifier.predict_set(X, alpha)[np.arange(len(y)), y].mean()
        assert abs(right - (1 - alpha)) < 0.03
    thresholds = np.asarray(classifier.report_["set_thresholds"])
    assert len(thresholds) == 101 and (np.diff(thresholds) <= 0).all()
    classifier.save(tmp_path / "m")
    np.testing.assert_array_equal(GPClassifier.load(tmp_path / "m").predict_set(X, 0.1), classifier.predict_set(X, 0.1))


def test_the_command_line_has_the_same_sets(tmp_path):
    X, y = noisy(2, 300)
    table = pd.DataFrame(X, columns=["a", "b"]).assign(y=y)
    table.to_csv(tmp_path / "t.csv", index=False)
    run = [sys.executable, "-m", "induce"]
    subprocess.run([*run, "fit", "t.csv", "--label", "y", "-o", "m", "--quiet"], cwd=tmp_path, check=True)
    subprocess.run([*run, "predict", "m", "t.csv", "--set", "0.1", "-o", "p.csv"], cwd=tmp_path, check=True)
    sets = pd.read_csv(tmp_path / "p.csv", dtype=str)["set"]
    by_python = GPClassifier.load(tmp_path / "m").predict_set(table[["a", "b"]], 0.1)
    assert sets.tolist() == ["|".join(np.flatnonzero(row).astype(str)) for row in by_python]
    assert len(set(sets.str.len())) > 1
