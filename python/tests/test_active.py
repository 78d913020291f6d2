"""Which rows to label next: rank_rows, and from modAL and scikit-activeml in their own way. Oracles: what rank_rows
says, what predict_doubt says, and the contracts of the two packages."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from induce import Error, GPClassifier
from induce.active import modal_query

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the packages' own, when they are imported
    from modAL.models import ActiveLearner
    from skactiveml.classifier import SklearnClassifier

    from induce.active import GainSampling


def quick(**options):
    return GPClassifier(kernel="se", warp="none", threads=1, **options)


def table(rows, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 2))
    return X, (np.sin(2 * X[:, 0]) + X[:, 1] > 0).astype(int)


@pytest.fixture(scope="module")
def fitted():
    return quick().fit(*table(60))


def test_positions_and_gains(fitted):
    pool, _ = table(500, 1)
    positions, gain = fitted.rank_rows(pool, 20, return_gain=True)
    assert positions.dtype == np.intp
    assert len(set(positions)) == 20
    assert (gain > 0).all()
    np.testing.assert_array_equal(fitted.rank_rows(pool, 20), positions)
    np.testing.assert_array_equal(quick().set_params(threads=2).fit(*table(60)).rank_rows(pool, 20), positions)
    informative = np.sort(gain)[-18:]
    assert (informative > np.median(fitted.rank_rows(pool, 200, random_share=1, return_gain=True)[1])).all()
    assert len(fitted.rank_rows(pool[:7], 20)) == 7


def test_costs_and_errors(fitted):
    pool, _ = table(200, 2)
    first = fitted.rank_rows(pool, 1)[0]
    costs = np.ones(200)
    costs[first] = 1000
    assert first not in fitted.rank_rows(pool, 5, costs=costs)
    with pytest.raises(Error, match=r"row 3: the cost is -1, but it must be a number greater than 0"):
        fitted.rank_rows(pool, costs=np.where(np.arange(200) == 3, -1, 1))
    with pytest.raises(Error, match=r"there are 2 costs but 200 rows"):
        fitted.rank_rows(pool, costs=[1, 1])
    with pytest.raises(Error, match=r"random_share = 2: must be between 0 and 1"):
        fitted.rank_rows(pool, random_share=2)
    with pytest.raises(Error, match=r"rows = 0: must be at least 1"):
        fitted.rank_rows(pool, 0)


def test_frames_gaps_and_many_classes():
    random = np.random.default_rng(0)
    X = pd.DataFrame({"x": random.normal(size=300), "kind": random.choice(["a", "b", "c"], 300)})
    y = np.where(X["x"] > 0.5, "high", np.where(X["kind"] == "a", "low", "other"))
    classifier = quick().fit(X[:80], y[:80])
    pool = X[80:].copy()
    pool.loc[100, "x"] = np.nan  # a gap that the model has not learned
    with pytest.warns(UserWarning, match="gaps unlike those of the training data"):
        positions, gain = classifier.rank_rows(pool, 220, return_gain=True)
    assert sorted(positions) == list(range(220))
    assert np.isfinite(gain).all()


def test_sparse_rows():
    random = np.random.default_rng(0)
    X = np.where(random.random((300, 2000)) < 0.02, 1.0, 0.0)
    y = X[:, :40].sum(axis=1) > 0.5
    classifier = quick().fit(csr_matrix(X[:200]), y[:200])
    assert classifier.model_.sparse
    positions = classifier.rank_rows(csr_matrix(X[200:]), 10)
    assert len(set(positions)) == 10


@pytest.mark.parametrize("pipeline", [False, True])
def test_modal(pipeline):
    X, y = table(60)
    pool, _ = table(400, 1)
    estimator = make_pipeline(StandardScaler(), quick()) if pipeline else quick()
    learner = ActiveLearner(estimator.fit(X, y), query_strategy=modal_query)  # its own fit fails from scikit-learn 1.8 on
    scaled = estimator[:-1].transform(pool) if pipeline else pool
    classifier = estimator[-1] if pipeline else estimator
    for n in (2, 10):  # modAL unpacks what has two parts
        positions, rows = learner.query(pool, n_instances=n, random_share=0)
        np.testing.assert_array_equal(rows, pool[positions])
        np.testing.assert_array_equal(positions, classifier.rank_rows(scaled, n, random_share=0))
    assert learner.query(pool, n_instances=3, return_metrics=True)[2].shape == (3,)


def test_scikit_activeml():
    X, truth = table(300, 1)  # of a pool that is so small all rows stand for it, whatever the seed
    y = np.full(300, np.nan)
    y[:60] = truth[:60]
    clf = SklearnClassifier(quick(), classes=[0, 1])
    strategy = GainSampling(random_state=0, random_share=0)
    positions, utilities = strategy.query(X, y, clf=clf, batch_size=10, return_utilities=True)
    expected, gain = quick().fit(X[:60], truth[:60]).rank_rows(X[60:], 10, random_share=0, return_gain=True)
    np.testing.assert_array_equal(positions, expected + 60)
    np.testing.assert_allclose(utilities[np.arange(10), positions], gain)
    assert np.isnan(utilities).sum() == utilities.size - 10
    among = strategy.query(X, y, clf=clf, batch_size=5, candidates=np.arange(100, 200))
    assert set(among) <= set(range(100, 200))
    others = strategy.query(X, y, clf=clf.fit(X, y), fit_clf=False, batch_size=5, candidates=X[200:])
    assert len(others) == 5
    assert max(others) < 100
