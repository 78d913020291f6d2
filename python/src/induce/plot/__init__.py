"""Plots of a fitted classifier. Each function draws on one Axes and returns it; `effects` has one per feature.

matplotlib is imported on the first call.
"""

from ._calibration import calibration_curve
from ._confusion import confusion
from ._effects import effects, importance
from ._relevance import feature_relevance
from ._surface import decision_surface
from ._training import training_curve

__all__ = [
    "calibration_curve",
    "confusion",
    "decision_surface",
    "effects",
    "feature_relevance",
    "importance",
    "training_curve",
]
