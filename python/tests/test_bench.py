"""The metrics and records of bench/. Oracles: scikit-learn's metrics and hand-computed cases."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from repository import ROOT, needs
from sklearn import metrics

needs("the benchmarks are")
sys.path.insert(0, str(ROOT))

from bench.answers import figures as answers  # noqa: E402
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
from bench.rank import figures as rank  # noqa: E402
from bench.results import pages, seeds  # noqa: E402
from bench.results import tables as results  # noqa: E402
from bench.results.seed_tables import fits_of, seeds_table  # noqa: E402
from bench.structure import problems  # noqa: E402
from bench.structure.fits import Result, order_of, read_summary  # noqa: E402
from bench.structure.session import HEAD, met  # noqa: E402
from bench.structure.session import row as structure_row  # noqa: E402
from bench.structure.speeds import time_to_bound  # noqa: E402
from bench.structure.table_file import write_csv  # noqa: E402
from bench.support import lines  # noqa: E402
from bench.support.induce_fit import calibration, thin  # noqa: E402
from bench.tables import figures  # noqa: E402


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


@pytest.mark.parametrize("page", pages.PAGES, ids=lambda page: page.name)
def test_tables_of_the_pages_are_those_of_the_records(page: Path) -> None:
    for found in pages.BLOCK.finditer(page.read_text()):
        assert pages.COMMANDS[found[2]]().strip() in found[0], (
            f"{page.name}: {found[2]} prints another text: bench/results/pages"
        )
    assert pages.renewed(page) == page.read_text(), "bench/results/pages"


def test_every_table_is_in_one_page() -> None:
    assert sorted(name for page in pages.PAGES for name in pages.named(page)) == sorted(pages.COMMANDS)


def test_the_readme_shows_only_sets_with_five_seeds() -> None:
    text = (ROOT / "README.md").read_text()
    shown = re.findall(r"^\| ([\w-]+)(?:, [\w ]+)? \| [\d.]+", text, re.MULTILINE)
    assert shown
    assert set(shown) <= set(fits_of(lines.read(seeds.RECORD))), "bench/results/seeds"


def test_the_record_of_seeds_is_of_one_build() -> None:
    records = lines.read(seeds.RECORD)
    ours = [record for record in records if record["library"] == seeds.OURS]
    assert len({(record["build"], record["commit"]) for record in ours}) == 1
    assert len(lines.last_by(records, "library", "set", "seed")) == len(records), "a fit is there twice"
    fields = {"nll", "accuracy", "seconds", "processor_seconds", "m", "kernel", "warp", "version", "threads"}
    assert all(fields <= record.keys() for record in ours)


def cells_of_answers() -> set[tuple[str, int]]:
    return {(name, seed) for name, _, _ in answers.ROWS for seed in range(answers.SEEDS)}


def cells_of_rank() -> set[tuple[str, int]]:
    return {(name, start) for name in rank.TABLES for start in range(rank.STARTS)} | {
        (rank.POOL, k) for k in range(rank.POOLS)
    }


@pytest.mark.parametrize(
    ("path", "keys", "wanted"),
    [
        (answers.RECORD, ("problem", "seed"), cells_of_answers()),
        (rank.RECORD, ("table", "start"), cells_of_rank()),
    ],
    ids=["answers", "rank"],
)
def test_a_record_has_each_cell_once_and_says_of_what_it_is(
    path: Path, keys: tuple[str, str], wanted: set[tuple[str, int]]
) -> None:
    records = lines.read(path)
    found = lines.last_by(records, *keys)
    assert set(found) == wanted, "a cell lacks: bench/answers/run, bench/rank/run"
    assert len(found) == len(records), "a cell is there twice"
    assert len({(record["build"], record["commit"], record["version"]) for record in records}) == 1
    assert {record["threads"] for record in records} == {1}
    fields = {"machine", "when", "busy", "others_during", "processor_seconds"}
    assert all(fields <= record.keys() for record in records)


def test_figures_of_worked_pages_are_those_of_the_records() -> None:
    records = lines.read(answers.RECORD)
    inside = [record["inside"] for record in records if record["problem"] == "doubt"]
    wines = [record[f"auc_{k}"] for record in records if record["problem"] == "unseen_class" for k in answers.WINES]
    page = (ROOT / "docs" / "answers" / "unlike_rows.md").read_text()
    share = f"Of {len(inside)} made-up tables of 1,000 rows with known probabilities {np.mean(inside):.0%} lay between"
    assert share.replace("%", " %") in page
    assert f"in single tables {100 * min(inside):.0f} to {100 * max(inside):.0f} %" in page
    assert f"in {100 * np.mean(wines):.0f} % of the pairs (mean of {len(wines)} fits, the least {100 * min(wines):.0f} %" in page


def test_numbers_of_the_limits_are_figures_of_other_pages() -> None:
    """Those outside of tables that commands write. Whole numbers are sizes and limits, or in words that the page explains."""
    text = pages.BLOCK.sub("", (ROOT / "docs" / "limits.md").read_text())
    known = "".join((ROOT / "docs" / f"{name}.md").read_text() for name in ("results", "decisions", "performance"))
    numbers = {number.lstrip("0") for number in re.findall(r"(?<![\d-])\d*\.\d+", text)}
    assert len(numbers) > 20
    lost = {number for number in numbers if not re.search(rf"(?<![\d.])0?{re.escape(number)}(?!\d)", known)}
    assert not lost, "docs/limits.md has figures that no page measures"


def seed_record(name: str, seed: int, nll: float, **more: object) -> dict[str, object]:
    about = {"when": "2026-11-20T00:00:00Z", "machine": {"cores": 2, "cpu": "x"}, "commit": "c", "busy": False}
    figures = {"nll": nll, "accuracy": 0.75, "seconds": 2.0 + seed, "processor_seconds": 5.0}
    choice = {"m": 100 if seed else 200, "kernel": "se", "warp": "none"}
    return {"library": "induce", "set": name, "seed": seed, **figures, **choice, **about, **more}


def test_the_table_of_seeds() -> None:
    records = [seed_record("german", seed, 0.5 + 0.01 * seed) for seed in range(5)]
    records += [seed_record("skin_nonskin", seed, 0.002, busy=seed == 3) for seed in range(5)]
    records += [seed_record("magic", seed, 0.3) for seed in range(4)]  # one lacks
    table = seeds_table(records)
    # Oracle: mean and standard deviation of .50 .51 .52 .53 .54.
    assert "| german | 0.5200 ± 0.0158 | 3.0 % | 0.7500 | 4 s | 5 | 100 to 200 | the same |" in table
    assert "| skin_nonskin | 0.00200 ± 0.00000 | 0.0 % | 0.7500 | 4 s* |" in table
    assert "1 of 2 sets have it. The record lacks svmguide1, magic," in table
    assert "magic |" not in table
    assert "CatBoost" not in table
    trees = [seed_record("german", seed, 0.6, library="CatBoost") for seed in range(5)]
    assert "| the same | 0.6000 ± 0.0000 | 4 s |" in seeds_table([*records, *trees])
    later = [*records, seed_record("german", 4, 0.59)]
    assert "| german | 0.5300 ± " in seeds_table(later)


def test_the_table_of_the_readme_compares_with_the_mean() -> None:
    at = {"run": "2026-11-17T00:00:00Z", "machine": {"cores": 2, "cpu": "y"}, "seconds": 0.5}
    found = {
        ("german", "lightgbm"): {**at, "final": {"nll": 0.519}},
        ("german", "catboost"): {**at, "final": {"nll": 0.521}},
        ("german", "xgboost"): {**at, "final": {"nll": 0.51}},
        ("german", "gpflow-adam"): {**at, "peer": "gpflow-adam", "best": {"nll": 0.515, "seconds": 60.0}},
    }
    text = results.short(found, {}, [seed_record("german", seed, 0.5 + 0.01 * seed) for seed in range(5)])
    row = "| german | 0.5200 ± 0.0158 in 4 s | **0.5150** at 60 s (GPflow) | **0.5190** in 0.5 s | 0.5210 in 0.5 s |"
    assert row in text
    assert "So is XGBoost on german (0.5100)." in text
    assert "2026-11-20, commit c, 2 cores of x. Other columns: `bench/results/run`, 2026-11-17, 2 cores of y." in text


def test_the_table_of_public_tables() -> None:
    libraries = ["induce", *figures.PEERS]
    nll = {"induce": 0.3, "CatBoost": 0.2, "LightGBM": 0.4, "logistic": 0.5, "LightGBM, stopped": 0.4}
    records = [
        {"table": "t", "fold": fold, "library": name, "nll": x, "processor_seconds": 1.0}
        for fold in range(2)
        for name, x in nll.items()
    ]
    table = figures.page(figures.complete([*records, {**records[0], "fold": 2}], libraries), libraries)
    assert "| t | 2 | 0.3000 | **0.2000** |" in table
    assert "| CatBoost | 0 of 1 | 0 of 2, 0% | 1.500 | 1.500 | 1.00 |" in table
    assert "t 1.50. 1 tables, 2 pairs of table and fold, 2026-11-18" in table
    dated = [{**record, "when": "2026-11-20T00:00:00Z", "commit": "c"} for record in records]
    assert "2026-11-20, commit c." in figures.page(figures.complete(dated, libraries), libraries)


RUN = {"when": "2026-11-20T00:00:00Z", "machine": {"cores": 2, "cpu": "x"}, "commit": "c", "processor_seconds": 60.0}


def test_the_table_of_answers() -> None:
    stated = [0.5, 0.7, 0.3]
    records = [
        {"problem": "trials", "seed": seed, "stated": x, "new": 0.5, "true": 0.375, **RUN}
        for seed, x in enumerate(stated)
    ]
    text = answers.table([{**records[0], "stated": 9.0}, *records])
    # Oracle: mean 0, standard deviation .2 and its error .2/sqrt(3) of 0, .2 and -.2.
    row = "| trials | trials: stated NLL less that of new rows | 3 | 0.0000 (0.115) | -0.200 | 0.200 |"
    assert row in text
    assert "| 3 | 0.125 (0.0000) | 0.125 | 0.125 |" in text
    assert text.endswith("3 cells, 3 minutes of the processor, 2026-11-20, commit c, 2 cores of x.")
    panel = {"stated_groups": 0.625, "new_groups": 0.5, "error_groups": 0.0625}
    assert answers.z_squared("groups")(panel) == 4


def test_the_table_of_ranked_rows() -> None:
    def start(number: int, random: float, less: float) -> lines.Record:
        ranked = [random + 0.1 - 0.02 * k - less for k in range(11)]
        return {"table": "magic", "start": number, "random_300": 0.75, "random_500": random, "ranked": ranked, **RUN}

    pool = {"table": rank.POOL, "rows": 1000, "columns": 8, "m": 50, "predict_seconds": 0.25, **RUN}
    pools = [{**pool, "start": k, "rank_seconds": x} for k, x in enumerate((0.5, 0.75, 3.0))]
    text = rank.table([start(0, 0.5, 0.0), start(1, 0.4, 0.02), *pools])
    # Oracle: the mean is .54 - .02 k, and .45 of random ones after 50 + 5 * 25 = 175 labels; gains .1 and .12, .35 and .47.
    assert "| magic | 2 | 0.7500 | 0.4500 | 0.4400 | 0.3400 | +0.4100 (0.0600) | +0.1100 (0.0100) | 175 |" in text
    assert "1,000 rows of 8 columns in memory, m = 50: `predict_proba` takes 0.25 s" in text
    assert "predicts too, 0.75 s (medians of 3). All: 5 minutes of the processor, 2026-11-20" in text
    assert "**not by 300**" in rank.table([start(0, 0.5, -0.2)])


def test_a_cell_of_the_results() -> None:
    ours = {"status": "done", "curve": [[1.0, 0.5], [2.0, 0.3]], "best": {"seconds": 2.0, "nll": 0.3},
            "final": {"seconds": 2.0, "nll": 0.3}, "seconds": 2.0}  # fmt: skip
    peer = {"status": "error", "best": {"seconds": 30.0, "nll": 0.4}}
    found = {("x", "induce"): ours, ("x", "induce-auto"): ours, ("x", "peer"): peer}
    assert results.gaussian_cell(found, "x", "peer") == "0.4000 at 30 s, then error (15x, 15x)"
    assert results.gaussian_cell(found, "x", "other") == "-"
    peer["best"] = {"seconds": 30.0, "nll": 0.2}
    assert results.gaussian_cell(found, "x", "peer") == "**0.2000** at 30 s, then error (never, never)"
    assert results.gaussian_cell({("x", "p"): {"status": "time limit"}}, "x", "p") == "none (time limit)"
    assert results.end_cell(ours, 0.31) == "**0.3000** in 2 s"
