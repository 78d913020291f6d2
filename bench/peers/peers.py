"""The table of peers: environment, module in bench/peers/libraries, settings and the source of the settings.

`chosen` lists what a user has to choose before the first run because the library has no default for it, or because
its documentation says to tune it. Settings left at the library's default are not listed. The kernel family and the
initial length-scales are not counted for any library (all Gaussian processes here use a squared exponential with one
length-scale per feature, initialised to sqrt(d)).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bench.support.settings import CLASSES_INDUCING

EXACT = 3000  # maximum number of rows for a Gaussian process without inducing inputs


@dataclass(frozen=True)
class Peer:
    name: str
    environment: str  # requirements/<environment>.txt
    module: str
    packages: tuple[str, ...]
    chosen: tuple[str, ...]
    source: str
    settings: dict[str, Any] = field(default_factory=dict)
    uses_m: bool = True
    most_rows: int | None = None


_GPFLOW = ("gpflow", "tensorflow-cpu", "tf-keras", "numpy")
_GPYTORCH = ("gpytorch", "torch", "numpy")
_GPBOOST = ("gpboost", "numpy")

_TABLE = (
    # GPflow, "Stochastic Variational Inference for scalability with SVGP" (gps_for_big_data): minibatches of 100,
    # Adam with its default step .001, 20,000 iterations.
    Peer("gpflow-adam", "gpflow", "gpflow_svgp", _GPFLOW, ("m", "batch", "iterations"),
         "GPflow documentation, gps_for_big_data",
         {"gamma": None, "adam": 0.001, "batch": 100, "iterations": 20_000}),
    # GPflow, "Natural gradients": gamma .1 with minibatches, Adam .01 for the rest; minibatches as above.
    Peer("gpflow-natgrad", "gpflow", "gpflow_svgp", _GPFLOW, ("m", "batch", "iterations", "gamma", "Adam's step"),
         "GPflow documentation, natural_gradients and gps_for_big_data",
         {"gamma": 0.1, "adam": 0.01, "batch": 100, "iterations": 20_000}),
    # The same with a maintainer's advice for when gamma .1 is too large (GPflow issue 820): increase it gradually.
    # Also with larger minibatches, which make the steps less noisy.
    Peer("gpflow-natgrad-ramp", "gpflow", "gpflow_svgp", _GPFLOW,
         ("m", "batch", "iterations", "gamma", "gamma's schedule", "Adam's step"),
         "GPflow documentation, natural_gradients; GPflow issue 820",
         {"gamma": 0.1, "ramp": (1e-4, 500), "adam": 0.01, "batch": 1000, "iterations": 20_000}),
    # GPyTorch, "Stochastic Variational GP Regression" (SVGP_Regression_CUDA): Adam .01, minibatches of 1024. Its four
    # epochs only demonstrate the loop; here the budget ends the run.
    Peer("gpytorch-adam", "gpytorch", "gpytorch_svgp", _GPYTORCH, ("m", "batch", "iterations", "Adam's step"),
         "GPyTorch documentation, SVGP_Regression_CUDA",
         {"natural": None, "adam": 0.01, "batch": 1024}),
    # GPyTorch, "Using Natural Gradient Descent with Variational Models": NGD .1 ("typically, 0.1 is a good learning
    # rate"), Adam .01, minibatches of 1024.
    Peer("gpytorch-natgrad", "gpytorch", "gpytorch_svgp", _GPYTORCH,
         ("m", "batch", "iterations", "NGD's step", "Adam's step"),
         "GPyTorch documentation, Natural_Gradient_Descent",
         {"natural": 0.1, "adam": 0.01, "batch": 1024}),
    # GPBoost, documentation of GPModel: k-means++ inducing points and L-BFGS, both by default; the intercept is a
    # column of ones. It does not accept initial inducing inputs.
    Peer("gpboost-fitc", "gpboost", "gpboost_gp", _GPBOOST, ("m",),
         "GPBoost documentation, GPModel", {"approximation": "fitc"}),
    # The same with the Vecchia-inducing-points full-scale approximation, 30 neighbours by default. It rejects equal
    # rows, so copies are moved slightly apart.
    Peer("gpboost-vif", "gpboost", "gpboost_gp", _GPBOOST, ("m",),
         "GPBoost documentation, GPModel", {"approximation": "full_scale_vecchia", "apart": 1e-4}),
    # scikit-learn, "Gaussian process classification (GPC) on iris dataset": 1.0 * RBF, a length-scale per feature.
    Peer("sklearn-gpc", "tables", "sklearn_gpc", ("scikit-learn", "numpy"), (),
         "scikit-learn documentation, plot_gpc_iris", uses_m=False, most_rows=EXACT),
    Peer("lightgbm", "tables", "lightgbm_trees", ("lightgbm", "numpy"), (), "LightGBM's defaults", uses_m=False),
    Peer("xgboost", "tables", "xgboost_trees", ("xgboost", "numpy"), (), "XGBoost's defaults", uses_m=False),
    Peer("catboost", "tables", "catboost_trees", ("catboost", "numpy"), (), "CatBoost's defaults", uses_m=False),
    Peer("logistic", "tables", "logistic", ("scikit-learn", "numpy"), (), "scikit-learn's defaults", uses_m=False),
)  # fmt: skip

# For three or more classes. The trees and logistic regression follow.
_CLASSES_TABLE = (
    # gpflow-adam with a latent function for each class, a shared kernel and shared inducing inputs (SVGP's default),
    # and each of the two likelihoods that GPflow has for many classes.
    Peer("gpflow-softmax", "gpflow", "gpflow_svgp", _GPFLOW, ("m", "batch", "iterations", "likelihood"),
         "GPflow documentation, gps_for_big_data; likelihoods.Softmax",
         {"gamma": None, "adam": 0.001, "batch": 100, "iterations": 20_000, "many": "softmax"}),
    Peer("gpflow-robustmax", "gpflow", "gpflow_svgp", _GPFLOW, ("m", "batch", "iterations", "likelihood"),
         "GPflow documentation, gps_for_big_data and multiclass_classification",
         {"gamma": None, "adam": 0.001, "batch": 100, "iterations": 20_000, "many": "robustmax"}),
    # GPyTorch, "Multitask/Multioutput GPs with SVGP" (SVGP_Multitask_GP_Regression): batch shapes, independent
    # outputs. Its softmax likelihood without mixing weights; Adam .01 as in its SVGP documentation; minibatches of
    # 256 because the sets have fewer than 8,000 rows.
    Peer("gpytorch-softmax", "gpytorch", "gpytorch_softmax", _GPYTORCH, ("m", "batch", "iterations", "Adam's step"),
         "GPyTorch documentation, SVGP_Multitask_GP_Regression and SoftmaxLikelihood",
         {"adam": 0.01, "batch": 256}),
    # sklearn-gpc, one class against the rest, on all rows: its result on tables of this size is its limit.
    Peer("sklearn-gpc-rest", "tables", "sklearn_gpc", ("scikit-learn", "numpy"), (),
         "scikit-learn documentation, plot_gpc_iris", uses_m=False),
)  # fmt: skip

PEERS = {peer.name: peer for peer in _TABLE}
CLASSES_PEERS = {peer.name: peer for peer in _CLASSES_TABLE} | {
    name: PEERS[name] for name in ("lightgbm", "xgboost", "catboost", "logistic")
}
EVERY_PEER = PEERS | CLASSES_PEERS
ENVIRONMENTS = tuple(dict.fromkeys(peer.environment for peer in _TABLE))


def peers_of(name: str) -> dict[str, Peer]:
    """The peers of a set, which depend on whether it has two classes."""
    return CLASSES_PEERS if name in CLASSES_INDUCING else PEERS


@dataclass(frozen=True)
class Ours:
    """A way to call `induce fit`; `inducing` and `seed` are added."""

    name: str
    arguments: tuple[str, ...]
    chosen: tuple[str, ...]
    uses_m: bool = True


OURS = {
    ours.name: ours
    for ours in (
        Ours("induce", (), ("m",)),
        Ours("induce-plain", ("--warp", "none"), ("m",)),  # no warping, like the other libraries
        Ours("induce-auto", (), (), uses_m=False),  # defaults
    )
}
