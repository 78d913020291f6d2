"""ONNX graphs of models, run by onnxruntime. Oracle: the predictions of the library."""

import json
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from export_models import HOSTILE, KERNELS, LIKELIHOODS, MANY_CLASSES, MIXED_TERMS, OLD_ADDITIVE, SHARED, TERMS
from export_models import TWO_CLASSES, data_set, fitted, labels_of, mixed_model, mixed_table, numbers, old_model
from export_models import quick, small_model, with_new_gaps
from scipy import sparse

import induce
from induce import Error, GPClassifier
from induce.__main__ import main
from induce._export import onnx_export

# Rows are extreme on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*(far above|far below|unknown to the model)")

onnx = pytest.importorskip("onnx", reason="onnx is not installed (pip install 'induce[onnx]')")
ort = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

# The library's softmax has coarser nodes where a latent function is this uncertain; there only its own error is left.
UNCERTAIN = 2.5**2


def run(proto, feed):
    options = ort.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(proto.SerializeToString(), options, providers=["CPUExecutionProvider"])
    assert [each.name for each in session.get_outputs()] == ["label", "probabilities"]
    return session.run(None, feed)


def expect_same(model, X, outputs):
    label, P = outputs
    expected = model.predict_proba(X)
    np.testing.assert_array_equal(label, model.predict(X))
    difference = np.abs(P - expected).max(axis=1)
    if model.model_.likelihood == "softmax":
        certain = model.predict_latent(X)[1].max(axis=1) < UNCERTAIN
        assert difference.max() <= 1e-9
        difference = difference[certain]
    assert difference.size == 0 or difference.max() <= 1e-12


def feed_of(model, table):
    """One input per column: texts as strings, numbers and dates as doubles."""
    X = model._read_columns(table)
    feed = {}
    for k, column in enumerate(model.columns_):
        values = table[column.name]
        if column.kind in ("category", "boolean"):
            texts = [["" if value is None or value != value else str(value).strip()] for value in values]
            feed[column.name] = np.array(texts, dtype=object)
        else:
            feed[column.name] = X[:, [k]]
    return feed


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
@pytest.mark.parametrize("kernel", KERNELS + TERMS)
def test_predicts_like_the_library(kernel, likelihood):
    model = small_model(kernel, likelihood)
    T = numbers(1_000, seed=5, spread=1.5)
    expect_same(model, T, run(model.to_onnx(), {"X": T}))


@pytest.mark.parametrize("unit", [1e-90, 1e90, 1 + 1e-8])
def test_units_that_are_nothing_in_float32(unit):
    """onnxruntime drops what looks like + 0 or * 1 when its number is rounded to float32."""
    X = numbers(200)[:, :1]
    X = unit * (X - X.mean()) / X.std()
    model = fitted(quick(kernel="se", warp="none"), X, labels_of(numbers(200), 2))
    expect_same(model, X, run(model.to_onnx(), {"X": X}))


def test_float32_at_both_ends():
    model = small_model("se", "logistic")
    T = numbers(100, seed=5).astype(np.float32)
    label, P = run(model.to_onnx(dtype=np.float32), {"X": T})
    assert P.dtype == np.float32
    np.testing.assert_allclose(P, model.predict_proba(T.astype(float)), rtol=0, atol=1e-7)
    assert label.dtype == np.int64
    with pytest.raises(Error, match="dtype = int8: must be float64 or float32"):
        model.to_onnx(dtype="int8")


@pytest.mark.parametrize("kernel", ["se", *MIXED_TERMS])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.filterwarnings("ignore:.*gaps unlike", "ignore:.*not in the training data", "ignore:.*levels?")
def test_columns_of_all_kinds_and_gaps(classes, kernel):
    model = mixed_model(classes, kernel)
    proto = model.to_onnx()
    for table in (mixed_table(100, 1)[0], with_new_gaps(mixed_table(150, 2)[0]), mixed_table(1, 3)[0]):
        label, P = run(proto, feed_of(model, table))
        np.testing.assert_allclose(P, model.predict_proba(table), rtol=0, atol=1e-12)
        assert label.tolist() == model.predict(table).tolist()
    kinds = {each.name: each.type.tensor_type.elem_type for each in proto.graph.input}
    assert kinds["job"] == kinds["ok"] == onnx.TensorProto.STRING
    assert kinds["age"] == kinds["when"] == onnx.TensorProto.DOUBLE
    spelled = feed_of(model, mixed_table(3, 1)[0]) | {"ok": np.array([["true"], ["TRUE"], ["1"]], dtype=object)}
    same = spelled | {"ok": np.array([["True"]] * 3, dtype=object)}
    np.testing.assert_array_equal(run(proto, spelled)[1], run(proto, same)[1])


