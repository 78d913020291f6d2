"""GPBoost's Gaussian process with inducing points. It trains in a single call, so it is tested only at the end.

With its own initial ranges, half the average distance, it predicted a constant on german (24 features).
"""

from __future__ import annotations

import gpboost
import numpy as np

from bench.peers.course import Course, in_blocks
from bench.peers.problem import Problem


def moved_apart(X: np.ndarray, distance: float, seed: int) -> np.ndarray:
    """Moves duplicate rows apart by about `distance`, because the Vecchia approximation rejects equal rows."""
    _, first = np.unique(X, axis=0, return_index=True)
    copies = np.setdiff1d(np.arange(len(X)), first)
    moved = X.copy()
    moved[copies] += distance * np.random.default_rng(seed).normal(size=(len(copies), X.shape[1]))
    return moved


def train(problem: Problem, course: Course, *, seed: int, approximation: str, apart: float = 0.0) -> None:
    model = gpboost.GPModel(
        gp_coords=moved_apart(problem.X, apart, seed) if apart else problem.X,
        cov_function="gaussian_ard",
        likelihood="bernoulli_logit",
        gp_approx=approximation,
        num_ind_points=problem.m,
        seed=seed,
    )
    start = np.concatenate([[1.0], problem.start])  # variance and length-scales, as for all peers
    model.fit(y=problem.y.astype(np.float64), X=np.ones((problem.n, 1)), params={"init_cov_pars": start})

    def predict(X: np.ndarray) -> np.ndarray:
        found = model.predict(gp_coords_pred=X, X_pred=np.ones((len(X), 1)), predict_response=True)
        return np.asarray(found["mu"])

    course.test(in_blocks(predict))
