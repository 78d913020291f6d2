"""What the report for people says about the fit."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

FACTS = (
    *("n", "d", "m", "seconds", "status", "choices", "class_counts", "class_weights"),
    *("leave_one_out", "cross_validation", "held_out_by"),
)


def facts_of(report: dict[str, Any]) -> str:
    """The JSON that the core reads, as `induce fit --json` writes it: numbers that are not finite are null."""
    return json.dumps({name: _finite(report[name]) for name in FACTS if name in report})


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | np.ndarray):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
