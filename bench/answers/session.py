"""Figures of what answers promise: rare classes, costs, groups, doubt, novelty, sets and successes of trials.

    bench/answers/run                      all; resumes where it stopped
    bench/answers/run doubt --seeds 30     one problem
    bench/results/pages                    writes what follows from docs/records/answers.jsonl into the pages

Adds a JSON line per problem and seed to --out. Each fit uses one thread. All tables are made up, with known
probabilities, but one: in unseen_class the fit has not seen one of the classes of scikit-learn's wine table.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
from sklearn.datasets import load_wine
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

from bench.answers.figures import RECORD, SEEDS
from bench.support import cells
from bench.support.lines import Record
from induce import GPClassifier


def sigmoid(f: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-f))


def smooth(X: np.ndarray) -> np.ndarray:
    return 2 * np.sin(1.5 * X[:, 0]) + X[:, 1] * np.cos(X[:, 0])


def rare(seed: int) -> Record:
    """A class of 2 %: class_weight="balanced" against the plain fit. AUC within .005, in the same time."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(16000, 3))
    y = random.random(16000) < sigmoid(smooth(X) - 4.8)
    found = {"share": y.mean()}
    for name, weight in {"plain": None, "balanced": "balanced"}.items():
        start = time.process_time()
        classifier = GPClassifier(threads=1, class_weight=weight).fit(X[:6000], y[:6000])
        found |= {
            f"auc_{name}": roc_auc_score(y[6000:], classifier.predict_proba(X[6000:])[:, 1]),
            f"seconds_{name}": time.process_time() - start,
        }
    return found


def costs(seed: int) -> Record:
    """The cost per test row of least expected costs, and of the best of 19 thresholds on training rows."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(14000, 3))
    y = random.random(14000) < sigmoid(smooth(X) - 2)
    missed, checked = 8.0, 1.0
    classifier = GPClassifier(threads=1, decision_costs=[[0, checked], [missed, 0]]).fit(X[:4000], y[:4000])

    def cost(chosen: np.ndarray, rows: slice) -> float:
        return (missed * (~chosen & y[rows]) + checked * (chosen & ~y[rows])).mean()

    train, test = slice(4000), slice(4000, None)
    p = classifier.predict_proba(X)[:, 1]
    thresholds = np.arange(1, 20) / 20
    best = min(thresholds, key=lambda each: cost(p[train] > each, train))
    return {
        "cost": cost(classifier.predict(X[test]), test),
        "threshold": best,
        "cost_of_threshold": cost(p[test] > best, test),
        "least_of_all_thresholds": min(cost(p[test] > each, test) for each in thresholds),
    }


def panel(seed: int) -> Record:
    """200 persons of 20 rows. What the fit states, with and without groups, and what 2,000 new persons have."""
    random = np.random.default_rng(seed)

    def persons(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        person = np.repeat(np.arange(count), 20)
        age, effect = random.normal(size=count)[person], 1.5 * random.normal(size=count)[person]
        dose = random.normal(size=len(person))
        y = random.random(len(person)) < sigmoid(effect + 0.8 * dose + 0.3 * age)
        return np.c_[age, dose], y, person

    X, y, person = persons(200)
    X_new, y_new, _ = persons(2000)
    found = {}
    for name, groups in {"rows": None, "groups": person}.items():
        classifier = GPClassifier(threads=1).fit(X, y, groups=groups)
        found |= {
            f"stated_{name}": classifier.report_["cross_validation"]["nll"],
            f"error_{name}": classifier.report_["cross_validation"]["nll_error"],
            f"new_{name}": log_loss(y_new, classifier.predict_proba(X_new)[:, 1]),
            f"kernel_{name}": classifier.report_["kernel"],
        }
    return found


def doubt(seed: int) -> Record:
    """How many true probabilities are between p_low and p_high, and how well draws agree with them."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(3000, 2))
    p = sigmoid(smooth(X))
    y = random.random(3000) < p
    classifier = GPClassifier(threads=1).fit(X[:1000], y[:1000])
    doubts = classifier.predict_doubt(X[1000:])
    mean, variance = classifier.predict_latent(X[1000:])
    draws = sigmoid(mean + np.sqrt(variance) * random.normal(size=(4000, 1)))
    inside = (doubts.p_low <= p[1000:]) & (p[1000:] <= doubts.p_high)
    differences = [
        np.abs(np.quantile(draws, q, axis=0) - at).max() for q, at in ((0.025, doubts.p_low), (0.975, doubts.p_high))
    ]
    return {"inside": inside.mean(), "largest_difference_from_draws": max(differences)}


