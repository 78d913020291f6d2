"""Effects and importance of features. Oracle: the process that generated the data, and averages of predict_latent."""

import pickle

import numpy as np
import pandas as pd
import pytest

import induce
from induce import GPClassifier


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(4)
    X = random.normal(size=(2000, 4))
    X[:, 3] = random.integers(0, 3, len(X))
    logit = 2 * np.sin(2 * X[:, 0]) + 0.8 * X[:, 3] - 0.8
    return X, (random.uniform(size=len(X)) < 1 / (1 + np.exp(-logit))).astype(int)


@pytest.fixture(scope="module")
def classifier(table):
    return GPClassifier(inducing=40).fit(*table)


def test_importance_ranks_what_matters(classifier):
    shares = classifier.importance_
    assert shares.shape == (4, 2)
    assert (shares[:, 0] <= shares[:, 1]).all()
    assert list(np.argsort(-shares[:, 1])[:2]) == [0, 3]
    assert shares[[1, 2], 1].max() < 0.05
    assert classifier.feature_importances_.sum() == pytest.approx(1)
    np.testing.assert_array_equal(classifier.report_["importance"], shares)


def test_effects_of_the_training_rows(classifier):
    effects = classifier.effects()
    assert [effect.feature for effect in effects] == [f"feature {i}" for i in range(4)]
    for effect, (main, total) in zip(effects, classifier.importance_, strict=True):
        assert (np.diff(effect.values) > 0).all()
        assert (effect.lower <= effect.mean).all() and (effect.mean <= effect.upper).all()
        assert (effect.main, effect.total) == (main, total)
    assert effects[3].values.tolist() == [0, 1, 2]
    assert np.diff(effects[3].mean).min() > 0.4
    wave = 2 * np.sin(2 * effects[0].values)
    assert np.corrcoef(wave, effects[0].mean)[0, 1] > 0.95


def test_effects_average_the_latent_mean(classifier, table):
    X = table[0][:9]  # few rows: all of them enter the average
    for f, effect in enumerate(classifier.effects(X)):
        moved = np.repeat(X[None], len(effect.values), axis=0)
        moved[:, :, f] = effect.values[:, None]
        mean, _ = classifier.predict_latent(moved.reshape(-1, 4))
        curve = mean.reshape(len(effect.values), 9).mean(axis=1)
        share = (X[:, f][:, None] == effect.values).mean(axis=0)
        np.testing.assert_allclose(effect.mean, curve - share @ curve, atol=1e-8)


def test_weights_are_copies(classifier, table):
    X = table[0][:50]
    weights = np.arange(50) % 3 + 1.0
    copies = classifier.effects(np.repeat(X, weights.astype(int), axis=0))
    for weighted, copied in zip(classifier.effects(X, sample_weight=weights), copies, strict=True):
        np.testing.assert_array_equal(weighted.mean, copied.mean)
    with pytest.raises(induce.Error, match="sample_weight needs X"):
        classifier.effects(sample_weight=weights)
    with pytest.raises(induce.Error, match="shape"):
        classifier.effects(X, sample_weight=weights[:-1])


def test_effects_survive_files_and_pickle(classifier, tmp_path):
    classifier.save(tmp_path / "m")
    for again in (GPClassifier.load(tmp_path / "m"), pickle.loads(pickle.dumps(classifier))):
        np.testing.assert_array_equal(again.importance_, classifier.importance_)
        np.testing.assert_array_equal(again.report_["importance"], classifier.importance_)
        np.testing.assert_array_equal(again.effects()[0].upper, classifier.effects()[0].upper)


def test_names_and_threads(table):
    frame = pd.DataFrame(table[0], columns=list("abcd"))
    one = GPClassifier(inducing=20, threads=1).fit(frame, table[1])
    two = GPClassifier(inducing=20, threads=2).fit(frame, table[1])
    assert [effect.feature for effect in one.effects(frame)] == list("abcd")
    np.testing.assert_array_equal(one.importance_, two.importance_)


