"""The examples of docs/export.md: configurations name what the ONNX file has, and the handler answers."""

import io
import json
import re
import sys
from pathlib import Path
from wsgiref.util import setup_testing_defaults

import numpy as np
import pytest
from export_models import fitted, mixed_model, mixed_table, quick

FOLDER = Path(__file__).parents[2] / "examples" / "serve"


def tensors_of(text, part):
    """Name, type and sizes of the tensors of a part of a Triton configuration."""
    block = re.search(rf"^{part} \[(.*?)\}}\s*\]$", text, re.DOTALL | re.MULTILINE).group(1) + "}"
    pattern = r'\{ name: "(\w+)", data_type: (\w+), dims: \[ ([-\d, ]+) \] \}'
    return [(name, kind, [int(size) for size in sizes.split(",")]) for name, kind, sizes in re.findall(pattern, block)]


def test_triton_configuration_matches_the_file():
    onnx = pytest.importorskip("onnx", reason="onnx is not installed (pip install 'induce[onnx]')")
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 24))
    proto = fitted(quick(kernel="se"), X, (X[:, 0] > 0).astype(int)).to_onnx()
    types = {onnx.TensorProto.DOUBLE: "TYPE_FP64", onnx.TensorProto.INT64: "TYPE_INT64"}

    def described(values):
        of = [(value.name, value.type.tensor_type) for value in values]
        return [(n, types[t.elem_type], [size.dim_value or -1 for size in t.shape.dim]) for n, t in of]

    text = (FOLDER / "config.pbtxt").read_text()
    assert tensors_of(text, "input") == described(proto.graph.input)
    assert tensors_of(text, "output") == described(proto.graph.output)
    assert text.count("{") == text.count("}")
    assert text.count("[") == text.count("]")


def test_kserve_configuration_parses():
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    found = yaml.safe_load((FOLDER / "kserve.yaml").read_text())
    assert found["kind"] == "InferenceService"
    assert found["spec"]["predictor"]["model"]["modelFormat"] == {"name": "onnx"}


@pytest.fixture
def post(tmp_path, monkeypatch):
    mixed_model(3).save(tmp_path / "my.model")
    monkeypatch.syspath_prepend(str(FOLDER))
    application = __import__("app").application_of(str(tmp_path / "my.model"))
    monkeypatch.delitem(sys.modules, "app")

    def post(body: bytes):
        environ = {"wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body))}
        setup_testing_defaults(environ)
        seen = []
        answer = b"".join(application(environ, lambda status, headers: seen.append(status)))
        return seen[0], json.loads(answer)

    return post


@pytest.mark.filterwarnings("ignore:.*gaps unlike")
def test_the_handler_answers(post):
    row = mixed_table(1, 1)[0].iloc[0]
    rows = [{"age": 41, "gain": 0, "job": row.job, "ok": True, "when": "2021-05-01", "kids": 2}, {"age": None, "job": "cook"}]
    status, answer = post(json.dumps(rows).encode())
    assert status == "200 OK"
    assert [each["label"] in each["probabilities"] for each in answer] == [True, True]
    assert [sum(each["probabilities"].values()) for each in answer] == pytest.approx([1, 1])


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"[1]", b'{"age": 1}', b'[{"age": "old"}]', b"[" * 1_000_001])
def test_the_handler_says_what_is_wrong(post, body):
    status, answer = post(body)
    assert status == "400 Bad Request"
    assert answer["error"]
