"""`induce export MODEL --onnx FILE`, which the core's command line cannot do: onnx is a Python package."""

from __future__ import annotations


def onnx_paths(arguments: list[str]) -> tuple[str, str] | None:
    """Model and output, if this is a complete export to ONNX and to nothing else. Anything else is the core's
    business: help, a C header, and what is wrong with the arguments."""
    if arguments[:1] != ["export"]:
        return None
    models, path, rest = [], None, iter(arguments[1:])
    for argument in rest:
        option, equals, value = argument.partition("=")
        if option == "--onnx":
            path = value if equals else next(rest, None)
        elif argument.startswith("-"):
            return None
        else:
            models.append(argument)
    return (models[0], path) if len(models) == 1 and path else None
