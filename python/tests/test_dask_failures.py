"""induce.dask when something goes wrong: what ends a fit, what it survives, and what its errors say."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from dask_cluster import LARGE, SMALL, bytes_of, da, dask, dd, distributed, numbers, pd, quiet, running, start
from sklearn.base import clone

import induce
from induce.dask import GPClassifier, WorkerLost
from induce.dask._cluster import Cluster

# Dask drops the coroutine of a future whose worker was lost; Python warns of it at any later time.
pytestmark = pytest.mark.filterwarnings("ignore:.*ActorFuture._result:pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def _quiet():
    with quiet():
        yield


@pytest.fixture(scope="module")
def client():
    with running(4) as client:
        yield client


def test_callback_stops_and_its_errors_come_out(client):
    X, y, _ = numbers()
    x, labels = da.from_array(X, chunks=(300, 3)), da.from_array(y, chunks=300)
    stopped = GPClassifier(client, callback=lambda now: now["iteration"] < 3, **LARGE).fit(x, labels)
    assert stopped.status_ == "interrupted"

    def fail(now):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        GPClassifier(client, callback=fail, **LARGE).fit(x, labels)


# The signal may hit a destructor of Dask's, where Python can only warn and forgets it: one of three must arrive.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_keeps_the_best_model(client):
    X, y, _ = numbers()
    classifier = GPClassifier(client, sample_rows=1000)

    def press(now):
        if now["iteration"] == 5:
            threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()

    classifier.callback = press
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore SIGINT
    for _ in range(3):
        try:
            classifier.fit(da.from_array(X, chunks=(300, 3)), da.from_array(y, chunks=300))
        except KeyboardInterrupt:
            break
    signal.signal(signal.SIGINT, before)
    assert classifier.status_ == "interrupted"


def test_errors_say_what_is_wrong(client):
    X, y, weight = numbers()
    x, labels = da.from_array(X, chunks=(300, 3)), da.from_array(y, chunks=300)
    new = GPClassifier(client, **SMALL)
    with pytest.raises(TypeError, match="X is a ndarray: must be a dask array or DataFrame"):
        new.fit(X, labels)
    with pytest.raises(TypeError, match="y is a ndarray: must be a dask array or Series"):
        new.fit(x, y)
    with pytest.raises(induce.Error, match="y has 500 rows: must have 1200, as X has"):
        new.fit(x, labels[:500])
    with pytest.raises(induce.Error, match="two classes are needed"):
        new.fit(x, da.zeros(1200, dtype=int))
    with pytest.raises(induce.Error, match=r"sample_weight is -1\.0 in row \d+: must be"):
        new.fit(x, labels, da.from_array(np.where(weight > 1, -1, weight)))
    with pytest.raises(induce.Error, match="sample_weight is zero for every row"):
        new.fit(x, labels, da.zeros(1200))
    with pytest.raises(ValueError, match="infinity"):
        new.fit(da.from_array(np.where(X > 2, np.inf, X)), labels)
    with pytest.raises(ValueError, match="Unknown label type"):
        new.fit(x, da.from_array(weight + np.arange(1200) / 7))
    with pytest.raises(induce.Error, match="inducing = -3"):
        clone(new).set_params(inducing=-3).fit(x, labels)
    with pytest.raises(induce.Error, match="n_workers = 0"):
        clone(new).set_params(n_workers=0).fit(x, labels)
    with pytest.raises(induce.Error, match="its rows must be in one process"):
        clone(new).set_params(method="svi-lbfgs").fit(x, labels)
    with pytest.raises(ZeroDivisionError):  # of a task
        new.fit(x.map_blocks(lambda block: block / 0 if len(block) == 1 else 1 // 0, dtype=float), labels)


def test_a_missing_package_is_named():
    code = "import sys; sys.modules['distributed'] = None; import induce; assert 'dask' not in sys.modules; import induce.dask"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "ImportError: induce.dask needs dask and distributed" in done.stderr
    assert "pip install 'induce[dask]'" in done.stderr


@pytest.mark.parametrize("sample_rows", [1 << 19, 1000], ids=["small", "large"])
def test_a_fit_survives_a_worker_that_dies(client, sample_rows, tmp_path):
    X, y, weight = numbers(1500)
    parameters = {"inducing": 20, "max_iter": 40, "sample_rows": sample_rows}
    want = bytes_of(induce.GPClassifier(**parameters).fit(X, y, weight))
    often = {"checkpoint": tmp_path / "state", "checkpoint_every": 0.1}
    for checkpoint in [often] if sample_rows > len(y) else [{}, often]:
        seconds = np.random.default_rng().uniform(0, 1.5)
        client.wait_for_workers(2, timeout=30)  # Dask does not always replace those that were killed
        pid = next(iter(client.run(os.getpid, on_error="ignore").values()))
        killer = threading.Timer(seconds, os.kill, (pid, signal.SIGKILL))
        killer.start()
        three = (da.from_array(each, chunks=200) for each in (X, y, weight))
        fitted = GPClassifier(client, **parameters, **checkpoint).fit(*three)
        assert bytes_of(fitted) == want, seconds
        killer.join()
        time.sleep(0.5)  # until the scheduler knows


def test_a_worker_may_die_when_it_has_just_got_its_rows(client, monkeypatch):
    """Dask gives its actor an error then, where it was a result before."""
    client.wait_for_workers(2, timeout=30)
    result, killed = Cluster.result, []

    def kill_before(self, future, where=None):
        if where is not None and not killed:
            distributed.wait(future, timeout=30)
            killed.append(where)
            os.kill(client.run(os.getpid, workers=[where])[where], signal.SIGKILL)
            while future.status == "finished":
                time.sleep(0.05)
        return result(self, future, where)

    monkeypatch.setattr(Cluster, "result", kill_before)
    X, y, _ = numbers(1500)
    parts = (da.from_array(each, chunks=200) for each in (X, y))
    fitted = GPClassifier(client, **LARGE).fit(*parts)
    assert killed
    assert bytes_of(fitted) == bytes_of(induce.GPClassifier(**LARGE).fit(X, y))


def test_partitions_that_are_lost_end_the_fit(client, monkeypatch):
    """Scattered data has no recipe: only its worker had it."""
    monkeypatch.setattr("induce.dask._cluster.PATIENCE", 3.0)
    client.wait_for_workers(2, timeout=30)
    X, y, _ = numbers(1500)
    worker, pid = next(iter(client.run(os.getpid).items()))
    pieces = [client.scatter(X[k : k + 500], workers=[worker], hash=False) for k in (0, 500, 1000)]
    blocks = [da.from_delayed(dask.delayed(piece), (500, 3), float) for piece in pieces]
    killed = []

    def kill(now):
        if now["iteration"] == 5:
            os.kill(pid, signal.SIGKILL)
            killed.append(time.monotonic())

    with pytest.raises(WorkerLost, match="cannot be computed again"):
        GPClassifier(client, callback=kill, sample_rows=1000).fit(
            da.concatenate(blocks), da.from_array(y, chunks=500)
        )
    assert time.monotonic() - killed[0] < 30


def test_types_of_partitions_must_agree(client):
    parts = [dask.delayed(pd.DataFrame)({"a": [1.0, 2.0]}), dask.delayed(pd.DataFrame)({"a": ["x", "y"]})]
    x = dd.from_delayed(parts, meta={"a": float}, verify_meta=False)
    with pytest.raises(induce.Error, match="column 'a' has numbers in one partition and texts in another"):
        GPClassifier(client).fit(x, da.from_array(np.array([0, 1, 0, 1]), chunks=2))


def test_a_fit_without_workers_ends(monkeypatch):
    monkeypatch.setattr("induce.dask._cluster.PATIENCE", 3.0)
    X, y, _ = numbers(1500)
    x, labels = da.from_array(X, chunks=200), da.from_array(y, chunks=200)
    cluster, client = start(2)
    seen = []

    def end_workers(now):
        if now["iteration"] == 3:
            cluster.scale(0)  # nobody starts others
            seen.append(time.monotonic())

    try:
        with pytest.raises(WorkerLost, match="no workers for 3 s"):
            GPClassifier(client, sample_rows=1000, callback=end_workers).fit(x, labels)
        assert time.monotonic() - seen[0] < 15
    finally:
        client.close()
        cluster.close()