def test_without_explanation(banana):
    classifier = GPClassifier(callback=lambda progress: False).fit(*banana)
    assert classifier.status_ == "interrupted"
    assert not hasattr(classifier, "importance_")
    assert len(classifier.report_["importance"]) == 0
    with pytest.raises(induce.Error, match="pass X"):
        classifier.effects()
    assert len(classifier.effects(banana[0])) == 2


@pytest.fixture(scope="module")
def with_pairs():
    random = np.random.default_rng(9)
    n = 800
    frame = pd.DataFrame(
        {
            "number": random.integers(0, 9, n).astype(float),
            "level": random.choice(["low", "mid", "high"], n),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 8, n), unit="D"),
        }
    )
    sign = np.where(frame["level"] == "low", 1, -1)
    logit = (frame["number"] - 4) * sign / 2 + 0.3
    frame.loc[random.uniform(size=n) < 0.1, "number"] = np.nan
    y = (random.uniform(size=n) < 1 / (1 + np.exp(-logit))).astype(int)
    return GPClassifier(kernel="mains+pairs:number*level,number*day").fit(frame, y), frame


def test_pairs_have_their_values_and_no_main_effect(with_pairs):
    classifier, frame = with_pairs
    level, day = classifier.pair_effects()
    assert level.features == ("number", "level") and day.features == ("number", "day")
    assert list(level.values[1]) == ["high", "low", "mid"]
    assert np.isnan(level.values[0][-1]) and len(level.values[0]) == 10
    assert day.values[1].dtype.kind == "M"
    assert level.mean.shape == level.lower.shape == level.upper.shape == (10, 3)
    assert (level.lower < level.mean).all() and (level.mean < level.upper).all()
    share = np.array([(frame["level"] == text).mean() for text in level.values[1]])
    np.testing.assert_allclose(level.mean @ share, 0, atol=1e-10)
    share = np.array([(frame["number"].isna() if np.isnan(x) else frame["number"] == x).mean() for x in level.values[0]])
    np.testing.assert_allclose(share @ level.mean, 0, atol=1e-10)
    low = list(level.values[1]).index("low")
    assert level.mean[8, low] > 1 > -1 > level.mean[0, low]


def test_effects_and_pairs_add_up_to_the_latent_mean(with_pairs):
    classifier, frame = with_pairs

    def points(values, column):
        codes = {None if pd.isna(value) else value: k for k, value in enumerate(pd.Series(values))}
        return np.array([codes[None if pd.isna(value) else value] for value in column])

    rest, _ = classifier.predict_latent(frame)
    for effect in classifier.effects():
        curve = effect.mean if effect.missing is None else np.append(effect.mean, effect.missing[0])
        values = list(effect.values) + ([] if effect.missing is None else [None])
        rest = rest - curve[points(values, frame[effect.feature])]
    for pair in classifier.pair_effects():
        at = [points(values, frame[name]) for name, values in zip(pair.features, pair.values, strict=True)]
        rest = rest - pair.mean[at[0], at[1]]
    assert np.ptp(rest) < 1e-10


def test_shares_of_terms_add_up_to_one(with_pairs, classifier):
    shares = with_pairs[0].terms_
    assert set(shares) == {"number", "level", "day", "number*level", "number*day"}
    assert sum(shares.values()) == pytest.approx(1)
    assert list(shares)[0] == "number*level" and shares["number*level"] > 0.7
    assert list(classifier.terms_)[0] == "feature 0" and "joint" in classifier.terms_
    assert sum(classifier.terms_.values()) == pytest.approx(1)
    assert classifier.pair_effects() == []
    assert pickle.loads(pickle.dumps(with_pairs[0])).terms_ == shares


def test_pairs_of_three_classes_have_a_surface_each(with_pairs):
    _, frame = with_pairs
    y = np.where(frame["level"] == "low", np.arange(len(frame)) % 3, frame["number"] > 3)
    pair = GPClassifier(kernel="mains:number+pairs:number*level").fit(frame, y).pair_effects(frame.head(200))[0]
    assert pair.mean.shape == (3, len(pair.values[0]), 3) and len(pair.classes) == 3
    np.testing.assert_allclose(pair.mean.sum(axis=0), 0, atol=1e-12)
