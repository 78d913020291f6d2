"""CatBoost with its defaults (1000 trees), tested at intervals so that its best result counts, not only its last.

CatBoost's callbacks do not see the model. They record the time of each tree, and the tests follow after training.
"""

from __future__ import annotations

from types import SimpleNamespace

from catboost import CatBoostClassifier

from bench.peers.course import Course
from bench.peers.problem import Array, Problem


class RecordTimes:
    def __init__(self, course: Course) -> None:
        self.seconds: list[float] = []  # after each tree
        self._course = course

    def after_iteration(self, info: SimpleNamespace) -> bool:
        self.seconds.append(self._course.clock.seconds)
        return not self._course.over()


def train(problem: Problem, course: Course, *, seed: int) -> None:
    times = RecordTimes(course)
    model = CatBoostClassifier(random_seed=seed, verbose=False, allow_writing_files=False)
    model.fit(problem.X, problem.y, callbacks=[times])
    with course.clock.stopped():
        for trees, seconds in enumerate(times.seconds, start=1):
            if course.due(seconds):

                def predict(X: Array, trees: int = trees) -> Array:
                    return model.predict_proba(X, ntree_end=trees)

                course.test(predict, seconds)
    course.test(model.predict_proba)
