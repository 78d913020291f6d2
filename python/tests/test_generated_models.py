"""Models of random problems as C headers and ONNX graphs. Oracle: their predictions by the library.

tests/promises/options_test.cpp leaves them in the folder INDUCE_MODELS: some in `./go test`, many in `tests/soak problems`.
"""

import os
from pathlib import Path

import numpy as np
import pytest

import induce

FOLDER = os.environ.get("INDUCE_MODELS")
if FOLDER is None:
    pytest.skip("INDUCE_MODELS is not set", allow_module_level=True)

EVERY = sorted(Path(FOLDER).glob("*.model"))
EVERY_C = EVERY[:: max(1, len(EVERY) // int(os.environ.get("INDUCE_HEADERS", "100")))]  # a compiler takes a second


def wanted(path: Path, model) -> tuple[np.ndarray, np.ndarray]:
    """Rows and their probabilities."""
    X = np.fromfile(path.with_suffix(".rows")).reshape(-1, model.features)
    return X, np.fromfile(path.with_suffix(".probabilities")).reshape(len(X), -1)


def feed_of(model, X: np.ndarray, inputs: list[str]) -> dict:
    if inputs == ["X"]:
        return {"X": X}
    feed = {}
    for name, column, x in zip(inputs, model.columns_, X.T, strict=True):
        levels = [*column.levels, "never seen"] if column.kind in ("category", "boolean") else None
        cells = x if levels is None else ["" if np.isnan(k) else levels[min(int(k), len(levels) - 1)] for k in x]
        feed[name] = np.array(cells, dtype=float if levels is None else object)[:, None]
    return feed


def expect_same(P: np.ndarray, expected: np.ndarray) -> None:
    assert np.abs(P - expected).max(initial=0) <= 1e-8


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_onnx(path):
    onnxruntime = pytest.importorskip("onnxruntime")
    classifier = induce.GPClassifier.load(path)
    X, expected = wanted(path, classifier.model_)
    if "matern:" in classifier.model_.kernel:
        with pytest.raises(induce.Error, match="Bessel"):
            classifier.to_onnx()
        return
    plain = induce._core.plain_model(classifier.model_)
    if (reach := np.abs(plain["inducing_inputs"]).max(initial=0)) > 1e6:
        pytest.skip(f"an inducing input {reach:.0e} deviations away, where the last bit of a warp decides")
    proto = classifier.to_onnx()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(proto.SerializeToString(), options, providers=["CPUExecutionProvider"])
    inputs = [each.name for each in session.get_inputs()]
    P = session.run(None, feed_of(classifier, X, inputs))[1]
    variance = np.reshape(classifier.model_.predict(X)[2], (len(X), -1)).max(axis=1)
    known = (classifier.model_.likelihood != "softmax") | (variance < 100.0**2)  # docs/export.md
    expect_same(P[known], expected[known])


@pytest.mark.parametrize("path", EVERY_C, ids=lambda path: path.stem)
def test_c_header(path, tmp_path):
    export = pytest.importorskip("test_export_c")
    classifier = induce.GPClassifier.load(path)
    X, expected = wanted(path, classifier.model_)
    P, status = export.predict(export.build(tmp_path, classifier.to_c()), X, expected.shape[1])
    assert not status.any()
    expect_same(P, expected)
