"""Model files are shared: the command line and Python predict the same bits from them."""

import csv
import json
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from induce import Error, GPClassifier


@pytest.fixture(params=["python -m induce", "INDUCE_COMMAND"])
def induce(request):
    """Runs the command line, both the one in the package and the program set in INDUCE_COMMAND."""
    program = [sys.executable, "-m", "induce"]
    if request.param == "INDUCE_COMMAND":
        if "INDUCE_COMMAND" not in os.environ:
            pytest.skip("INDUCE_COMMAND is not set")
        program = [os.environ["INDUCE_COMMAND"]]

    def run(*arguments):
        done = subprocess.run([*program, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    return run


@pytest.fixture
def table(banana, tmp_path):
    """A table in memory and on disk. It is written by pandas and read by the command line without loss."""
    X, y = banana
    frame = pd.DataFrame({"east": X[:, 0], "north": X[:, 1], "label": np.array(["left", "right"])[y]})
    frame.to_csv(tmp_path / "table.csv", index=False)
    return frame, tmp_path / "table.csv"


def assert_same_bits(classifier, X, answers):
    with open(answers, newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {name: np.array([float(row[name]) for row in rows]) for name in rows[0] if name != "label"}
    np.testing.assert_array_equal(classifier.predict_proba(X).T, [columns["p_left"], columns["p_right"]])
    np.testing.assert_array_equal(classifier.predict_latent(X), [columns["latent_mean"], columns["latent_variance"]])
    np.testing.assert_array_equal(classifier.predict(X), [row["label"] for row in rows])


def test_command_line_predicts_with_a_python_model(induce, table, tmp_path):
    frame, path = table
    X = frame[["east", "north"]]
    classifier = GPClassifier().fit(X, frame["label"])
    classifier.save(tmp_path / "model.safetensors")
    induce("predict", tmp_path / "model.safetensors", path, "-o", tmp_path / "answers.csv")
    assert_same_bits(classifier, X, tmp_path / "answers.csv")


def test_python_predicts_with_a_command_line_model(induce, table, tmp_path):
    frame, path = table
    X = frame[["east", "north"]]
    model = tmp_path / "model.safetensors"
    induce("fit", path, "-o", model, "--quiet", "--inducing", 9, "--kernel", "matern52")
    induce("predict", model, path, "-o", tmp_path / "answers.csv")
    loaded = GPClassifier.load(model)
    assert (loaded.inducing, loaded.kernel, loaded.n_features_in_) == (9, "matern52", 2)
    assert list(loaded.feature_names_in_) == ["east", "north"]
    assert_same_bits(loaded, X, tmp_path / "answers.csv")
    with pytest.raises(AttributeError, match="no report"):
        _ = loaded.history_


def test_python_and_command_line_fit_the_same_model(induce, table, tmp_path):
    frame, path = table
    X = frame[["east", "north"]]
    induce("fit", path, "-o", tmp_path / "model.safetensors", "--quiet", "--seed", 3)
    loaded = GPClassifier.load(tmp_path / "model.safetensors")
    np.testing.assert_array_equal(
        loaded.predict_proba(X), GPClassifier(random_state=3).fit(X, frame["label"]).predict_proba(X)
    )


@pytest.mark.parametrize(
    "classes", [np.array([0, 1]), np.array(["0", "1"]), np.array([-1.0, 2.0]), np.array([False, True])]
)
def test_load_restores_what_was_saved(banana, tmp_path, classes):
    X, y = banana
    saved = GPClassifier(inducing=8, start=(1.0, 1.0, 0.1), random_state=4).fit(X, classes[y])
    saved.save(tmp_path / "model")
    loaded = GPClassifier.load(tmp_path / "model")
    assert loaded.classes_.dtype == saved.classes_.dtype
    np.testing.assert_array_equal(loaded.classes_, saved.classes_)
    np.testing.assert_array_equal(loaded.predict_proba(X), saved.predict_proba(X))
    assert loaded.inducing == 8
    assert loaded.get_params() == saved.get_params()
    assert (loaded.elbo_, loaded.n_iter_, loaded.status_) == (saved.elbo_, saved.n_iter_, saved.status_)
    np.testing.assert_array_equal(loaded.history_["bound"], saved.history_["bound"])
    loaded.fit(X, classes[y])
    np.testing.assert_array_equal(loaded.predict_proba(X), saved.predict_proba(X))


@pytest.mark.parametrize(
    "entry",
    [
        "[" * 100000,
        "[]1",
        "7",
        '{"parameters": {"kernel": "__import__(\'os\')"}, "classes": {"dtype": "<i8", "values": [0, 1]}}',
        '{"parameters": {"nonsense": "1"}, "classes": {"dtype": "<i8", "values": [0, 1]}}',
        '{"parameters": {}, "classes": {"dtype": "<U900000000", "values": ["a", "b"]}}',
        '{"parameters": {}, "classes": {"dtype": "<i8", "values": [0, 1, 2]}}',
        '{"parameters": {}, "classes": {"dtype": "<i8", "values": [0, 1000000000000000000000]}}',
        '{"parameters": {}, "classes": {"dtype": "<i8", "values": [0, 1e400]}}',
        '{"parameters": {}, "classes": {"dtype": "<i8", "values": [0, 1]}, "report": {"theta": 1}}',
    ],
)
def test_invalid_metadata_is_an_error(banana, tmp_path, entry):
    X, y = banana
    GPClassifier(inducing=8).fit(X, y).model_.save(str(tmp_path / "model"), {"python": entry})
    with pytest.raises(Error, match="invalid Python metadata"):
        GPClassifier.load(tmp_path / "model")


@pytest.mark.parametrize(
    "columns",
    [
        7,
        {},
        {"count": 2, "names": None, "used": [0]},
        {"count": 2, "names": None, "used": [1, 0]},
        {"count": 2, "names": None, "used": [-1, 0]},
        {"count": 2, "names": None, "used": [0, 2]},
        {"count": 2, "names": None, "used": [0, True]},
        {"count": "2", "names": None, "used": [0, 1]},
        {"count": 2, "names": ["a", "b"], "used": [0, 1]},
        {"count": 2, "names": ["east"], "used": [0, 1]},
        {"count": 3, "names": ["east", "north", 1], "used": [0, 1]},
    ],
)
def test_columns_that_are_not_the_model_s(banana, tmp_path, columns):
    X, y = banana
    entry = {"parameters": {}, "classes": {"dtype": "<i8", "values": [0, 1]}, "columns": columns}
    classifier = GPClassifier(inducing=8).fit(pd.DataFrame(X, columns=["east", "north"]), y)
    classifier.model_.save(str(tmp_path / "model"), {"python": json.dumps(entry)})
    with pytest.raises(Error, match="invalid Python metadata"):
        GPClassifier.load(tmp_path / "model")


def test_errors_for_invalid_files(tmp_path):
    with pytest.raises(Error, match="cannot be read"):
        GPClassifier.load(tmp_path / "absent")
    (tmp_path / "other").write_bytes(b"not a model")
    with pytest.raises(Error, match="not a model file"):
        GPClassifier.load(tmp_path / "other")


def test_paths_in_a_model_are_ignored(banana, tmp_path):
    X, y = banana
    entry = {
        "parameters": {"checkpoint": repr(str(tmp_path / "victim")), "resume": "'x'", "inducing": "7"},
        "classes": {"dtype": "<i8", "values": [0, 1]},
    }
    GPClassifier(inducing=8).fit(X, y).model_.save(str(tmp_path / "model"), {"python": json.dumps(entry)})
    loaded = GPClassifier.load(tmp_path / "model")
    assert (loaded.checkpoint, loaded.resume, loaded.inducing) == (None, None, 7)


def test_command_line_model_keeps_its_likelihood_and_kernel(induce, table, tmp_path):
    frame, path = table
    options = ["--likelihood", "probit", "--kernel", "se+matern12", "--inducing", 10, "--max-iter", 3]
    induce("fit", path, *options, "-o", tmp_path / "m", "--quiet")
    induce("predict", tmp_path / "m", path, "-o", tmp_path / "answers.csv")
    classifier = GPClassifier.load(tmp_path / "m")
    assert (classifier.likelihood, classifier.kernel) == ("probit", "se+matern12")
    assert_same_bits(classifier, frame[["east", "north"]], tmp_path / "answers.csv")
