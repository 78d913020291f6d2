"""`python -m induce` and the script `induce`: the command line, which is part of the extension."""

from __future__ import annotations

import signal
import sys

from . import _core
from ._export import OnnxExport, onnx_export
from ._formats import encode_table, open_table


def main() -> int:
    arguments = sys.argv[1:]
    if (export := onnx_export(arguments)) is not None:
        return _export_onnx(export)
    # Python ignores SIGPIPE, but a program that writes to a pipe should exit quietly when the reader does.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    return _run(arguments)


def _run(arguments: list[str]) -> int:
    return _core.run_command_line(["induce", *arguments], open_table, encode_table)


def _export_onnx(export: OnnxExport) -> int:
    from ._onnx import write_onnx

    try:
        size = write_onnx(export.model, export.path)
        print(f"{export.path}: ONNX file of {size:,} bytes", flush=True)
        return _run(export.rest) if export.rest else 0
    except (OSError, _core.Error) as error:
        print(f"induce: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
