"""Fits and predictions with texts, gaps, dates and booleans. Oracle: the process that generated the data."""

import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import make_column_transformer
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from induce import Error, GPClassifier, plot

JOBS = np.array(["cook", "nurse", "pilot", "smith"])
EFFECT = {"cook": -2.0, "nurse": 0.0, "pilot": 1.0, "smith": 2.5}


def people(rows, seed=0, gaps=0.1):
    random = np.random.default_rng(seed)
    job, age, free = random.choice(JOBS, rows), random.normal(size=rows), random.uniform(size=rows) < 0.5
    day = random.integers(0, 1000, rows)
    logit = np.vectorize(EFFECT.get)(job) + np.sin(2 * age) + 1.5 * free - 1
    X = pd.DataFrame(
        {
            "job": pd.Series(job, dtype=object).mask(random.uniform(size=rows) < gaps),
            "age": pd.Series(age).mask(random.uniform(size=rows) < gaps),
            "free": free,
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(day, unit="D"),
        }
    )
    y = pd.Series(np.where(random.uniform(size=rows) < 1 / (1 + np.exp(-logit)), "yes", "no"), name="answer")
    return X, y, 1 / (1 + np.exp(-logit))


@pytest.fixture(scope="module")
def table():
    return people(600)[:2]


@pytest.fixture(scope="module")
def classifier(table):
    return GPClassifier(inducing=30).fit(*table)


def test_it_learns_from_every_kind(classifier, table):
    X, y = table
    assert [(column.name, column.kind, column.levels) for column in classifier.columns_] == [
        ("job", "category", tuple(JOBS)),
        ("age", "number", ()),
        ("free", "boolean", ("false", "true")),
        ("since", "date", ()),
    ]
    assert list(classifier.feature_names_in_) == list(X)
    test, labels, _ = people(2000, seed=1, gaps=0)
    loss = log_loss(labels, classifier.predict_proba(test))
    assert loss < 0.85 * log_loss(labels, np.full(len(labels), (labels == "yes").mean()))
    assert loss < log_loss(labels, GPClassifier(inducing=30, only="age").fit(X, y).predict_proba(test))


def test_containers_change_nothing(classifier, table):
    X, _ = table
    expected = classifier.predict_proba(X)
    frames = [X.astype({"job": "category"}), X.convert_dtypes(), pl.from_pandas(X), pl.from_pandas(X).lazy(), X[X.columns[::-1]]]
    frames.append(pytest.importorskip("pyarrow").Table.from_pandas(X))
    frames.append(frames[-1].to_reader(max_chunksize=100))  # a stream, which is read once
    frames.append(frames[-2].to_pandas(types_mapper=pd.ArrowDtype))
    frames.append(X.astype(object))
    for frame in frames:
        np.testing.assert_array_equal(classifier.predict_proba(frame), expected)
    again = GPClassifier(inducing=30).fit(pl.from_pandas(X), pl.from_pandas(table[1]))
    np.testing.assert_array_equal(again.predict_proba(X), expected)