@pytest.mark.parametrize("name", OLD_ADDITIVE)
def test_additive_parts(name):
    _, model, X = old_model(name)
    proto, feed = model.to_onnx(), {"X": X}
    if len(proto.graph.input) > 1:
        feed = {column.name: X[:, [k]] for k, column in enumerate(model.columns_)}
        for column in model.columns_:
            if column.levels:
                texts = np.array([*column.levels, "never", "seen"], dtype=object)
                feed[column.name] = texts[feed[column.name].astype(int)]
    P = run(proto, feed)[1]
    np.testing.assert_allclose(P, model.model_.predict(X)[0], rtol=0, atol=1e-9)


@pytest.mark.parametrize("kernel", ["matern52", TERMS[-1]])
@pytest.mark.parametrize("likelihood", ["logistic", "softmax", "ordinal"])
@pytest.mark.filterwarnings("ignore:.*gaps unlike")
def test_gaps_and_extreme_values_of_numbers(likelihood, kernel):
    model = small_model(kernel, likelihood)
    T = numbers(60, seed=5)
    T[np.random.default_rng(0).random(T.shape) < 0.2] = np.nan
    T[0], T[1], T[2] = 1e300, -1e300, np.nan
    label, P = run(model.to_onnx(), {"X": T})
    np.testing.assert_allclose(P, model.predict_proba(T), rtol=0, atol=1e-9)
    assert run(model.to_onnx(), {"X": T[:0]})[1].shape == (0, P.shape[1])


def test_sparse_models_take_a_dense_matrix():
    X = sparse.random(300, 2000, density=0.02, random_state=0, format="csr")
    model = fitted(quick(), X, (X @ np.random.default_rng(0).normal(size=2000) > 0).astype(int))
    assert model.model_.sparse
    expect_same(model, X[:50], run(model.to_onnx(), {"X": X[:50].toarray()}))


@pytest.mark.parametrize("name", TWO_CLASSES + MANY_CLASSES)
def test_rows_of_real_data(name):
    if not SHARED.exists():
        pytest.skip(f"{SHARED} is not there: data sets are not part of the project")
    model, T = data_set(name)
    expect_same(model, T, run(model.to_onnx(), {"X": T}))


@pytest.mark.filterwarnings("ignore:.*gaps unlike", "ignore:.*levels?")
def test_raw_adult():
    path = SHARED / "mixed" / "adult.test.csv.xz"
    if not path.exists():
        pytest.skip(f"{path} is not there: data sets are not part of the project")
    table = pd.read_csv(path, skipinitialspace=True, na_values="?", keep_default_na=True).head(3000)
    y = table.pop(table.columns[-1])
    model = fitted(quick(kernel="se+mains"), table[:1500], y[:1500])
    rest = table[1500:]
    label, P = run(model.to_onnx(), feed_of(model, rest))
    np.testing.assert_allclose(P, model.predict_proba(rest), rtol=0, atol=1e-12)
    assert label.tolist() == model.predict(rest).tolist()


def test_hostile_names():
    X = numbers(300)
    frame = pd.DataFrame({name: X[:, k % 4] for k, name in enumerate(HOSTILE)})
    frame["column_0"], frame["label"], frame["näme"] = X[:, 0], X[:, 1], X[:, 2]
    frame["*/ int x;"] = np.array(HOSTILE)[np.arange(300) % len(HOSTILE)]
    y = np.array(HOSTILE[:3])[labels_of(X, 3)]
    model = fitted(quick(kernel="se", categorical_features=["*/ int x;"]), frame, y)
    proto = model.to_onnx()
    names = [each.name for each in proto.graph.input]
    assert len(set(names)) == len(names) == len(model.columns_)
    assert all(name.isprintable() and len(name) <= 100 and not set(name) & set("<>&*/\"'\\?") for name in names)
    feed = dict(zip(names, feed_of(model, frame).values(), strict=True))
    label, P = run(proto, feed)
    np.testing.assert_allclose(P, model.predict_proba(frame), rtol=0, atol=1e-9)
    assert label.tolist() == model.predict(frame).tolist()
    metadata = {each.key: each.value for each in proto.metadata_props}
    assert all(value.isascii() and "<" not in value for value in metadata.values())
    assert [each["column"] for each in json.loads(metadata["induce.columns"])] == [c.name for c in model.columns_]
    assert json.loads(metadata["induce.classes"]) == model.classes_.tolist()


