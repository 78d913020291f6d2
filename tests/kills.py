"""Kills with SIGKILL at random moments. Oracle: the bytes of a run that was never killed.

python tests/kills.py [COUNT] [KIND...]   COUNT (default 200) kills of each kind; needs INDUCE_COMMAND
  fit     `induce fit --checkpoint`, resumed until it ends
  files   the same of a table whose rows are in scratch files, with terms
  update  `induce update MODEL -o MODEL`: the file is the old model or the new one, and another run gives the new one
  rank    one of three ranks of an MPI job: the job ends with an error within 30 s, and another one resumes
  dask    one of three workers: the fit goes on to the same bytes, or ends with a WorkerLost within 30 s

Prints a line for each kind and ends with status 1 if a promise was broken.
"""

import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

COMMAND = Path(os.environ.get("INDUCE_COMMAND", "build/induce")).resolve()
PATIENCE = 30.0  # seconds
PLAIN = ["--inducing=60", "--kernel=se", "--threads=1", "--quiet"]
FILES = ["--inducing=15", "--kernel=se+mains+pairs", "--max-iter=60", "--threads=1", "--quiet"]
FILES += ["--sample-rows=1000", "--memory=200MB", "--scratch=.", "--drop=note"]  # the file is too large for 200 MB


class BrokenPromiseError(Exception):
    """Of those above."""


def write_table(path: Path, rows: int, seed: int, note: int = 0) -> None:
    """With a column of so many characters."""
    draw = random.Random(seed)
    long = "," + note * "x" if note else ""
    with path.open("w") as file:
        file.write(f"a,b,job,class{',note' if note else ''}\n")
        for _ in range(rows):
            a, b, job = draw.gauss(0, 1), draw.gauss(0, 1), draw.choice(["cook", "smith", ""])
            right = 1.5 * a * b + (job == "cook") + draw.gauss(0, 1) > 0
            file.write(f"{a:.6f},{b:.6f},{job},{'right' if right else 'left'}{long}\n")


