"""XGBoost with its defaults (100 trees), tested at intervals so that its best result counts, not only its last."""

from __future__ import annotations

import xgboost

from bench.peers.course import Course
from bench.peers.problem import Problem


class TestAtIntervals(xgboost.callback.TrainingCallback):
    def __init__(self, course: Course) -> None:
        super().__init__()
        self._course = course

    def after_iteration(self, model: xgboost.Booster, epoch: int, evals_log: dict) -> bool:
        if self._course.due():
            self._course.test(lambda X: model.predict(xgboost.DMatrix(X)))
        return self._course.over()


def train(problem: Problem, course: Course, *, seed: int) -> None:
    model = xgboost.XGBClassifier(random_state=seed, callbacks=[TestAtIntervals(course)])
    model.fit(problem.X, problem.y)
    course.test(model.predict_proba)
