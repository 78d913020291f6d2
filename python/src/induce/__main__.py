"""`python -m induce` and the script `induce`: the command line, which is part of the extension."""

from __future__ import annotations

import signal
import sys

from . import _core


def main() -> int:
    # Python ignores SIGPIPE, but a program that writes to a pipe should exit quietly when the reader does.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    return _core.run_command_line(["induce", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
