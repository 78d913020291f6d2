"""predict_doubt and predict_set. Oracles: sampling from the latent Gaussians; cumulative sums."""

import numpy as np
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
    classifier, X = three
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
