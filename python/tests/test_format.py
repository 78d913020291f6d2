"""docs/format.md and docs/math.md suffice to predict from a model file: a reader that knows only them agrees."""

import numpy as np
import pandas as pd
import pytest
from export_models import (
    LIKELIHOODS,
    OLD_ADDITIVE,
    fitted,
    mixed_model,
    mixed_table,
    numbers,
    old_model,
    quick,
    small_model,
    with_new_gaps,
)
from numpy_reader import NumpyModel
from scipy import sparse


def assert_same(classifier, X, table, path):
    classifier.save(path)
    p, mean, variance = NumpyModel(path).predict(table)
    want = classifier.predict_proba(X)
    np.testing.assert_allclose(p, want if p.shape[1] > 1 else want[:, 1:], rtol=0, atol=1e-9)
    own_mean, own_variance = (np.reshape(each, mean.shape) for each in classifier.predict_latent(X))
    np.testing.assert_allclose(mean, own_mean, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(variance, own_variance, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
@pytest.mark.parametrize(
    "kernel",
    ["se", "matern12", "matern52+se", "se+linear+matern12", "linear", "matern:1.2"]
    + ["se+mains+pairs:0*2", "mains:1,2+pairs:2*1", "pairs:0*1,0*2"],
)
def test_numbers(kernel, likelihood, tmp_path):
    X = numbers(12, seed=5)
    assert_same(small_model(kernel, likelihood), X, X, tmp_path / "model")


def test_one_length_scale(tmp_path):
    X = numbers(12, seed=5)
    assert_same(small_model("se", "logistic", ard=False), X, X, tmp_path / "model")


@pytest.mark.parametrize("name", OLD_ADDITIVE)
def test_additive_parts(name):
    path, classifier, X = old_model(name)
    p, mean, variance = NumpyModel(path).predict(X)
    want = classifier.model_.predict(X)
    np.testing.assert_allclose(p, want[0] if p.shape[1] > 1 else want[0][:, 1:], rtol=0, atol=1e-9)
    for got, own in zip((mean, variance), want[1:], strict=True):
        np.testing.assert_allclose(got, np.reshape(own, got.shape), rtol=1e-7, atol=1e-7)


def codes(classifier, table):
    """Numbers, indices of levels (their number for others), days; NaN where a value is missing."""
    out = []
    for column in classifier.columns_:
        x = table[column.name]
        if column.kind == "date":
            out.append((x - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1))
        elif column.kind == "number":
            out.append(x)
        else:
            index = {level: k for k, level in enumerate(column.levels)}
            name = (lambda v: str(v).lower()) if column.kind == "boolean" else str
            out.append([np.nan if pd.isna(v) else index.get(name(v), len(index)) for v in x])
    return np.column_stack([np.asarray(each, float) for each in out])


@pytest.mark.filterwarnings("ignore:.*(gaps unlike|level|unknown to the model|far above|far below)")
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("new_gaps", [False, True])
def test_categories_and_gaps(classes, new_gaps, tmp_path):
    classifier = mixed_model(classes)
    table = mixed_table(20, 3)[0]
    if new_gaps:
        table = with_new_gaps(table)
    assert_same(classifier, table, codes(classifier, table), tmp_path / "model")


def test_sparse_tables(tmp_path):
    X = sparse.random(300, 1500, 0.02, "csr", random_state=0)
    y = (np.asarray(X[:, :40].sum(axis=1)).ravel() > 0.4).astype(int)
    classifier = fitted(quick(), X, y)
    assert classifier.model_.sparse
    assert_same(classifier, X[:50], X[:50].toarray(), tmp_path / "model")
