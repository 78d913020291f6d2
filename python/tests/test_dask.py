"""induce.dask. Oracle: GPClassifier in one process on the same rows, byte for byte."""

import copy
import pickle
import warnings

import numpy as np
import pytest
from dask_cluster import LARGE, SMALL, bytes_of, da, dask, dd, numbers, pd, quiet, running
from scipy import sparse
from sklearn.base import clone

import induce
from induce.dask import GPClassifier

@pytest.fixture(autouse=True)
def _quiet():
    with quiet():
        yield


@pytest.fixture(scope="module")
def client():
    with running(4) as client:
        yield client


def mixed(rows=1200):
    random = np.random.default_rng(2)
    X, y, _ = numbers(rows)
    job = random.choice(["cook", "smith", " cook", "NA", "clerk"], rows)
    f = np.nan_to_num(X[:, 0]) + (job == "smith") - (job == "clerk")
    price = np.array([f"{value:.2f}".replace(".", ",") for value in random.uniform(1, 99, rows)], dtype=object)
    price[: rows // 2] = "1,000"  # a thousand or one, if a partition had to decide
    any_kind = np.array([None] * rows, dtype=object)
    any_kind[-rows // 3 :] = [bool(value) for value in random.integers(0, 2, rows // 3)]
    frame = pd.DataFrame(
        {
            "x": X[:, 0],
            "job": job,
            "grade": pd.Categorical(random.choice(["a", "b", "c"], rows)),
            "price": price,
            "day": pd.Timestamp("2023-01-05") + pd.to_timedelta(random.integers(0, 500, rows), "D"),
            "ok": random.random(rows) < 0.5,
            "maybe": any_kind,
            "id": [f"row {k}" for k in range(rows)],
        }
    )
    frame.loc[::17, "day"] = pd.NaT
    label = pd.Series(np.where(f + random.normal(size=rows) / 2 > 0, "yes", "no"), name="answer")
    return frame, label


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("parameters", [SMALL, LARGE], ids=["small", "large"])
def test_arrays_have_the_bytes_of_one_process(client, parameters, classes):
    X, y, weight = numbers(classes=classes)
    want = bytes_of(induce.GPClassifier(**parameters).fit(X, y, weight))
    backwards = slice(None, None, -1)
    for workers, chunks, order in ((1, 1200, slice(None)), (2, 500, backwards), (4, (1, 0, 99, 900, 200), backwards)):
        three = [da.from_array(each[order]) for each in (X, y, weight)]
        x = three[0].rechunk((chunks, 2))  # also several blocks of columns
        fitted = GPClassifier(client, n_workers=workers, **parameters).fit(
            x, three[1].rechunk(150), three[2].rechunk(130)
        )
        assert bytes_of(fitted) == want, (workers, chunks)
        assert min(workers, 2) <= fitted.report_["shards"] <= workers
        assert fitted.report_["bytes_moved"] > 0


def test_ordered_classes_have_the_bytes_of_one_process(client):
    X, y, _ = numbers(classes=3)
    grades = pd.CategoricalDtype(["low", "middle", "high"], ordered=True)
    label = pd.Series(np.array(["low", "middle", "high"])[y], dtype=grades, name="grade")
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    local = induce.GPClassifier(likelihood="ordinal", **SMALL).fit(frame, label)
    x, lazy = dd.from_pandas(frame, npartitions=3), dd.from_pandas(label, npartitions=2)
    fitted = GPClassifier(n_workers=2, likelihood="ordinal", **SMALL).fit(x, lazy)
    assert bytes_of(fitted) == bytes_of(local)
    assert fitted.classes_.tolist() == ["low", "middle", "high"]
    np.testing.assert_allclose(fitted.predict_level(x).compute(), local.predict_level(frame), rtol=1e-14)


@pytest.mark.parametrize("parameters", [SMALL, LARGE], ids=["small", "large"])
def test_frames_have_the_bytes_of_one_process(client, parameters):
    X, y = mixed()
    with pytest.warns(UserWarning, match="an id, left out"):
        local = induce.GPClassifier(class_weight="balanced", **parameters).fit(X, y)
    for workers, partitions in ((1, 1), (3, 7)):
        x, labels = dd.from_pandas(X, npartitions=partitions), dd.from_pandas(y, npartitions=4)
        with pytest.warns(UserWarning, match="an id, left out"):
            fitted = GPClassifier(n_workers=workers, class_weight="balanced", **parameters).fit(x, labels)
        assert bytes_of(fitted) == bytes_of(local), (workers, partitions)
        assert fitted.columns_ == local.columns_
        assert list(fitted.feature_names_in_) == list(local.feature_names_in_)
        assert list(fitted.classes_) == ["no", "yes"]


def test_unknown_lengths_and_empty_partitions(client):
    X, y, _ = numbers()
    table = pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=y, row=np.arange(len(y)))
    frame = dd.from_pandas(table, npartitions=6).clear_divisions()
    frame = frame[frame["row"] < 400]  # the last partitions are empty
    want = bytes_of(induce.GPClassifier(**SMALL).fit(X[:400], y[:400]))
    array = GPClassifier(client, **SMALL).fit(frame[["a", "b", "c"]].values, frame["y"].values)
    assert bytes_of(array) == want
    framed = GPClassifier(client, **SMALL).fit(frame[["a", "b", "c"]].persist(), frame["y"])
    assert framed.model_.feature_names == ["a", "b", "c"]
    p = framed.predict_proba(frame[["a", "b", "c"]])
    np.testing.assert_array_equal(
        p.compute().to_numpy(), framed.to_local().predict_proba(table[["a", "b", "c"]][:400])
    )


@pytest.fixture(scope="module")
def fitted(client):
    X, y, _ = numbers()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return (
            GPClassifier(client, **SMALL).fit(da.from_array(X, chunks=(200, 3)), da.from_array(y, chunks=100)),
            X,
            y,
        )


def test_predictions_are_lazy_and_those_of_the_local_model(client, fitted):
    classifier, X, y = fitted
    local = classifier.to_local()
    assert type(local) is induce.GPClassifier
    x = da.from_array(X, chunks=((100, 0, 1100), 2))
    for method in ("predict", "predict_proba", "predict_log_proba"):
        lazy = getattr(classifier, method)(x)
        assert isinstance(lazy, da.Array)
        assert lazy.chunks[0] == (100, 0, 1100)
        np.testing.assert_array_equal(lazy.compute(), getattr(local, method)(X))
        np.testing.assert_array_equal(getattr(classifier, method)(X), getattr(local, method)(X))
    assert classifier.score(x, da.from_array(y, chunks=70)) == pytest.approx(local.score(X, y))
    assert classifier.score(X, y) == local.score(X, y)


def test_frames_give_frames(client):
    X, y = mixed(300)
    x = dd.from_pandas(X, npartitions=3)
    classifier = GPClassifier(client, drop=["id", "price"], **SMALL).fit(x, dd.from_pandas(y, npartitions=3))
    local = classifier.to_local()
    labels, p = classifier.predict(x), classifier.predict_proba(x)
    assert isinstance(labels, dd.Series)
    assert isinstance(p, dd.DataFrame)
    pd.testing.assert_frame_equal(p.compute(), pd.DataFrame(local.predict_proba(X), X.index, local.classes_))
    np.testing.assert_array_equal(labels.compute().to_numpy(), local.predict(X))
    assert classifier.model_.label == "answer"


def test_is_an_estimator(client, fitted, tmp_path):
    classifier, X, _ = fitted
    parameters = classifier.get_params()
    assert parameters["client"] is client
    assert set(parameters) == {"client", "workers", "n_workers", *induce.GPClassifier().get_params()}
    again = clone(classifier)
    assert again.get_params() == parameters
    assert not hasattr(again, "model_")
    assert again.set_params(inducing=7, client=None).inducing == 7
    for copied in (pickle.loads(pickle.dumps(classifier)), copy.deepcopy(classifier)):
        assert copied.client is None
        assert copied.client_ is not None  # the current one
        assert bytes_of(copied) == bytes_of(classifier)
    classifier.save(tmp_path / "model")
    loaded = induce.GPClassifier.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_proba(X), classifier.to_local().predict_proba(X))
    assert classifier.n_features_in_ == 3


