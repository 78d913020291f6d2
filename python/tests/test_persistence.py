"""Estimators in the files of other packages, and what a loaded estimator does when it is fitted again."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import skops.io
from export_models import mixed_table
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from induce import GPClassifier

GOLDEN = Path(__file__).parents[2] / "tests" / "golden"


@pytest.fixture(scope="module")
def mixed():
    table, f = mixed_table(300, 0)
    y = np.where(f > 0.8, "yes", "no")
    return GPClassifier(inducing=15, kernel="se").fit(table, y), table


def test_skops(mixed):
    classifier, table = mixed
    written = skops.io.dumps(classifier)
    unknown = skops.io.get_untrusted_types(data=written)
    assert all(name.startswith("induce.") for name in unknown), unknown
    loaded = skops.io.loads(written, trusted=unknown)
    np.testing.assert_array_equal(loaded.predict_proba(table), classifier.predict_proba(table))
    assert loaded.get_params() == classifier.get_params()
    assert loaded.elbo_ == classifier.elbo_


def test_skops_pipeline(banana):
    X, y = banana
    pipeline = make_pipeline(StandardScaler(), GPClassifier(inducing=10, kernel="se")).fit(X, y)
    written = skops.io.dumps(pipeline)
    loaded = skops.io.loads(written, trusted=skops.io.get_untrusted_types(data=written))
    np.testing.assert_array_equal(loaded.predict_proba(X), pipeline.predict_proba(X))


@pytest.mark.filterwarnings("ignore::UserWarning")  # mlflow's own
@pytest.mark.parametrize("how", ["cloudpickle", "skops"])
def test_mlflow(mixed, tmp_path, how):
    import mlflow.sklearn

    classifier, table = mixed
    trusted = skops.io.get_untrusted_types(data=skops.io.dumps(classifier))
    more = {"skops_trusted_types": trusted} if how == "skops" else {}
    mlflow.sklearn.save_model(classifier, tmp_path / "model", serialization_format=how, **more)
    loaded = mlflow.sklearn.load_model(str(tmp_path / "model"))
    np.testing.assert_array_equal(loaded.predict_proba(table), classifier.predict_proba(table))


def run(*arguments):
    program = [os.environ["INDUCE_COMMAND"]] if "INDUCE_COMMAND" in os.environ else [sys.executable, "-m", "induce"]
    subprocess.run([*program, *map(str, arguments)], check=True, capture_output=True)


@pytest.fixture
def written(banana, tmp_path):
    X, y = banana
    np.savetxt(tmp_path / "table.csv", np.column_stack([X, y]), delimiter=",")
    return tmp_path / "table.csv"


def test_a_clone_of_a_loaded_model_chooses_anew(banana, written, tmp_path):
    run("fit", written, "-o", tmp_path / "m", "--quiet")
    loaded = GPClassifier.load(tmp_path / "m")
    assert loaded.get_params() == GPClassifier().get_params()
    again = clone(loaded).fit(*banana)
    assert "kernel" in {choice["what"] for choice in again.report_["choices"]}
    assert again.model_.inducing == loaded.model_.inducing


def test_a_loaded_model_has_the_options_that_were_given(written, tmp_path):
    options = ["--kernel", "se", "--inducing", 7, "--seed", 5, "--no-ard", "--threads", 1]
    run("fit", written, "-o", tmp_path / "m", "--quiet", "--start", "1.5,1,0.1", *options)
    loaded = GPClassifier.load(tmp_path / "m")
    given = {"kernel": "se", "inducing": 7, "random_state": 5, "ard": False}
    changed = {name: value for name, value in loaded.get_params().items() if value != getattr(GPClassifier(), name)}
    start = changed.pop("start")
    assert changed == given
    assert start == {"signal_std": 1.5, "lengthscale": 1.0, "noise_std": 0.1}


def test_an_earlier_file_has_defaults(tmp_path):
    loaded = GPClassifier.load(GOLDEN / "version4_probit.model")
    assert loaded.model_.likelihood == "probit"
    assert loaded.get_params() == GPClassifier().get_params()
