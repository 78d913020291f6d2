"""scikit-learn's GaussianProcessClassifier: Laplace approximation with all rows, L-BFGS-B for the kernel.

Three or more classes: one process for each class against the rest, the default.
"""

from __future__ import annotations

import warnings

from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF

from bench.peers.course import Course
from bench.peers.problem import Problem


def train(problem: Problem, course: Course, *, seed: int) -> None:
    model = GaussianProcessClassifier(1.0 * RBF(problem.start), random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a length-scale at its bound
        model.fit(problem.X, problem.y)
    course.test(model.predict_proba)