@pytest.mark.parametrize("parameters", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize("method", ["vi-jj", "vi-jj-tight", "vi-taylor"])
def test_methods_of_the_paper(client, method, parameters):
    X, y, weight = numbers()
    parameters = {**parameters, "method": method, "max_iter": 4}
    want = bytes_of(induce.GPClassifier(**parameters).fit(X, y, weight))
    three = [da.from_array(each, chunks=chunks) for each, chunks in ((X, (190, 3)), (y, 300), (weight, 400))]
    assert bytes_of(GPClassifier(client, **parameters).fit(*three)) == want


@pytest.mark.filterwarnings("ignore:the features do not predict the label")  # few iterations
def test_sparse_arrays(client):
    random = np.random.default_rng(4)
    X = sparse.random(400, 1500, 0.01, format="csr", random_state=4)
    y = (X[:, :700].sum(axis=1) > X[:, 700:].sum(axis=1)).A1.astype(int)
    local = induce.GPClassifier(**SMALL).fit(X, y)
    parts = da.concatenate([da.from_array(X[k : k + 100], asarray=False, chunks=-1) for k in range(0, 400, 100)])
    weight = da.from_array(random.uniform(size=400), chunks=77)
    fitted = GPClassifier(client, **SMALL).fit(parts, da.from_array(y, chunks=90))
    assert bytes_of(fitted) == bytes_of(local)
    assert np.array_equal(fitted.predict_proba(parts).compute(), local.predict_proba(X))
    weighted = GPClassifier(client, **SMALL).fit(parts, da.from_array(y, chunks=90), weight)
    assert bytes_of(weighted) == bytes_of(induce.GPClassifier(**SMALL).fit(X, y, weight.compute()))


def test_scores_refuse_weights_that_are_none(fitted):
    classifier, X, y = fitted
    x, labels = da.from_array(X, chunks=(300, 3)), da.from_array(y, chunks=300)
    assert classifier.score(x, labels, da.ones(1200, chunks=300)) == classifier.score(x, labels)
    for value in (-1.0, np.nan):
        weight = np.where(np.arange(1200) == 304, value, 1)
        with pytest.raises(induce.Error, match=f"sample_weight is {value} in row 4: must be"):
            classifier.score(x, labels, da.from_array(weight, chunks=300))


def test_doubts_are_those_of_one_process(client, monkeypatch):
    rows = 300
    random = np.random.default_rng(5)
    X = pd.DataFrame(
        {
            "x": random.normal(size=rows),
            "number": np.arange(1001, 1001 + rows),
            "zip": [f"0{10 + k % 9}" for k in range(rows)],
            "item": [f"item {k % 110}" for k in range(rows)],
            "when": [f"{1 + k % 9:02}/{1 + k % 12:02}/2021" for k in range(rows)],
        }
    )
    y = pd.Series(X["x"] + random.normal(size=rows) / 2 > 0, name="y")
    given = {"inducing": 5, "max_iter": 2, "dates": "month-first"}

    def warnings_of(fit):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            classifier = fit()
        texts = [str(each.message) for each in caught]
        return classifier, [text for text in texts if text.startswith("column '")]

    local, want = warnings_of(lambda: induce.GPClassifier(**given).fit(X, y))
    assert [text.split("'")[1] for text in want] == ["item", "number", "zip"]
    for parts in (1, 4):
        x, labels = dd.from_pandas(X, npartitions=parts), dd.from_pandas(y, npartitions=parts)
        classifier, found = warnings_of(lambda x=x, labels=labels: GPClassifier(client, **given).fit(x, labels))
        assert found == want
        assert bytes_of(classifier) == bytes_of(local)
