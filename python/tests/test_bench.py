"""The metrics and records of bench/. Oracles: scikit-learn's metrics and hand-computed cases."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from repository import ROOT, needs
from sklearn import metrics

needs("the benchmarks are")
sys.path.insert(0, str(ROOT))

from bench.data import fetch, rows  # noqa: E402
from bench.peers import classes  # noqa: E402
from bench.peers.clock import Clock  # noqa: E402
from bench.peers.course import Course, shaped  # noqa: E402
from bench.peers.metrics import compute_metrics  # noqa: E402
from bench.peers.peers import CLASSES_PEERS, ENVIRONMENTS, EVERY_PEER, PEERS, peers_of  # noqa: E402
from bench.peers.prepare import class_indices, read_libsvm  # noqa: E402
from bench.peers.problem import Problem  # noqa: E402
from bench.peers.tables import classes as classes_table  # noqa: E402
from bench.peers.tables import reached, row, time_to_equal  # noqa: E402
from bench.structure import problems  # noqa: E402
from bench.structure.fits import Result, order_of, read_summary  # noqa: E402
from bench.structure.session import HEAD, met  # noqa: E402
from bench.structure.session import row as structure_row  # noqa: E402
from bench.structure.speeds import time_to_bound  # noqa: E402
from bench.structure.table_file import write_csv  # noqa: E402
from bench.support import lines  # noqa: E402
from bench.support.induce_fit import calibration, thin  # noqa: E402


def test_metrics_match_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    p = np.round(rng.uniform(size=2000), 2)  # with ties
    y = (rng.uniform(size=2000) < p).astype(int)
    found = compute_metrics(p, y)
    assert found["accuracy"] == pytest.approx(metrics.accuracy_score(y, p > 0.5))
    assert found["nll"] == pytest.approx(metrics.log_loss(y, np.clip(p, 1e-15, 1 - 1e-15)))
    assert found["brier"] == pytest.approx(metrics.brier_score_loss(y, p))
    assert found["auc"] == pytest.approx(metrics.roc_auc_score(y, p))


def test_ece_matches_hand_computed_value() -> None:
    # Two bins of 15: p = .05 twice with one positive, p = 1 twice with two.
    found = compute_metrics(np.array([0.05, 0.05, 1.0, 1.0]), np.array([0, 1, 1, 1]))
    assert found["ece"] == pytest.approx(0.5 * 0.45)
    assert [bin_[0] for bin_ in found["calibration"]] == [2, 2]


def test_metrics_of_many_classes_match_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(4), size=1500)
    y = np.array([rng.choice(4, p=row) for row in p])
    found = compute_metrics(p, y)
    assert found["accuracy"] == pytest.approx(metrics.accuracy_score(y, p.argmax(axis=1)))
    assert found["nll"] == pytest.approx(metrics.log_loss(y, p))
    assert found["brier"] == pytest.approx(sum(metrics.brier_score_loss(y == c, p[:, c]) for c in range(4)))
    assert found["auc"] == pytest.approx(metrics.roc_auc_score(y, p, multi_class="ovr"))
    assert found["ece"] < 0.05


def test_ece_of_many_classes_matches_hand_computed_value() -> None:
    # The predicted class has p = .6 twice, right once, and p = 1 once, right.
    p = np.array([[0.6, 0.2, 0.2], [0.1, 0.6, 0.3], [0.0, 0.0, 1.0]])
    found = compute_metrics(p, np.array([0, 2, 2]))
    assert found["ece"] == pytest.approx(0.1 * 2 / 3)
    assert found["calibration"] == [[2, 0.6, 0.5], [1, 1.0, 1.0]]
    assert found["accuracy"] == pytest.approx(2 / 3)


def test_probabilities_of_two_classes_are_those_of_the_second() -> None:
    p = np.array([0.2, 0.7])
    for given in (p, p[:, None], np.stack([1 - p, p], axis=1)):
        assert np.array_equal(shaped(given), p)
    assert shaped(np.full((2, 3), 1 / 3)).shape == (2, 3)


def test_labels_become_class_indices(tmp_path: Path) -> None:
    (tmp_path / "rows.svm").write_text("7 1:1 3:2\n1 2:5\n3\n")
    X, labels = read_libsvm(tmp_path / "rows.svm", 3)
    assert X.tolist() == [[1, 0, 2], [0, 5, 0], [0, 0, 0]]
    y, y_test = class_indices(labels, np.array([3.0, 7.0]))
    assert (y.tolist(), y_test.tolist()) == ([2, 0, 1], [1, 2])
    assert class_indices(np.array([1.0, -1.0]), np.array([1.0]))[0].tolist() == [1, 0]
    with pytest.raises(ValueError, match="does not occur"):
        class_indices(labels, np.array([2.0]))


def test_split_of_a_set_without_a_published_one(tmp_path: Path) -> None:
    every = [f"{i % 3} 1:{i}" for i in range(21)]
    (tmp_path / "whole.svm").write_text("\n".join(every))
    classes.main(*(str(tmp_path / name) for name in ("whole.svm", "train.svm", "test.svm")))
    train, test = (classes.read_lines(tmp_path / f"{part}.svm") for part in ("train", "test"))
    assert train + test == [every[i] for i in np.random.default_rng(0).permutation(21)]
    assert len(train) == 16


def test_calibration_of_the_predicted_class(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("label,p_1,p_2,p_3\n1,.6,.2,.2\n2,.1,.6,.3\n3,0,0,1\n")
    shown = calibration(tmp_path / "p.csv", ["1", "2", "3"], [1.0, 3.0, 3.0])
    assert shown == [[2, 0.6, 0.5], [1, 1.0, 1.0]]
    (tmp_path / "two.csv").write_text("label,p_-1,p_+1\n-1,.7,.3\n+1,.2,.8\n")
    assert calibration(tmp_path / "two.csv", ["-1", "+1"], [1.0, 1.0]) == [[1, 0.3, 1.0], [1, 0.8, 1.0]]


def test_the_table_of_many_classes_says_what_was_not_run() -> None:
    head = {"run": "r", "set": "satimage", "seed": 0, "max_time": 9, "machine": {"cores": 2, "cpu": "x"}}
    load = {"load_average": 1.0, "busy": True, "others_during": 0.5, "message": ""}
    own = {"seconds": 2.0, "nll": 0.2, "accuracy": 0.9, "ece": 0.01}
    peer = own | {"seconds": 50.0, "nll": 0.25}
    records = [
        {**head, **load, "peer": who, "status": "done", "seconds": at["seconds"], "cpu_seconds": 1.0, "final": at,
         "best": at, "curve": [[1.0, 0.24, 0.9]], "versions": {who: "1"}}
        for who, at in (("induce-auto", own), ("gpytorch-softmax", peer))
    ]  # fmt: skip
    failed = {"peer": "sklearn-gpc-rest", "status": "time limit", "message": "no result"}
    table = classes_table([*records, {**head, **load, **failed}])
    assert "| gpytorch-softmax | 0.2500 | 0.9000 | 0.0100 | 0.2500 at 50 s | 50 (1) | (not run, 50x) | 0.5 |" in table
    assert "| sklearn-gpc-rest | none (time limit) |" in table
    assert "| catboost | not run |" in table
    assert table.endswith("Versions: gpytorch-softmax 1, induce-auto 1.")


def test_a_stopped_clock_does_not_run() -> None:
    clock = Clock()
    clock.start()
    with clock.stopped():
        before = clock.seconds
        assert clock.seconds == before
    assert clock.running
    assert clock.seconds > before


def test_time_to_equal_nll() -> None:
    own = {"best": {}, "curve": [[0.1, 0.6, 0.7], [0.2, 0.5, 0.8]], "final": {"seconds": 0.3, "nll": 0.45}}
    own["best"] = {"seconds": 0.3, "nll": 0.45}
    assert reached(own["curve"], 0.55) == 0.2
    assert time_to_equal(own, {"best": {"seconds": 20.0, "nll": 0.5}}) == ("0.2", "100")
    assert time_to_equal(own, {"best": {"seconds": 20.0, "nll": 0.4}}) == ("never", "-")
    assert time_to_equal(None, {"best": {"seconds": 20.0, "nll": 0.4}}) == ("not run", "-")
    assert "not run" in row("gpflow-adam", None, own)


def test_every_peer_has_a_module_and_a_pinned_version() -> None:
    folder = ROOT / "bench" / "peers"
    pinned = {name: (folder / "requirements" / f"{name}.txt").read_text() for name in ENVIRONMENTS}
    for peer in EVERY_PEER.values():
        assert (folder / "libraries" / f"{peer.module}.py").is_file()
        assert peer.packages[0] == "gpflow" or f"{peer.packages[0]}==" in pinned[peer.environment]
    assert list(PEERS)[-4:] == ["lightgbm", "xgboost", "catboost", "logistic"]
    assert list(CLASSES_PEERS)[-4:] == list(PEERS)[-4:]
    assert peers_of("german") is PEERS
    assert peers_of("usps") is CLASSES_PEERS


def test_a_course_can_be_tested_at_times_in_the_past() -> None:
    X, y = np.zeros((4, 1)), np.array([0, 1, 0, 1])
    course = Course(Problem(X, y, X, y, X), 1.0)
    for at, p in ((0.1, 0.4), (0.101, 0.5), (0.2, 0.5)):
        if course.due(at):
            course.test(lambda rows, p=p: np.full(len(rows), p), at)
    assert [point[0] for point in course.curve] == [0.1, 0.2]  # .101 is too close to .1
    assert course.last is not None
    assert course.last["nll"] == pytest.approx(np.log(2))


def test_thinning_keeps_every_new_minimum_and_the_last_point() -> None:
    curve = [[1 + i / 1000, nll, 0.0] for i, nll in enumerate([3, 2, 2.5, 2.4, 1, 5, 6])]
    assert [point[1] for point in thin(curve)] == [3, 2, 1, 6]


def test_records_round_trip_and_a_truncated_line_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "a" / "results.jsonl"
    lines.append(path, {"set": "x", "value": float("nan")})
    lines.append(path, {"set": "x", "value": 2})
    with path.open("a") as out:
        out.write('{"set": "y", "val')
    assert lines.read(path)[0]["value"] is None
    assert lines.last_by(lines.read(path), "set") == {("x",): {"set": "x", "value": 2}}


def test_checksum_does_not_depend_on_number_formatting() -> None:
    a = rows.from_libsvm("1 1:1.0 3:0.50\n0 2:-2e0\n", lambda label: label == "1")
    b = rows.from_table("1,0,.5,g\n0,-2,0,h\n", ",", lambda label: label == "g")
    assert a == b == ["+1 1:1 3:0.5", "-1 2:-2"]
    assert rows.checksum(a) == rows.checksum(b)


def test_split_contains_every_row_once() -> None:
    every = [f"+1 1:{i}" for i in range(50)]
    train, test = fetch.split(every)
    assert (len(train), len(test)) == (40, 10)
    assert sorted(train + test) == sorted(every)


@pytest.mark.parametrize("name", [name for name in problems.PROBLEMS if name != "million"])
def test_made_up_problems_have_their_sizes_and_a_known_least_nll(name: str) -> None:
    problem = problems.PROBLEMS[name]
    train, test = problems.make(problem, 0)
    assert train.X.shape == (problem.rows, problem.features)
    assert test.X.shape == (problems.TEST_ROWS, problem.features)
    assert not np.array_equal(train.X, problems.make(problem, 1)[0].X)
    # Oracle: the expected NLL is the entropy of the true probabilities; that of labels deviates by about 1/sqrt(n).
    p = np.clip(test.p, 1e-15, 1 - 1e-15)
    entropy = -np.mean(p * np.log(p) + (1 - p) * np.log1p(-p))
    found = problems.nll(test.p, test.y)
    assert found == pytest.approx(metrics.log_loss(test.y, test.p))
    assert found == pytest.approx(entropy, abs=0.02)
    assert found < problems.nll(np.full(len(test.y), train.y.mean()), test.y) - 0.01


def test_the_table_of_made_up_problems() -> None:
    sizes = {name: (p.rows, p.features, p.wanted) for name, p in problems.PROBLEMS.items()}
    assert sizes["twelve"] == (48_000, 12, 0.005)
    assert sizes["waves"] == (24_000, 30, 0.012)
    assert sizes["wide"] == (24_000, 60, 0.008)
    assert sizes["steps"] == (24_000, 20, 0.02)
    assert sizes["million"] == (950_000, 10, 0.001)
    x = np.array([[0.5, -1.0, 1.0, 2.0, 0.25, 0.0]])
    assert problems.steps(x, np.random.default_rng(0)) == pytest.approx(2 - 2 + 1.5 + 0.25)
    assert problems.twelve(x, np.random.default_rng(0)) == pytest.approx(2 * np.sin(1) - 1.5 + 2 + 0.03125 - 1.5 + 1)


def test_csv_is_read_back_exactly(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    columns = (rng.standard_normal(50), np.exp(3 * rng.standard_normal(50)), rng.integers(-3, 12, 50))
    X, y = np.round(np.stack(columns, axis=1), 6), rng.integers(0, 2, 50)
    write_csv(tmp_path / "rows.csv", X, y, 6)
    text = (tmp_path / "rows.csv").read_text()
    assert text.splitlines()[0] == "x0,x1,x2,label"
    found = np.loadtxt(text.splitlines(), delimiter=",", skiprows=1)
    assert np.array_equal(found, np.column_stack([X, y]))


def test_summary_is_read_with_importance_or_relevance() -> None:
    relevance = [{"feature": "x0", "inverse_lengthscale": 0.1}, {"feature": "x5", "inverse_lengthscale": 2.0}]
    summary = {"status": "converged", "m": 200, "seconds": 3.0, "test": {"nll": 0.43}, "relevance": relevance}
    assert order_of(summary) == ("x5", "x0")
    assert read_summary(summary) == Result(0.43, 3.0, "-", 200, ("x5", "x0"), "converged")
    importance = [{"feature": "x5", "main": 0.9, "total": 1.0}, {"feature": "x0", "main": 0.5, "total": 2.0}]
    assert order_of(summary | {"importance": importance}) == ("x0", "x5")


def test_what_is_wanted_of_a_made_up_problem() -> None:
    trees = Result(0.53, 0.5)
    assert met(problems.PROBLEMS["waves"], 0.5, Result(0.511, 1.0), None) is True
    assert met(problems.PROBLEMS["waves"], 0.5, Result(0.513, 1.0), trees) is False
    assert met(problems.PROBLEMS["rings"], 0.5, Result(0.539, 1.0), trees) is True
    assert met(problems.PROBLEMS["rings"], 0.5, Result(0.541, 1.0), trees) is False
    assert met(problems.PROBLEMS["rings"], 0.5, Result(0.5, 1.0), None) is None
    twelve = problems.PROBLEMS["twelve"]
    assert met(twelve, 0.5, Result(0.5, 1.0, order=("x5",)), trees) is True
    assert met(twelve, 0.5, Result(0.5, 1.0, order=("x0", "x1")), trees) is False
    cells = dict(zip(HEAD, structure_row(twelve, 0, 0.5, Result(0.51, 1.0), trees, None), strict=True))
    assert (cells["excess"], cells["LightGBM's"], cells["time / LightGBM's"]) == ("0.0100", "0.0300", "2")
    assert (cells["CatBoost's"], cells["met"]) == ("-", "no")


def test_time_to_a_bound_ignores_stages_on_fewer_rows() -> None:
    trace = [{"rows": 10, "bound": -5.0, "seconds": 1.0}, {"rows": 40, "bound": -30.0, "seconds": 2.0}]
    assert time_to_bound([*trace, {"rows": 40, "bound": -20.0, "seconds": 3.0}], -20.0, 40) == 3.0
    assert time_to_bound(trace, -20.0, 40) is None
    assert time_to_bound([], -20.0, 40) is None