def started(command: list, folder: Path) -> subprocess.Popen:
    return subprocess.Popen(
        [str(each) for each in command],
        cwd=folder,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def induce(folder: Path, *arguments, kill_after: float | None = None) -> bool:
    """False if it was killed. Whatever else ends it breaks a promise."""
    job = started([COMMAND, *arguments], folder)
    try:
        _, messages = job.communicate(timeout=kill_after if kill_after is not None else 300)
    except subprocess.TimeoutExpired:
        job.kill()
        job.communicate()
        if kill_after is None:
            raise BrokenPromiseError(f"{arguments}: did not end") from None
        return False
    if job.returncode:
        raise BrokenPromiseError(f"{arguments}: status {job.returncode}: {messages}")
    return True


def timed(folder: Path, *arguments) -> float:
    began = time.monotonic()
    induce(folder, *arguments)
    return time.monotonic() - began


def kill_fits(folder: Path, count: int, options: list, note: int = 0) -> str:
    write_table(folder / "table.csv", 4000, 1, note)
    seconds = timed(folder, "fit", "table.csv", *options, "--label=class", "-o", "whole")
    whole, known = (folder / "whole").read_bytes(), set(os.listdir(folder))
    begin = ["fit", "table.csv", *options, "--label=class", "-o", "model", "--checkpoint=state", "--every=0"]
    state, model = folder / "state", folder / "model"
    kills = fits = resumed = 0
    while kills < count:
        there = state.exists()
        resumed += there
        # The time grows, so that the loop ends on a slow machine.
        after = seconds * random.uniform(0, 1.2) * (1 + kills / count)
        if not induce(folder, *(["fit", "--resume=state", "--quiet"] if there else begin), kill_after=after):
            kills += 1
            if model.exists() and model.read_bytes() != whole:
                raise BrokenPromiseError(f"a part of a model after kill {kills}")
            continue
        if model.read_bytes() != whole:
            raise BrokenPromiseError(f"another model after kill {kills}")
        left = set(os.listdir(folder)) - known - {"state", "model"}
        if left:
            raise BrokenPromiseError(f"files left: {left}")
        fits += 1
        state.unlink()
        model.unlink()
    return f"{resumed} starts from a checkpoint, {fits} fits to their end, all with the same bytes"


def kill_updates(folder: Path, count: int) -> str:
    write_table(folder / "old.csv", 1000, 1)
    write_table(folder / "new.csv", 60_000, 2)
    induce(folder, "fit", "old.csv", "-o", "old", "--kernel=se+mains", "--inducing=40", "--threads=1", "--quiet")
    update = ["update", "model", "new.csv", "-o", "model", "--quiet", "--threads=1"]
    old, model = (folder / "old").read_bytes(), folder / "model"
    model.write_bytes(old)
    seconds = timed(folder, *update)
    new, known = model.read_bytes(), set(os.listdir(folder))
    kills = replaced = left = 0
    while kills < count:
        model.write_bytes(old)
        if induce(folder, *update, kill_after=seconds * random.uniform(0, 1.1)):
            continue
        kills += 1
        if model.read_bytes() not in (old, new):
            raise BrokenPromiseError(f"a part of a model after kill {kills}")
        replaced += model.read_bytes() == new
        rest = set(os.listdir(folder)) - known
        left += bool(rest)
        model.write_bytes(old)
        if kills % 10 == 0 and (not induce(folder, *update) or model.read_bytes() != new):
            raise BrokenPromiseError(f"another model after kill {kills}")
        for name in rest:
            with contextlib.suppress(FileNotFoundError):
                (folder / name).unlink()
    return f"{replaced} times the new model was there, otherwise the old one, whole; a temporary file {left} times"


def ranks_of(job: int) -> list[int]:
    ranks = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            parent = re.search(r"^PPid:\s*(\d+)", (process / "status").read_text(), re.MULTILINE)
            if parent and int(parent[1]) == job and b"induce-mpi" in (process / "cmdline").read_bytes():
                ranks.append(int(process.name))
    return sorted(ranks)


def kill_ranks(folder: Path, count: int) -> str:
    as_root = ["--allow-run-as-root"] if os.getuid() == 0 else []
    mpirun = ["mpirun", *as_root, "--oversubscribe", "-n", 3, COMMAND.with_name("induce-mpi")]
    write_table(folder / "table.csv", 3000, 1)
    options = [*PLAIN, "--sample-rows=1000"]
    induce(folder, "fit", "table.csv", *options, "-o", "whole")
    whole, state, model = (folder / "whole").read_bytes(), folder / "state", folder / "model"
    begin = [*mpirun, "fit", "table.csv", *options, "-o", "model", "--checkpoint=state", "--every=0"]
    began = time.monotonic()
    started(begin, folder).communicate(timeout=300)
    seconds = time.monotonic() - began
    kills = fits = slowest = resumed = 0
    while kills < count:
        for path in (state, model):
            path.unlink(missing_ok=True)
        job = started(begin, folder)
        moment = time.monotonic() + random.uniform(0.1, 1) * seconds
        while time.monotonic() < moment and job.poll() is None:
            time.sleep(0.005)
        ranks = ranks_of(job.pid)
        victim = None
        if job.poll() is None and ranks:
            victim = random.choice(ranks)
            with contextlib.suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
        killed = time.monotonic()
        try:
            _, messages = job.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            for process in [*ranks_of(job.pid), job.pid]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            raise BrokenPromiseError(f"the job did not end within {PATIENCE} s after kill {kills + 1}") from None
        if job.returncode == 0:  # it was at its end
            fits += 1
        # The second is what mpirun says of a rank that has not begun.
        elif victim is None or not re.search("signal 9|the job has been aborted", messages):
            raise BrokenPromiseError(f"after kill {kills}: status {job.returncode}: {messages}")
        else:
            kills += 1
            slowest = max(slowest, time.monotonic() - killed)
            if model.exists() and model.read_bytes() != whole:
                raise BrokenPromiseError(f"a part of a model after kill {kills}")
            resumed += state.exists()
            induce(folder, *(["fit", "--resume=state", "--quiet"] if state.exists() else begin[len(mpirun) :]))
        if model.read_bytes() != whole:
            raise BrokenPromiseError(f"another model after kill {kills}")
    return (
        f"the job ended within {slowest:.1f} s; one process went on to the same bytes, {resumed} times "
        f"from a checkpoint; {fits} jobs were at their end"
    )


def kill_workers(_: Path, count: int) -> str:
    import warnings

    import dask.array as da
    import distributed
    import numpy as np

    import induce as package
    from induce.dask import GPClassifier, WorkerLost

    warnings.simplefilter("ignore")
    draw = np.random.default_rng(1)
    X = draw.normal(size=(1500, 3))
    y = (np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + draw.normal(size=1500) / 2 > 0).astype(int)
    parameters = {"inducing": 20, "max_iter": 40, "kernel": "se", "sample_rows": 1000}
    whole = package.GPClassifier(**parameters).fit(X, y).model_.__getstate__()
    kills = same = lost = replaced = 0
    slowest = 0.0
    cluster = client = None
    try:
        while kills < count:
            if client is None:
                cluster = distributed.LocalCluster(
                    n_workers=3,
                    threads_per_worker=1,
                    memory_limit=0,
                    dashboard_address=None,
                    silence_logs=60,
                )
                client = distributed.Client(cluster)
                client.wait_for_workers(3, timeout=120)
                parts = [da.from_array(each, chunks=300) for each in (X, y)]
                began = time.monotonic()
                GPClassifier(client, **parameters).fit(*parts)
                seconds = time.monotonic() - began
            try:
                client.wait_for_workers(2, timeout=PATIENCE)
            except TimeoutError:  # Dask does not always replace workers
                replaced += 1
                client.close()
                cluster.close()
                client = None
                continue
            pid = random.choice(list(client.run(os.getpid, on_error="ignore").values()))
            killed = []

            def kill(pid=pid, killed=killed):
                os.kill(pid, signal.SIGKILL)
                killed.append(time.monotonic())

            killer = threading.Timer(random.uniform(0, seconds), kill)
            killer.start()
            try:
                parts = [da.from_array(each, chunks=300) for each in (X, y)]
                if GPClassifier(client, **parameters).fit(*parts).model_.__getstate__() != whole:
                    raise BrokenPromiseError(f"another model after kill {kills + 1}")
                same += 1
            except WorkerLost:
                lost += 1
            now = time.monotonic()
            killer.join()
            kills += 1
            slowest = max(slowest, now - killed[0])
            if slowest > PATIENCE:
                raise BrokenPromiseError(f"{slowest:.0f} s until the end of the fit after kill {kills}")
            if kills % 25 == 0:
                client.close()
                cluster.close()
                client = None
    finally:
        if client is not None:
            client.close()
            cluster.close()
    return (
        f"{same} fits with the same bytes, {lost} WorkerLost, the end at most {slowest:.1f} s after the kill; "
        f"{replaced} times Dask had not replaced its workers and a new cluster began"
    )


KINDS = {
    "fit": lambda folder, count: kill_fits(folder, count, PLAIN),
    "files": lambda folder, count: kill_fits(folder, count, FILES, note=18_000),
    "update": kill_updates,
    "rank": kill_ranks,
    "dask": kill_workers,
}


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    broken = 0
    for kind in sys.argv[2:] or KINDS:
        folder = Path(tempfile.mkdtemp())
        began = time.monotonic()
        try:
            text = KINDS[kind](folder, count)
        except BrokenPromiseError as what:
            text = f"BROKEN: {what}"
            broken += 1
        finally:
            shutil.rmtree(folder)
        print(f"{kind}: {count} kills in {time.monotonic() - began:.0f} s: {text}", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
