"""Warnings that point at the caller's line, however deep in this package they arise."""

from __future__ import annotations

import sys
import warnings


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(f"{__package__}."):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)
