"""LightGBM with its defaults (100 trees), tested at intervals so that its best result counts, not only its last."""

from __future__ import annotations

import lightgbm

from bench.peers.course import Course
from bench.peers.problem import Problem


def train(problem: Problem, course: Course, *, seed: int) -> None:
    def test_at_intervals(now: lightgbm.callback.CallbackEnv) -> None:
        if course.due():
            course.test(lambda X: now.model.predict(X))
        if course.over():
            raise lightgbm.callback.EarlyStopException(now.iteration, [])

    model = lightgbm.LGBMClassifier(random_state=seed, verbose=-1)
    model.fit(problem.X, problem.y, callbacks=[test_at_intervals])
    course.test(lambda X: model.booster_.predict(X))
