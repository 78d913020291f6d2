"""The estimator's parameters map one to one to the core's options."""

import inspect
import pathlib

import numpy as np
import pytest

from induce import Error, GPClassifier, _core, _options

# Parameters that follow scikit-learn's names.
RENAMED = {"random_state": "seed"}
COLUMNS = {"categorical_features", "numeric_features", "dates", "drop", "only"}  # the command line reads them with the data
PYTHON_ONLY = {"class_weight", "decision_costs", "order", "callback", "verbose"} | COLUMNS


def option_names():
    # class_weights are made from class_weight and the labels.
    return {name for name in dir(_core.Options) if not name.startswith("_") and name != "class_weights"}


def test_every_option_is_a_parameter():
    parameters = {RENAMED.get(name, name) for name in GPClassifier().get_params()}
    assert parameters - PYTHON_ONLY == option_names()


def test_defaults_match_the_core():
    core = _core.Options()
    for name, value in GPClassifier().get_params().items():
        if name not in PYTHON_ONLY:
            assert getattr(core, RENAMED.get(name, name)) == value, name


def test_docstring_names_every_parameter_and_method():
    text = inspect.getdoc(GPClassifier)
    for option in _core.option_table():
        for name in option["choices"]:
            assert f'"{name}"' in text
    for name in GPClassifier().get_params():
        assert f"\n{name} : " in text


@pytest.mark.parametrize(
    ("name", "value", "core_value"),
    [
        ("method", "vi-taylor", "vi-taylor"),
        ("inducing", np.int64(7), 7),
        ("kernel", "matern32", "matern32"),
        ("ard", False, False),
        ("learn_inputs", np.bool_(True), True),
        ("noise", True, True),
        ("mean", False, False),
        ("warp", "none", "none"),
        ("standardize", False, False),
        ("max_iter", 9, 9),
        ("max_time", 1, 1.0),
        ("max_time", float("inf"), None),
        ("effort", 3, 3.0),
        ("random_state", 5, 5),
        ("threads", 1, 1),
        ("memory", 1 << 33, 1 << 33),
        ("step", 0.5, 0.5),
        ("batch", 8, 8),
        ("trace_elbo", True, True),
        ("checkpoint", pathlib.Path("a"), "a"),
        ("checkpoint_every", 5, 5.0),
        ("checkpoint_every", float("inf"), float("inf")),
        ("resume", "b", "b"),
    ],
)
def test_parameter_reaches_the_core(name, value, core_value):
    parameters = GPClassifier(**{name: value}).get_params()
    assert getattr(_options.core_options(parameters), RENAMED.get(name, name)) == core_value


@pytest.mark.parametrize("start", [(2, 0.5, 0.1), {"signal_std": 2, "lengthscale": 0.5, "noise_std": 0.1}])
def test_start_reaches_the_core(start):
    assert _options.core_options(GPClassifier(start=start).get_params()).start == [2, 0.5, 0.1]


def test_partial_start_reaches_the_core():
    parameters = GPClassifier(start={"lengthscale": 0.5}).get_params()
    assert _options.core_options(parameters).start == [None, 0.5, None]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("method", 3),
        ("inducing", 0),
        ("inducing", "many"),
        ("inducing", 2.5),
        ("ard", "yes"),
        ("max_iter", -1),
        ("max_time", "long"),
        ("max_time", -1.0),
        ("effort", 0),
        ("random_state", -1),
        ("threads", 0),
        ("memory", 0.5),
        ("step", float("nan")),
        ("step", 0),
        ("batch", True),
        ("start", 1.0),
        ("start", {"colour": 1}),
        ("start", (0, 1, 1)),
        ("checkpoint", 3),
        ("checkpoint_every", -1),
        ("resume", ""),
    ],
)
def test_error_names_the_invalid_parameter(banana, name, value):
    with pytest.raises(Error, match=f"{name}"):
        GPClassifier(**{name: value}).fit(*banana)


def test_signature_matches_the_option_table():
    parameters = inspect.signature(GPClassifier).parameters
    assert next(iter(parameters)) == "method"
    assert all(each.kind is each.KEYWORD_ONLY for each in list(parameters.values())[1:])
    with pytest.raises(TypeError, match="'colour'"):
        GPClassifier(colour=1)


def test_core_options_check_their_limits():
    core = _core.Options()
    for name, value in (("max_iter", 0), ("step", 0.0), ("threads", 5000), ("warp", "box"), ("start", [1.0])):
        with pytest.raises(Error, match=f"{name}"):
            setattr(core, name, value)
    with pytest.raises(TypeError):
        core.noise = "yes"


def test_random_state_follows_scikit_learn():
    assert _options.seed(7) == 7
    assert _options.seed(np.random.RandomState(1)) == _options.seed(np.random.RandomState(1))
    assert 0 <= _options.seed(None) < 2**31


def test_joblib_thread_limit_is_respected(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert _options.threads(None) == 1
    assert _options.threads(2) == 2
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert _options.threads(None) == 0


def test_results_do_not_depend_on_number_of_threads(banana):
    X, y = banana
    one, two = (GPClassifier(threads=threads).fit(X, y) for threads in (1, 2))
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
