"""scikit-learn's logistic regression with its defaults."""

from __future__ import annotations

from sklearn.linear_model import LogisticRegression

from bench.peers.course import Course
from bench.peers.problem import Problem


def train(problem: Problem, course: Course, *, seed: int) -> None:
    model = LogisticRegression(random_state=seed).fit(problem.X, problem.y)
    course.test(model.predict_proba)
