"""A fitted model as an ONNX graph: see docs/export.md for inputs, outputs and what is not possible."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core

if TYPE_CHECKING:
    import onnx

    from .._classifier import GPClassifier

LARGEST_FILE = 2**31 - 1  # bytes: protobuf's limit


def to_onnx(model: GPClassifier | str | os.PathLike[str], dtype: Any = np.float64) -> onnx.ModelProto:
    """Return an ONNX model with the predictions of a fitted classifier, or of a model file.

    Inputs: X of shape (rows, features) if all columns are numbers or dates, otherwise one input of shape (rows, 1)
    for each column, texts as strings. Outputs: label (int64 or string) and probabilities, of shape (rows,
    classes). dtype: of numbers at both ends, float64 or float32; in between all is float64. Needs the package
    onnx: pip install induce[onnx].
    """
    try:
        import onnx
    except ImportError:
        raise _core.Error("ONNX files need the package onnx: pip install 'induce[onnx]'") from None
    from .._classifier import GPClassifier
    from .model import model_proto

    if np.dtype(dtype) not in (np.float64, np.float32):
        raise _core.Error(f"dtype = {dtype}: must be float64 or float32")
    classifier = GPClassifier.load(model) if isinstance(model, str | os.PathLike) else model
    if not hasattr(classifier, "model_"):
        raise _core.Error("the classifier is not fitted: call fit() first")
    proto = model_proto(classifier, onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))
    if (size := proto.ByteSize()) > LARGEST_FILE:
        raise _core.Error(f"the ONNX file of this model would have {size} bytes; the limit is {LARGEST_FILE}")
    return proto


def write_onnx(model: str, path: str) -> int:
    """Write the ONNX file of a model file under a temporary name that is then renamed. Return its size."""
    content = to_onnx(model).SerializeToString(deterministic=True)
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "xb") as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
    return len(content)
