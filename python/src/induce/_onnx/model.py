"""The whole graph: inputs, features, kernel, likelihood, outputs and metadata."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import helper

from .. import _core, _labels
from .features import averaged_over_gaps, model_units
from .graph import IR_VERSION, OPSET, Graph, Value
from .inputs import ascii_json, described, table_of
from .marginals import marginals
from .softmax import softmax
from .two_classes import logistic, ordinal, probit

if TYPE_CHECKING:
    from .._classifier import GPClassifier

TWO_CLASSES = {"logistic": logistic, "probit": probit}


def model_proto(classifier: GPClassifier, real: int) -> onnx.ModelProto:
    model, classes = classifier.model_, classifier.classes_
    plain = _core.plain_model(model)
    graph = Graph()
    table, inputs = table_of(graph, classifier.columns_, real)

    def probabilities(rows: Value) -> Value:
        mean, variance = marginals(graph, model_units(graph, rows, plain), plain)
        if model.likelihood == "softmax":
            return softmax(graph, mean, variance, _largest_deviation(plain))
        if model.likelihood == "ordinal":
            return ordinal(graph, mean, variance, plain["thresholds"])
        p = TWO_CLASSES[model.likelihood](graph, mean, variance)
        return graph("Concat", 1.0 - p, p, axis=1)

    p = averaged_over_gaps(graph, table, plain, probabilities, len(classes))
    labels, label_type = _label_values(classes)
    graph.rename(graph.value(labels).gather(_most_probable(graph, p, len(classes))), "label")
    graph.rename(graph("Cast", p, to=real), "probabilities")
    outputs = [
        helper.make_tensor_value_info("label", label_type, [None]),
        helper.make_tensor_value_info("probabilities", real, [None, len(classes)]),
    ]
    proto = helper.make_model(
        helper.make_graph(graph.nodes, "induce", inputs, outputs, [*graph.constants.values()]),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="induce",
        producer_version=_core.version,
    )
    helper.set_model_props(proto, _metadata(classifier, [each.name for each in inputs]))
    onnx.checker.check_model(proto)
    return proto


def _most_probable(graph: Graph, p: Value, classes: int) -> Value:
    """Indices; as in predict(), the first of two classes that are equally probable."""
    if classes > 2:
        return graph("ArgMax", p, axis=1, keepdims=0)
    return (p.columns([1]) > 0.5).integer().squeeze(1)


def _label_values(classes: np.ndarray) -> tuple[np.ndarray, int]:
    """Whole numbers are int64, all else is the text of its class."""
    if classes.dtype.kind in "iub" or (classes.dtype.kind == "f" and np.all(classes == np.floor(classes))):
        return classes.astype(np.int64), onnx.TensorProto.INT64
    return np.array([_labels.name_of(each) for each in classes], dtype=object), onnx.TensorProto.STRING


def _largest_deviation(plain: dict[str, Any]) -> float:
    return float(np.sqrt(plain["largest_variance"]) * max(function["scale"] for function in plain["functions"]))


def _metadata(classifier: GPClassifier, inputs: list[str]) -> dict[str, str]:
    model, columns = classifier.model_, classifier.columns_
    names = inputs if len(inputs) == len(columns) else [f"{inputs[0]}[:, {k}]" for k in range(len(columns))]
    rows = getattr(classifier, "report_", {}).get("rows")
    return {
        "induce.kernel": model.kernel,
        "induce.likelihood": model.likelihood,
        "induce.inducing": str(model.inducing),
        **({"induce.rows": str(rows)} if rows else {}),
        "induce.classes": ascii_json([_labels.name_of(each) for each in classifier.classes_]),
        "induce.columns": described(columns, names),
    }