def test_a_csv_file_gives_the_same_model(tmp_path):
    X, y, _ = people(400, seed=3)
    X = X.assign(id=[f"row {k}" for k in range(len(X))], note=np.where(X["free"], " a", "?"), grade=np.arange(len(X)) % 3)
    X.assign(age=X["age"].round(3), answer=y).to_csv(tmp_path / "t.csv", index=False)
    arguments = ["fit", "t.csv", "--label", "answer", "--inducing", "20", "-o", "m", "--quiet"]
    done = subprocess.run([sys.executable, "-m", "induce", *arguments], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    by_command = GPClassifier.load(tmp_path / "m")
    frame = pd.read_csv(tmp_path / "t.csv")
    with pytest.warns(UserWarning, match="column 'id' is text with a different value"):
        by_python = GPClassifier(inducing=20).fit(frame.drop(columns="answer"), frame["answer"])
    assert by_python.model_.columns == by_command.model_.columns
    assert by_python.model_.feature_names == by_command.model_.feature_names
    with pytest.warns(UserWarning, match="column 'id', which the model was not fitted with: ignored"):
        found = by_command.predict_proba(frame)
    np.testing.assert_array_equal(found, by_python.predict_proba(frame))


def test_order_and_names_of_levels_change_nothing(classifier, table):
    X, y = table
    other = X.assign(job=X["job"].astype(pd.CategoricalDtype(JOBS[::-1])))
    np.testing.assert_array_equal(GPClassifier(inducing=30).fit(other, y).predict_proba(other), classifier.predict_proba(X))


def test_gaps_and_unseen_levels_are_less_certain(classifier, table):
    X, y = table
    row = pd.DataFrame({"job": ["cook"], "age": [0.0], "free": [True], "since": [pd.Timestamp("2021-01-01")]})
    _, known = classifier.predict_latent(row)
    with pytest.warns(UserWarning, match="1 value is unknown to the model, the first 'astronaut' in row 0"):
        _, unseen = classifier.predict_latent(row.assign(job="astronaut"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # gaps in columns that had none
        nothing = row.assign(job=None, age=np.nan, free=None, since=pd.NaT)
        probability, (_, gaps) = classifier.predict_proba(nothing)[0, 1], classifier.predict_latent(nothing)
    assert unseen > known
    assert gaps > known
    assert abs(probability - (y == "yes").mean()) < 0.3


def test_numpy_with_gaps_and_categories():
    X, y, _ = people(400)
    numbers = np.column_stack([X["age"], pd.Categorical(X["job"]).codes.astype(float)])
    numbers[numbers[:, 1] < 0, 1] = np.nan
    classifier = GPClassifier(inducing=20, categorical_features=[1]).fit(numbers, y)
    assert classifier.columns_[1].levels == ("0", "1", "2", "3")
    named = GPClassifier(inducing=20).fit(X[["age", "job"]], y)
    np.testing.assert_array_equal(classifier.predict_proba(numbers), named.predict_proba(X[["age", "job"]]))
    assert np.isfinite(GPClassifier(inducing=20).fit(numbers, y).predict_proba(numbers)).all()


def test_columns_to_score(classifier, table):
    X, y = table
    expected = classifier.predict(X)
    np.testing.assert_array_equal(classifier.predict(X.assign(answer=y)), expected)
    with pytest.warns(UserWarning, match="X has columns 'a', 'b', which the model was not fitted with: ignored") as seen:
        np.testing.assert_array_equal(classifier.predict(X.assign(a=1, b="x")), expected)
    assert len(seen) == 1
    assert seen[0].filename == __file__
    with pytest.raises(Error, match="X lacks column 'age', which the model was fitted with; it has columns 'job', 'free'"):
        classifier.predict(X.drop(columns="age"))
    with pytest.raises(Error, match="column 'age': 'old' is not a number"):
        classifier.predict(X.assign(age="old"))


def test_columns_that_are_left_out(table, tmp_path):
    X, y = table
    X = X[["job", "age"]].assign(id=[f"row {k}" for k in range(len(X))], note="x")
    with pytest.warns(UserWarning, match="column 'id' is text with a different value in nearly every row: an id, left out") as seen:
        classifier = GPClassifier(inducing=20, drop="note").fit(X, y)
    assert seen[0].filename == __file__
    assert classifier.n_features_in_ == 4
    assert list(classifier.feature_names_in_) == ["job", "age", "id", "note"]
    assert [effect.feature for effect in classifier.effects()] == ["job", "age"]
    assert classifier.importance_.shape == (2, 2)
    classifier.save(tmp_path / "m")
    for each in (classifier, GPClassifier.load(tmp_path / "m"), pickle.loads(pickle.dumps(classifier))):
        np.testing.assert_array_equal(each.predict_proba(X), classifier.predict_proba(X[["age", "job"]]))
        assert each.columns_ == classifier.columns_
        assert list(each.feature_names_in_) == ["job", "age", "id", "note"]
    numbers = np.column_stack([np.zeros(len(X)), X["age"]])
    dropped = GPClassifier(inducing=20, drop=[0]).fit(numbers, y)
    dropped.save(tmp_path / "numbers")
    np.testing.assert_array_equal(GPClassifier.load(tmp_path / "numbers").predict_proba(numbers), dropped.predict_proba(numbers))


def test_effects_have_levels_and_dates(classifier):
    effects = {effect.feature: effect for effect in classifier.effects()}
    job = dict(zip(effects["job"].values, effects["job"].mean, strict=True))
    assert job["cook"] < job["nurse"] < job["smith"]
    assert set(effects["free"].values) >= {"false", "true"}
    for name, effect in effects.items():
        assert (effect.missing is None) == (name in ("free", "since"))
    mean, lower, upper = effects["age"].missing
    assert lower < mean < upper
    assert effects["since"].values.dtype.kind == "M"
    assert str(effects["since"].values[0]).startswith("2020")
    plt = pytest.importorskip("matplotlib.pyplot")
    axes = plot.effects(classifier)
    assert "cook" in [label.get_text() for ax in axes for label in ax.get_xticklabels()]
    plot.importance(classifier)
    plt.close("all")
    with pytest.raises(ValueError, match="decision_surface is for tables of numbers"):
        plot.decision_surface(classifier, None, None)


def test_scikit_learn_tools():
    X, y, _ = people(300, gaps=0)
    assert cross_val_score(GPClassifier(inducing=10), X, y, cv=3).mean() > 0.6
    encoder = make_column_transformer((OneHotEncoder(sparse_output=False), ["job", "free"]), ("passthrough", ["age"]))
    assert cross_val_score(make_pipeline(encoder, GPClassifier(inducing=10)), X, y, cv=3).mean() > 0.6


def test_dask_collections(table):
    dask = pytest.importorskip("dask.dataframe")
    X, y = table
    lazy = dask.from_pandas(X, npartitions=3)
    classifier = GPClassifier(inducing=30).fit(lazy, dask.from_pandas(y, npartitions=3))
    np.testing.assert_array_equal(classifier.predict_proba(lazy), GPClassifier(inducing=30).fit(X, y).predict_proba(X))


def test_values_far_outside_training_are_counted(classifier, table):
    X = table[0].head(40).copy()
    classifier.predict_proba(X)
    X.loc[:9, "age"] = 1000.0
    X.loc[:2, "since"] = pd.Timestamp("1970-01-01")
    expected = (
        r"age: 10 rows far above the largest value of training \([2-4]\.\d+\); "
        r"since: 3 rows far below the smallest value of training \(2020-01-0\d\): the model has seen nothing like it"
    )
    for model in (classifier, pickle.loads(pickle.dumps(classifier))):
        with pytest.warns(UserWarning, match=expected):
            model.predict_proba(X)


def test_another_name_of_the_label_is_named(table):
    X, y = table
    with pytest.warns(UserWarning, match=r"column alive alone determines the label \(accuracy 1.0000\)"):
        GPClassifier(inducing=10).fit(X.assign(alive=np.where(y == "yes", "alive", "dead")), y)
