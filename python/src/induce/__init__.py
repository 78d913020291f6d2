"""Scalable Gaussian process classification with nothing to tune.

>>> from induce import GPClassifier
>>> classifier = GPClassifier().fit(X, y)
>>> classifier.predict_proba(X_new)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._blas import vector_kernels

with vector_kernels():
    from ._core import Error, version

if TYPE_CHECKING:
    from . import plot
    from ._classifier import GPClassifier
    from ._onnx import to_onnx

__version__ = version
Error.__module__ = __name__  # the public name, also used by pickle

__all__ = ["Error", "GPClassifier", "__version__", "plot", "to_onnx"]


def __getattr__(name: str) -> Any:
    # scikit-learn takes most of a second to import, and matplotlib another, so both are imported on first use.
    if name == "GPClassifier":
        return import_module("._classifier", __name__).GPClassifier
    if name == "to_onnx":
        return import_module("._onnx", __name__).to_onnx
    if name == "plot":
        return import_module(".plot", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
