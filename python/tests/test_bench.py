"""The metrics and records of bench/. Oracles: scikit-learn's metrics and hand-computed cases."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics

ROOT = Path(__file__).resolve().parents[2]
if not (ROOT / "bench" / "peers").is_dir():
    pytest.skip("the benchmarks are not part of the source package", allow_module_level=True)
sys.path.insert(0, str(ROOT))

from bench.data import fetch, rows  # noqa: E402
from bench.peers.clock import Clock  # noqa: E402
from bench.peers.metrics import compute_metrics  # noqa: E402
from bench.peers.tables import reached, row, time_to_equal  # noqa: E402
from bench.support import lines  # noqa: E402
from bench.support.induce_fit import thin  # noqa: E402


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