def test_metadata_and_operators():
    model = small_model("se+linear", "softmax")
    proto = model.to_onnx()
    assert (proto.producer_name, proto.producer_version) == ("induce", induce.__version__)
    metadata = {each.key: each.value for each in proto.metadata_props}
    assert metadata["induce.kernel"] == "se+linear"
    assert metadata["induce.rows"] == str(model.report_["rows"])
    assert [each.domain for each in proto.opset_import] == [""]
    assert {node.domain for node in proto.graph.node} == {""}
    assert not {node.op_type for node in proto.graph.node} & {"If", "Loop", "Scan", "ZipMap"}


@pytest.mark.parametrize(
    ("classes", "expected"),
    [([3, 7], "int64"), ([0.0, 1.0], "int64"), ([False, True], "int64"), (["a", "b"], "str"), ([0.5, 1.5], "str")],
)
def test_types_of_labels(classes, expected):
    X = numbers(200)
    model = fitted(
        quick(kernel="se"), X, np.array([str(c) for c in classes] if expected == "str" else classes)[labels_of(X, 2)]
    )
    label, _ = run(model.to_onnx(), {"X": X})
    assert label.dtype == (np.int64 if expected == "int64" else object)
    assert label.tolist() == model.predict(X).tolist()


def test_bessel_kernels_are_refused_by_name():
    model = small_model("matern:1.2", "logistic", max_iter=2)
    with pytest.raises(Error, match="kernel matern:1.2: it needs a Bessel function, which ONNX does not have"):
        model.to_onnx()
    with pytest.raises(ValueError, match="not fitted"):
        GPClassifier().to_onnx()


def test_files_and_the_command(tmp_path):
    model = small_model("se", "logistic")
    model.save(tmp_path / "my.model")
    proto = induce.to_onnx(tmp_path / "my.model")
    assert proto.SerializeToString(deterministic=True) == model.to_onnx().SerializeToString(deterministic=True)

    line = [sys.executable, "-m", "induce", "export", "my.model", "--onnx=my.onnx", "--c", "my.h"]
    done = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "my.onnx").read_bytes() == proto.SerializeToString(deterministic=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["my.h", "my.model", "my.onnx"]
    assert (tmp_path / "my.h").read_text() == model.to_c()


def test_errors_of_the_command(tmp_path, monkeypatch, capsys):
    small_model("se", "logistic").save(tmp_path / "my.model")
    monkeypatch.chdir(tmp_path)
    for arguments, text in ((["no.model", "--onnx", "x"], "no.model"), (["my.model", "--onnx", "no/x"], "no/x")):
        monkeypatch.setattr(sys, "argv", ["induce", "export", *arguments])
        assert main() == 1
        message = capsys.readouterr().err
        assert message.startswith("induce: ")
        assert message.count("\n") == 1
        assert text in message
    assert [path.name for path in tmp_path.iterdir()] == ["my.model"]


def test_arguments_of_the_command():
    assert onnx_export(["export", "m", "--onnx", "o"]) == ("m", "o", [])
    assert onnx_export(["export", "--onnx=o", "--c", "h", "m"]) == ("m", "o", ["export", "m", "--c", "h"])
    for others in (["fit", "m", "--onnx", "o"], ["export"], ["export", "m", "--c", "h"], ["export", "m", "--onnx"]):
        assert onnx_export(others) is None
    for others in (
        ["export", "m", "n", "--onnx", "o"],
        ["export", "--onnx", "o", "-h", "m"],
        ["export", "--onnx", "o"],
    ):
        assert onnx_export(others) is None


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["my.model"], "nothing to write: give --c FILE or --onnx FILE"),
        (["my.model", "--onnx"], "--onnx: missing value"),
        (["my.model", "--onnx", "x"], "pip install 'induce[onnx]'"),
    ],
)
def test_usage_of_the_program(arguments, text):
    program = os.environ.get("INDUCE_COMMAND")
    if not program:
        pytest.skip("INDUCE_COMMAND is not set")
    failed = subprocess.run([program, "export", *arguments], capture_output=True, text=True)
    assert failed.returncode == 2
    assert text in failed.stderr


def test_says_what_to_install(monkeypatch):
    model = small_model("se", "logistic")
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(Error, match=r"ONNX files need the package onnx: pip install 'induce\[onnx\]'"):
        model.to_onnx()