def novelty(seed: int) -> Record:
    """The AUC of novelty for rows that are moved by five standard deviations, against rows that are not."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(2000, 4))
    y = random.random(2000) < sigmoid(smooth(X))
    classifier = GPClassifier(threads=1).fit(X[:1000], y[:1000])
    moved = X[1000:] + 5 * np.sign(random.normal(size=(1000, 4)))
    rows = np.r_[X[1000:], moved]
    return {"auc": roc_auc_score(np.repeat([0, 1], 1000), classifier.predict_doubt(rows).novelty)}


def unseen_class(seed: int) -> Record:
    """The AUC of novelty for the wines of each class that the fit has not seen, against unused ones of the others."""
    X, y = load_wine(return_X_y=True)
    found = {}
    for unseen in range(3):
        known = y != unseen
        X_train, X_test, y_train, _ = train_test_split(
            X[known], y[known], test_size=0.3, random_state=seed, stratify=y[known]
        )
        classifier = GPClassifier(threads=1).fit(X_train, y_train)
        rows = np.r_[X_test, X[~known]]
        is_new = np.r_[np.zeros(len(X_test)), np.ones((~known).sum())]
        found[f"auc_{unseen}"] = roc_auc_score(is_new, classifier.predict_doubt(rows).novelty)
    return found


def sets(seed: int) -> Record:
    """Of sets of five classes for alpha .1: how many are right, and their mean size; also without calibration."""
    random = np.random.default_rng(seed)
    y = random.integers(0, 5, 6000)
    X = np.c_[np.cos(y * 1.26), np.sin(y * 1.26)] + 0.8 * random.standard_t(3, size=(6000, 2))
    classifier = GPClassifier(threads=1).fit(X[:600], y[:600])
    found = {}
    report = classifier.report_
    for name in ("calibrated", "plain"):
        if name == "plain":
            classifier.report_ = {**report, "set_thresholds": []}
        inside = classifier.predict_set(X[600:], 0.1)
        found |= {f"right_{name}": inside[np.arange(5400), y[600:]].mean(), f"size_{name}": inside.sum(axis=1).mean()}
    return found


def trials(seed: int) -> Record:
    """300 rows of up to 50 trials: the NLL per trial that is stated, on new rows, and of the true probabilities."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(2300, 2))
    p, n = sigmoid(smooth(X)), random.integers(0, 50, 2300)
    y = random.binomial(n, p)
    classifier = GPClassifier(threads=1).fit(X[:300], y[:300], trials=n[:300])

    def nll(of: np.ndarray) -> float:
        return -(y[300:] * np.log(of) + (n - y)[300:] * np.log(1 - of)).sum() / n[300:].sum()

    return {
        "stated": classifier.report_["cross_validation"]["nll"],
        "new": nll(classifier.predict_proba(X[300:])[:, 1]),
        "true": nll(p[300:]),
    }


PROBLEMS: dict[str, Callable[[int], Record]] = {
    each.__name__: each for each in (rare, costs, panel, doubt, novelty, unseen_class, sets, trials)
}


def measure(name: str, seed: int) -> Record:
    return {"threads": 1, **PROBLEMS[name](seed)}


def main() -> int:
    parser = cells.parser("bench/answers/run", __doc__, RECORD)
    parser.add_argument("problems", nargs="*", default=list(PROBLEMS), help="of " + ", ".join(PROBLEMS))
    parser.add_argument("--seeds", type=int, default=SEEDS)
    args = parser.parse_args()
    wanted = [(name, seed) for name in args.problems for seed in range(args.seeds)]
    return cells.run(args, ("problem", "seed"), wanted, measure)


if __name__ == "__main__":
    sys.exit(main())
