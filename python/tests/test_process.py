"""Effects of a fit on its process: other threads, Ctrl-C, memory, imports."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from induce import GPClassifier


def test_import_is_quick_and_light():
    code = (
        "import time, sys; begin = time.perf_counter(); import induce; seconds = time.perf_counter() - begin;"
        "print(seconds, *[name for name in ('matplotlib', 'pandas', 'polars', 'sklearn') if name in sys.modules])"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split() for _ in range(3)]
    assert all(run[1:] == [] for run in runs)
    assert min(float(run[0]) for run in runs) < 0.3


def test_estimator_needs_no_matplotlib():
    code = "import sys; from induce import GPClassifier, plot; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


def test_another_thread_runs_during_a_fit(large):
    X, y = large
    worker = threading.Thread(target=GPClassifier(inducing=50).fit, args=(X, y))
    worker.start()
    gaps, last = [], time.monotonic()
    while worker.is_alive():
        time.sleep(0.001)
        gaps.append(time.monotonic() - last)
        last = time.monotonic()
    worker.join()
    assert len(gaps) > 20
    assert np.median(gaps) < 0.05  # if fit held the GIL, there would be one gap as long as the fit


def test_ctrl_c_keeps_the_best_model(large):
    X, y = large
    begun = threading.Event()

    def interrupt():
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    classifier = GPClassifier(inducing=300, callback=lambda progress: begun.set())  # runs for many seconds
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore SIGINT
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            classifier.fit(X, y)
    finally:
        signal.signal(signal.SIGINT, before)
    assert classifier.status_ == "interrupted"
    assert len(classifier.history_["bound"]) == classifier.n_iter_ >= 1
    assert classifier.predict_proba(X[:5]).shape == (5, 2)


def test_callback_sees_every_iteration_and_can_stop(banana):
    seen = []

    def stop_at_three(progress):
        seen.append(progress)
        return progress["iteration"] < 3

    classifier = GPClassifier(callback=stop_at_three).fit(*banana)
    assert classifier.status_ == "interrupted"
    assert [progress["iteration"] for progress in seen] == [1, 2, 3]
    assert [progress["bound"] for progress in seen] == list(classifier.history_["bound"])


def test_callback_exception_propagates(banana):
    def fail(progress):
        raise LookupError("from the callback")

    with pytest.raises(LookupError, match="from the callback"):
        GPClassifier(callback=fail).fit(*banana)


def resident_bytes() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_repeated_fits_do_not_leak_memory(banana):
    X, y = np.tile(banana[0], (10, 1)), np.tile(banana[1], 10)
    X = X + np.random.default_rng(0).normal(scale=0.01, size=X.shape)

    def fit_and_forget():
        GPClassifier(inducing=30, callback=lambda progress: progress["iteration"] < 5).fit(X, y).predict_proba(X)

    for _ in range(20):
        fit_and_forget()
    before = resident_bytes()
    for _ in range(100):
        fit_and_forget()
    assert resident_bytes() - before < 4 << 20  # leaking one table per fit would be 5 MB, one model 2 MB
