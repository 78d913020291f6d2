"""scipy's sparse matrices: with their zeros if they are small, as they are if they are wide."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from induce import GPClassifier


def wide_table(rows=400, columns=3000, classes=2, seed=0):
    """Each class has a few columns of its own, and all share rare ones."""
    random = np.random.default_rng(seed)
    y = random.integers(classes, size=rows)
    own = sparse.csr_array((np.ones(rows * 4), (np.repeat(np.arange(rows), 4), np.repeat(y, 4) * 8 + random.integers(8, size=rows * 4))), shape=(rows, columns))
    rare = sparse.random_array((rows, columns), density=0.003, rng=random, format="csr")
    return sparse.csr_array(own + rare), y


@pytest.mark.parametrize("kind", ["csr_array", "csc_array", "coo_array", "csr_matrix", "csc_matrix"])
def test_narrow_matrices_get_their_zeros(banana, kind):
    X, y = banana
    X = np.where(np.abs(X) < 0.2, 0, X)
    with_zeros = GPClassifier(inducing=20).fit(X, y)
    made = getattr(sparse, kind)(X)
    fitted = GPClassifier(inducing=20).fit(made, y)
    assert not fitted.model_.sparse
    np.testing.assert_array_equal(fitted.predict_proba(made), with_zeros.predict_proba(X))
    np.testing.assert_array_equal(fitted.predict_proba(X), with_zeros.predict_proba(made))
    np.testing.assert_array_equal(fitted.effects(made)[0].mean, with_zeros.effects(X)[0].mean)


@pytest.mark.parametrize("classes", [2, 3])
def test_wide_matrices_stay_sparse(classes, tmp_path):
    X, y = wide_table(classes=classes)
    fitted = GPClassifier(inducing=30, kernel="se").fit(X[:300], y[:300])
    assert fitted.model_.sparse
    assert fitted.score(X[300:], y[300:]) > (0.9 if classes == 2 else 0.75)
    p = fitted.predict_proba(X[300:])
    np.testing.assert_array_equal(p, fitted.predict_proba(sparse.csc_array(X[300:])))
    np.testing.assert_array_equal(p, fitted.predict_proba(X[300:].toarray()))
    np.testing.assert_array_equal(p, pickle.loads(pickle.dumps(fitted)).predict_proba(X[300:]))
    fitted.save(tmp_path / "sparse.model")
    np.testing.assert_array_equal(p, GPClassifier.load(tmp_path / "sparse.model").predict_proba(X[300:]))
    assert fitted.inducing_inputs_.shape == (fitted.model_.inducing, len(fitted.input_names_))
    assert fitted.lengthscales_.shape == (len(fitted.input_names_),)
    with pytest.raises(ValueError, match="sparse table"):
        fitted.effects()
    with pytest.raises(AttributeError, match="sparse table"):
        fitted.feature_importances_  # noqa: B018
    with pytest.raises(AttributeError, match="sparse table"):
        fitted.feature_relevance_  # noqa: B018


def test_columns_need_not_be_in_order():
    X, y = wide_table()
    mixed = X.copy()
    for i in range(mixed.shape[0]):
        row = slice(mixed.indptr[i], mixed.indptr[i + 1])
        mixed.indices[row] = mixed.indices[row][::-1].copy()
        mixed.data[row] = mixed.data[row][::-1].copy()
    mixed = sparse.csr_array((mixed.data, mixed.indices.astype(np.int64), mixed.indptr.astype(np.int64)), shape=X.shape)
    before = mixed.indices.copy()
    options = {"inducing": 20, "kernel": "se", "max_iter": 5}
    with pytest.warns(match="did not converge"):
        one, other = (GPClassifier(**options).fit(each, y) for each in (X, mixed))
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(mixed))
    np.testing.assert_array_equal(mixed.indices, before)


def test_weights_count_as_copies():
    X, y = wide_table(rows=200)
    weights = 1 + np.arange(200) % 2
    copies = np.repeat(np.arange(200), weights)
    options = {"inducing": 20, "kernel": "se"}
    weighted = GPClassifier(**options).fit(X, y, sample_weight=weights)
    copied = GPClassifier(**options).fit(X[copies], y[copies])
    np.testing.assert_array_equal(weighted.predict_proba(X), copied.predict_proba(X))


def test_missing_values_of_wide_matrices_are_refused():
    X, y = wide_table()
    X.data[5] = np.nan
    with pytest.raises(ValueError, match="is missing: sparse rows must have numbers"):
        GPClassifier().fit(X, y)


def test_columns_of_a_kernel_are_refused():
    X, y = wide_table(rows=100)
    with pytest.raises(ValueError, match="mains:0"):
        GPClassifier(kernel="se+mains:0").fit(X, y)


def test_one_hot_pipelines():
    random = np.random.default_rng(0)
    letters = np.array([f"v{k}" for k in range(40)])
    X = np.column_stack([random.choice(letters, 300), random.choice(letters, 300)])
    y = (X[:, 0] < "v25").astype(int)
    encoder = OneHotEncoder(handle_unknown="ignore")
    narrow = make_pipeline(encoder, GPClassifier(inducing=20, kernel="se")).fit(X, y)
    assert sparse.issparse(encoder.fit_transform(X))
    assert narrow.score(X, y) > 0.9
    both = make_column_transformer((encoder, [0, 1]), sparse_threshold=1.0)
    np.testing.assert_array_equal(
        make_pipeline(both, GPClassifier(inducing=20, kernel="se")).fit(X, y).predict_proba(X), narrow.predict_proba(X)
    )
    ids = np.array([[f"id{k % 1500}", letters[k % 40]] for k in range(3000)])
    labels = np.arange(3000) % 40 < 20
    wide = make_pipeline(OneHotEncoder(), GPClassifier(inducing=60, kernel="se")).fit(ids, labels)
    assert wide[-1].model_.sparse
    assert wide.score(ids, labels) > 0.9
