"""The estimator's parameters: the core's option table plus the parameters that exist only in Python.

Every core option becomes a parameter automatically, with its default and help text.
"""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, NamedTuple, TypeVar

from . import _core

OPTIONS = _core.option_table()
RENAMED = {"seed": "random_state"}  # scikit-learn's names take precedence


class Parameter(NamedTuple):
    name: str
    default: Any
    type: str  # for numpydoc
    annotation: str  # for type checkers
    text: str


PYTHON_ONLY = {
    parameter.name: parameter
    for parameter in (
        Parameter(
            "random_state",
            0,
            "int, RandomState or None",
            "int | numpy.random.RandomState | None",
            "Seed for k-means, minibatches and the training rows that are held out. An int is equivalent to the "
            "command line's --seed.",
        ),
        Parameter(
            "threads",
            None,
            "int or None",
            "int | None",
            "None: OMP_NUM_THREADS if it is set, as in joblib's workers, otherwise all cores. Results do not depend "
            "on it.",
        ),
        Parameter(
            "class_weight",
            None,
            'dict, "balanced" or None',
            "Mapping[Any, float] | str | None",
            "Probabilities are those for classes that are so many times as frequent; balanced: all equally frequent. "
            "The fit is that without: the odds of the classes are multiplied after it. Logistic and softmax only.",
        ),
        Parameter(
            "decision_costs",
            None,
            "dict of dicts, array or None",
            "Mapping[Any, Mapping[Any, float]] | numpy.typing.ArrayLike | None",
            "What decisions cost: decision_costs[c][k] for predicting k where the class is c, in the order of "
            "classes_ if it is an array. What a dict does not give costs 0 if it is right and 1 if it is wrong. "
            "predict returns the class of least expected cost. None: the most probable class.",
        ),
        Parameter(
            "order",
            None,
            "list of labels or None",
            "Sequence[Any] | None",
            'Of ordered classes (likelihood="ordinal"): all labels, from the lowest to the highest. Labels without '
            "rows are left out. None: the order of numbers, or of an ordered pandas categorical.",
        ),
        Parameter(
            "categorical_features",
            "from_dtype",
            '"from_dtype", names, indices, mask or None',
            "Sequence[str] | Sequence[int] | Sequence[bool] | str | None",
            'Columns that are categories. The others go by their type, as all do with "from_dtype": texts and '
            "categories are categories unless all texts are numbers, dates or true and false. None: no column is a "
            "category.",
        ),
        Parameter(
            "numeric_features",
            None,
            "names, indices, mask or None",
            "Sequence[str] | Sequence[int] | Sequence[bool] | str | None",
            "Columns that are numbers, whatever their type.",
        ),
        Parameter(
            "drop",
            None,
            "names, indices, mask or None",
            "Sequence[str] | Sequence[int] | Sequence[bool] | str | None",
            "Columns that are left out.",
        ),
        Parameter(
            "only",
            None,
            "names, indices, mask or None",
            "Sequence[str] | Sequence[int] | Sequence[bool] | str | None",
            "Columns that are used; all others are left out.",
        ),
        Parameter(
            "dates",
            None,
            '{"day-first", "month-first"} or None',
            'Literal["day-first", "month-first"] | None',
            "What comes first in texts such as 01/02/2022. None: found from all dates of the column; an error if "
            "they leave it open.",
        ),
        Parameter(
            "callback",
            None,
            "callable or None",
            "Callable[[dict[str, float]], bool | None] | None",
            "Called after each iteration with a dict: iteration, max_iter, seconds, passes, bound, elbo and more. If "
            "it returns False, the fit ends with the best model so far.",
        ),
        Parameter("verbose", 0, "int", "int", "1: a progress bar on a terminal, plain lines elsewhere."),
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


def _from_option(option: dict[str, Any]) -> Parameter:
    name = RENAMED.get(option["name"], option["name"])
    if name in PYTHON_ONLY:
        return PYTHON_ONLY[name]
    words, annotation = _KINDS[option["kind"]]
    if option["choices"]:
        words = "{" + ", ".join(f'"{choice}"' for choice in option["choices"]) + "}"
    if option["can_be_unset"]:
        words += " or None" if option["unset"] is None else f' or "{option["unset"]}"'
        annotation += " | None" if option["unset"] is None else f' | Literal["{option["unset"]}"]'
    text = f"{option['help']} Default: {option['default_text']}"
    return Parameter(name, option["default"], words, annotation, text)


def _all_parameters() -> tuple[Parameter, ...]:
    from_options = {parameter.name: parameter for parameter in map(_from_option, OPTIONS)}
    return tuple((from_options | PYTHON_ONLY).values())


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
    """An __init__ that stores each parameter unchanged, as scikit-learn requires."""

    def __init__(self, *args, **kwargs):
        bound = SIGNATURE.bind(self, *args, **kwargs)
        bound.apply_defaults()
        for name in SIGNATURE.parameters:
            if name != "self":
                setattr(self, name, bound.arguments[name])

    __init__.__signature__ = SIGNATURE  # what scikit-learn, help() and editors read


def numpydoc(indent: str) -> str:
    """Return the body of the docstring section "Parameters"."""
    entries = []
    for parameter in PARAMETERS:
        default = f'"{parameter.default}"' if isinstance(parameter.default, str) else repr(parameter.default)
        text = textwrap.wrap(parameter.text, 110, initial_indent="    ", subsequent_indent="    ")
        entries += [f"{parameter.name} : {parameter.type}, default={default}", *text]
    return ("\n" + indent).join(entries)


Class = TypeVar("Class", bound=type)


def documented(estimator: Class) -> Class:
    """Fill in the {parameters} placeholder of the docstring."""
    if estimator.__doc__:  # None under python -OO
        estimator.__doc__ = estimator.__doc__.replace("{parameters}", numpydoc(" " * 4))
    return estimator
