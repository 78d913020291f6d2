"""A graph of ONNX operators that is written like arithmetic: every value knows the graph it belongs to.

Only operators of the default domain, opset 19, for which onnxruntime's CPU provider has kernels in float64. That
excludes Erf and Softplus, and Sigmoid has only 11 digits. ONNX has no log1p and expm1; those below are made of Log
and Exp without a loss of digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

OPSET, IR_VERSION = 19, 9  # string Equal came with opset 19; onnxruntime has both since 1.17


class Graph:
    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[tuple[Any, ...], onnx.TensorProto] = {}

    def __call__(self, operator: str, *inputs: Any, **attributes: Any) -> Value:
        # A prefix that no name of a column has (inputs.py).
        output = f"//{len(self.nodes)}"
        names = [self.value(each).name for each in inputs]
        self.nodes.append(helper.make_node(operator, names, [output], **attributes))
        return Value(self, output)

    def arithmetic(self, operator: str, one: Any, other: Any) -> Value:
        """Add, Sub, Mul or Div. onnxruntime leaves them out if one side is a single number that is 0 or 1 in float32,
        though the numbers are float64: then other operators do the same."""
        neutral = 0.0 if operator in ("Add", "Sub") else 1.0
        number = one if isinstance(other, Value) else other
        if isinstance(number, Value) or not _rounds_to(neutral, number):
            return self(operator, one, other)
        if operator in ("Sub", "Div") and number is one:  # never left out
            return self(operator, one, other)
        value = one if number is other else other
        if neutral == 0:
            return self("Sum", value, np.negative(number) if operator == "Sub" else number)
        return self("Mul", self(operator, value, np.multiply(number, 2.0)), 2.0 if operator == "Div" else 0.5)

    def value(self, of: Any) -> Value:
        """A value as it is; anything else is a constant: numbers are float64, texts strings."""
        if isinstance(of, Value):
            return of
        array = np.asarray(of)
        if array.dtype.kind == "f":
            array = array.astype(np.float64)
        key = (array.dtype.str, array.shape, array.tobytes() if array.dtype != object else tuple(array.flat))
        if key not in self.constants:
            name = f"//c{len(self.constants)}"
            if array.dtype.kind in "OU":
                texts = [str(text).encode() for text in array.flat]
                tensor = helper.make_tensor(name, onnx.TensorProto.STRING, array.shape, texts)
            else:
                tensor = numpy_helper.from_array(array, name)
            self.constants[key] = tensor
        return Value(self, self.constants[key].name)

    def rename(self, value: Value, name: str) -> None:
        self.nodes.append(helper.make_node("Identity", [value.name], [name]))


def _rounds_to(neutral: float, number: Any) -> bool:
    array = np.asarray(number)
    if array.size != 1 or array.dtype.kind != "f" or array.item() == neutral:
        return False
    with np.errstate(over="ignore", under="ignore"):
        return np.float32(array.item()) == np.float32(neutral)


class Value:
    def __init__(self, graph: Graph, name: str) -> None:
        self.graph, self.name = graph, name

    def __add__(self, other: Any) -> Value:
        return self.graph.arithmetic("Add", self, other)

    def __radd__(self, other: Any) -> Value:
        return self.graph.arithmetic("Add", other, self)

    def __sub__(self, other: Any) -> Value:
        return self.graph.arithmetic("Sub", self, other)

    def __rsub__(self, other: Any) -> Value:
        return self.graph.arithmetic("Sub", other, self)

    def __mul__(self, other: Any) -> Value:
        return self.graph.arithmetic("Mul", self, other)

    def __rmul__(self, other: Any) -> Value:
        return self.graph.arithmetic("Mul", other, self)

    def __truediv__(self, other: Any) -> Value:
        return self.graph.arithmetic("Div", self, other)

    def __rtruediv__(self, other: Any) -> Value:
        return self.graph.arithmetic("Div", other, self)

    def __neg__(self) -> Value:
        return self.graph("Neg", self)

    def __matmul__(self, other: Any) -> Value:
        return self.graph("MatMul", self, other)

    def __lt__(self, other: Any) -> Value:
        return self.graph("Less", self, other)

    def __gt__(self, other: Any) -> Value:
        return self.graph("Greater", self, other)

    def __ge__(self, other: Any) -> Value:
        return self.graph("GreaterOrEqual", self, other)

    def __le__(self, other: Any) -> Value:
        return self.graph("LessOrEqual", self, other)

    def __and__(self, other: Any) -> Value:
        return self.graph("And", self, other)

    def __or__(self, other: Any) -> Value:
        return self.graph("Or", self, other)

    def equals(self, other: Any) -> Value:
        return self.graph("Equal", self, other)

    def is_nan(self) -> Value:
        return self.graph("IsNaN", self)

    def where(self, yes: Any, no: Any) -> Value:
        return self.graph("Where", self, yes, no)

    def exp(self) -> Value:
        return self.graph("Exp", self)

    def log(self) -> Value:
        return self.graph("Log", self)

    def sqrt(self) -> Value:
        return self.graph("Sqrt", self)

    def abs(self) -> Value:
        return self.graph("Abs", self)

    def floor(self) -> Value:
        return self.graph("Floor", self)

    def ceil(self) -> Value:
        return self.graph("Ceil", self)

    def at_least(self, other: Any) -> Value:
        return self.graph("Max", self, other)

    def at_most(self, other: Any) -> Value:
        return self.graph("Min", self, other)

    def within(self, limit: float) -> Value:
        return self.graph("Clip", self, -limit, limit)

    def double(self) -> Value:
        return self.graph("Cast", self, to=onnx.TensorProto.DOUBLE)

    def integer(self) -> Value:
        return self.graph("Cast", self, to=onnx.TensorProto.INT64)

    def sum(self, axis: int, keep: bool = False) -> Value:
        return self.graph("ReduceSum", self, np.array([axis]), keepdims=int(keep))

    def max(self, axis: int, keep: bool = False) -> Value:
        return self.graph("ReduceMax", self, np.array([axis]), keepdims=int(keep))

    def min(self, axis: int, keep: bool = False) -> Value:
        return self.graph("ReduceMin", self, np.array([axis]), keepdims=int(keep))

    def unsqueeze(self, *axes: int) -> Value:
        return self.graph("Unsqueeze", self, np.array(axes))

    def squeeze(self, *axes: int) -> Value:
        return self.graph("Squeeze", self, np.array(axes))

    def columns(self, indices: Any) -> Value:
        return self.graph("Gather", self, np.asarray(indices, dtype=np.int64), axis=1)

    def gather(self, indices: Any) -> Value:
        """Along the first axis."""
        return self.graph("Gather", self, indices, axis=0)

    def pick(self, indices: Value, axis: int) -> Value:
        return self.graph("GatherElements", self, indices, axis=axis)

    def slice(self, start: Any, end: Any, axis: int) -> Value:
        return self.graph("Slice", self, start, end, np.array([axis]))

    def size(self, axis: int) -> Value:
        """As a list of one number."""
        return self.graph("Shape", self, start=axis, end=axis + 1)

    def reshape(self, *sizes: Any) -> Value:
        parts = [np.array([size]) if isinstance(size, int) else size for size in sizes]
        return self.graph("Reshape", self, self.graph("Concat", *parts, axis=0), allowzero=1)


def log1p(x: Value) -> Value:
    """For x >= 0: the logarithm of what 1 + x was rounded to, and what that lost."""
    w = x + 1.0
    return w.log() + (x - (w - 1.0)) / w


def expm1(y: Value) -> Value:
    """For |y| < 1 (w - 1) y / log w, w = exp y: the errors of w cancel."""
    w = y.exp()
    near = y.abs() < 1.0
    log_w = near.where(w, 2.0).log()
    flat = log_w.equals(0.0)
    return near.where(flat.where(y, (w - 1.0) * y / flat.where(1.0, log_w)), w - 1.0)
