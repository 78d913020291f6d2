"""`python -m induce` and the script `induce`: the command line, which is part of the extension."""

from __future__ import annotations

import signal
import sys

from . import _core
from ._export import onnx_paths
from ._formats import as_csv, needs_conversion


def main() -> int:
    arguments = sys.argv[1:]
    if needs_conversion(arguments):
        return _run_on_csv(arguments)
    if (paths := onnx_paths(arguments)) is not None:
        return _export_onnx(*paths)
    # Python ignores SIGPIPE, but a program that writes to a pipe should exit quietly when the reader does.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    return _core.run_command_line(["induce", *arguments])


def _export_onnx(model: str, path: str) -> int:
    from ._onnx import write_onnx

    try:
        print(f"{path}: ONNX file of {write_onnx(model, path):,} bytes")
        return 0
    except (OSError, _core.Error) as error:
        print(f"induce: {error}", file=sys.stderr)
        return 1


def _run_on_csv(arguments: list[str]) -> int:
    try:
        with as_csv(arguments) as replaced:
            return _core.run_command_line(["induce", *replaced])
    except (OSError, _core.Error) as error:
        print(f"induce: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
