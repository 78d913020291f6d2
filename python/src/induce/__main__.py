"""`python -m induce` and the script `induce`: the command line, which the extension carries."""

from __future__ import annotations

import signal
import sys

from . import _core


def main() -> int:
    # Python ignores SIGPIPE; a program at the head of a pipe is to end quietly when its reader does.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    return _core.run_command_line(["induce", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
