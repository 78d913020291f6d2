"""Kills workers of a Dask cluster at random moments of fits, and compares models with that of one process.

A fit that takes longer than the watchdog's 60 s ends the program with an error. At last all workers are killed, and
none comes back.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import signal
import sys
import threading
import time
import warnings
from contextlib import suppress

import dask.array as da
import numpy as np
from distributed import Client, LocalCluster

import induce
from induce.dask import GPClassifier, WorkerLost

WATCHDOG = 60  # seconds


def table(rows: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    X = random.normal(size=(rows, 4))
    f = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + random.normal(size=rows) / 2
    return X, (f > 0).astype(int)


def kill_after(client: Client, seconds: float) -> threading.Timer:
    """One of the workers."""
    pid = next(iter(client.run(os.getpid, on_error="ignore").values()))
    timer = threading.Timer(seconds, os.kill, (pid, signal.SIGKILL))
    timer.start()
    return timer


def complete(client: Client, cluster: LocalCluster, workers: int) -> None:
    """Dask does not always replace a worker that was killed."""
    with suppress(TimeoutError):
        return client.wait_for_workers(workers, timeout=10)
    cluster.scale(0)
    cluster.scale(workers)
    return client.wait_for_workers(workers, timeout=WATCHDOG)


def timed_fit(client: Client, X: np.ndarray, y: np.ndarray, parameters: dict) -> tuple[GPClassifier, float]:
    began = time.perf_counter()
    chunks = len(X) // 12
    arrays = da.from_array(X, chunks=(chunks, X.shape[1])), da.from_array(y, chunks=chunks)
    faulthandler.dump_traceback_later(WATCHDOG, exit=True)
    try:
        fitted = GPClassifier(client, **parameters).fit(*arrays)
    finally:
        faulthandler.cancel_dump_traceback_later()
    return fitted, time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moments", type=int, default=20, help="fits with a worker killed; default: 20")
    parser.add_argument("--workers", type=int, default=3, help="of the cluster; default: 3")
    parser.add_argument("--rows", type=int, default=20000, help="of the table; default: 20000")
    parser.add_argument("--seed", type=int, default=0, help="of the moments; default: 0")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    X, y = table(arguments.rows)
    random = np.random.default_rng(arguments.seed)
    wrong = 0
    with (
        LocalCluster(
            n_workers=arguments.workers, threads_per_worker=1, dashboard_address=":0", memory_limit=0, silence_logs=50
        ) as cluster,
        Client(cluster) as client,
    ):
        for name, sample_rows in (("gathered", 1 << 19), ("in shards", 1000)):
            parameters = {"inducing": 100, "max_iter": 300, "sample_rows": sample_rows}
            want = induce.GPClassifier(**parameters).fit(X, y).model_.__getstate__()
            _, usual = timed_fit(client, X, y, parameters)
            print(f"rows {name}: {usual:.1f} s without a loss")
            for _ in range(arguments.moments // 2):
                complete(client, cluster, arguments.workers)
                moment = random.uniform(0, 0.8 * usual)
                killer = kill_after(client, moment)
                fitted, seconds = timed_fit(client, X, y, parameters)
                same = fitted.model_.__getstate__() == want
                wrong += not same
                print(
                    f"killed after {moment:5.2f} s: {seconds:5.1f} s, {fitted.report_['shards']} shards at the end, "
                    f"{'the same bytes' if same else 'OTHER BYTES'}"
                    f"{' (the fit was faster)' if seconds < moment else ''}",
                    flush=True,
                )
                killer.join()
                time.sleep(1)  # until the scheduler knows
        complete(client, cluster, arguments.workers)
        cluster.scale(0)
        began = time.perf_counter()
        try:
            timed_fit(client, X, y, parameters)
            wrong += 1
        except WorkerLost as error:
            print(f"all workers gone: WorkerLost ({error}) after {time.perf_counter() - began:.1f} s")
    sys.exit(f"{wrong} fits were wrong" if wrong else 0)


if __name__ == "__main__":
    main()
