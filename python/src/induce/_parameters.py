"""The estimator's parameters: the core's table of options, and what is Python's alone.

An option that the core has is a parameter here, with its default and its text, without another line of Python.
"""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, NamedTuple, TypeVar

from . import _core

OPTIONS = _core.option_table()
RENAMED = {"seed": "random_state"}  # scikit-learn's names win


class Parameter(NamedTuple):
    name: str
    default: Any
    type: str  # as numpydoc writes it
    annotation: str  # as a type checker reads it
    text: str


OF_PYTHON = {
    parameter.name: parameter
    for parameter in (
        Parameter(
            "random_state",
            0,
            "int, RandomState or None",
            "int | numpy.random.RandomState | None",
            "For k-means and minibatches. An int is the command line's --seed.",
        ),
        Parameter(
            "threads",
            None,
            "int or None",
            "int | None",
            "None: all cores, or OMP_NUM_THREADS if that is set, as joblib does for its workers. No result depends "
            "on it.",
        ),
        Parameter(
            "class_weight",
            None,
            'dict, "balanced" or None',
            "Mapping[Any, float] | str | None",
            "Weights of the classes, times sample_weight.",
        ),
        Parameter(
            "callback",
            None,
            "callable or None",
            "Callable[[dict[str, float]], bool | None] | None",
            "Called after each iteration with a dict: iteration, max_iter, seconds, passes, bound, elbo and more. If "
            "it returns False, the fit ends with the best model so far.",
        ),
        Parameter("verbose", 0, "int", "int", "1: a progress bar."),
    )
}

_KINDS = {  # numpydoc, type checker
    "choice": ("str", "str"),
    "flag": ("bool", "bool"),
    "whole": ("int", "int"),
    "size": ("int", "int"),
    "number": ("float", "float"),
    "numbers": ("dict, list of numbers", "Mapping[str, float] | Sequence[float]"),
    "path": ("str, path", "str | os.PathLike[str]"),
}


def _of_option(option: dict[str, Any]) -> Parameter:
    name = RENAMED.get(option["name"], option["name"])
    if name in OF_PYTHON:
        return OF_PYTHON[name]
    words, annotation = _KINDS[option["kind"]]
    if option["choices"]:
        words = "{" + ", ".join(f'"{choice}"' for choice in option["choices"]) + "}"
    if option["can_be_unset"]:
        words += " or None" if option["unset"] is None else f' or "{option["unset"]}"'
        annotation += " | None" if option["unset"] is None else f' | Literal["{option["unset"]}"]'
    text = f"{option['help']} Default: {option['default_text']}"
    return Parameter(name, option["default"], words, annotation, text)


def _all_parameters() -> tuple[Parameter, ...]:
    of_options = {parameter.name: parameter for parameter in map(_of_option, OPTIONS)}
    return tuple((of_options | OF_PYTHON).values())


PARAMETERS = _all_parameters()


def _signature() -> inspect.Signature:
    kinds = inspect.Parameter
    parameters = [kinds("self", kinds.POSITIONAL_OR_KEYWORD)]
    for parameter in PARAMETERS:
        kind = kinds.KEYWORD_ONLY if len(parameters) > 1 else kinds.POSITIONAL_OR_KEYWORD
        parameters.append(kinds(parameter.name, kind, default=parameter.default))
    return inspect.Signature(parameters)


SIGNATURE = _signature()


class Parameters:
    """An __init__ that keeps each parameter as it was given, as scikit-learn asks."""

    def __init__(self, *args, **kwargs):
        bound = SIGNATURE.bind(self, *args, **kwargs)
        bound.apply_defaults()
        for name in SIGNATURE.parameters:
            if name != "self":
                setattr(self, name, bound.arguments[name])

    __init__.__signature__ = SIGNATURE  # what scikit-learn, help() and editors read


def numpydoc(indent: str) -> str:
    """The section "Parameters" of a docstring, without its title."""
    entries = []
    for parameter in PARAMETERS:
        default = f'"{parameter.default}"' if isinstance(parameter.default, str) else repr(parameter.default)
        text = textwrap.wrap(parameter.text, 110, initial_indent="    ", subsequent_indent="    ")
        entries += [f"{parameter.name} : {parameter.type}, default={default}", *text]
    return ("\n" + indent).join(entries)


Class = TypeVar("Class", bound=type)


def documented(estimator: Class) -> Class:
    """Puts the parameters in the place that the docstring keeps for them."""
    if estimator.__doc__:  # python -OO has none
        estimator.__doc__ = estimator.__doc__.replace("{parameters}", numpydoc(" " * 4))
    return estimator
