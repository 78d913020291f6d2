"""`induce export MODEL --onnx FILE`, which the core's command line cannot do: onnx is a Python package."""

from __future__ import annotations

from typing import NamedTuple


class OnnxExport(NamedTuple):
    model: str
    path: str
    rest: list[str]  # the arguments of the core's part, if there is one: --c FILE


def onnx_export(arguments: list[str]) -> OnnxExport | None:
    """What to do, if this is a complete export to ONNX. Anything else is the core's business: help, a C header alone,
    and what is wrong with the arguments."""
    if arguments[:1] != ["export"]:
        return None
    models: list[str] = []
    paths: dict[str, str] = {}
    rest = iter(arguments[1:])
    for argument in rest:
        option, equals, value = argument.partition("=")
        if option in ("--onnx", "--c"):
            paths[option] = value if equals else next(rest, "")
        elif argument.startswith("-"):
            return None
        else:
            models.append(argument)
    if len(models) != 1 or not all(paths.values()) or "--onnx" not in paths:
        return None
    also_c = ["export", models[0], "--c", paths["--c"]] if "--c" in paths else []
    return OnnxExport(models[0], paths["--onnx"], also_c)
