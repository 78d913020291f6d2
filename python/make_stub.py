"""Writes _parameters.pyi, so that editors and type checkers know the parameters that the core's table has.

python make_stub.py SOURCE_FOLDER CORE_FOLDER OUTPUT: the folders hold _parameters.py and the built module _core.
"""

import pathlib
import sys
import types

HEAD = """# Made by python/make_stub.py from the core's table of options.
import os
from collections.abc import Callable, Mapping, Sequence
from inspect import Signature
from typing import Any, Literal, TypeVar

import numpy

OPTIONS: list[dict[str, Any]]
RENAMED: dict[str, str]
SIGNATURE: Signature

Class = TypeVar("Class", bound=type)

def numpydoc(indent: str) -> str: ...
def documented(estimator: Class) -> Class: ...

class Parameters:
"""


def stub(parameters) -> str:
    lines = [f"    {each.name}: {each.annotation}" for each in parameters]
    lines += ["", "    def __init__(", "        self,"]
    for k, each in enumerate(parameters):
        lines += ["        *,"] if k == 1 else []
        lines += [f"        {each.name}: {each.annotation} = {each.default!r},"]
    return HEAD + "\n".join([*lines, "    ) -> None: ..."]) + "\n"


def main(source: str, core: str, output: str) -> None:
    package = types.ModuleType("induce")  # not the real one: its other modules need scikit-learn
    package.__path__ = [source, core]
    sys.modules["induce"] = package
    from induce._parameters import PARAMETERS

    pathlib.Path(output).write_text(stub(PARAMETERS))


if __name__ == "__main__":
    main(*sys.argv[1:])
