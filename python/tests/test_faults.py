"""External faults: full disks, unreadable or changing input, no memory, blocked terminals, signals, concurrency. Each
must end with a one-line message and the right exit status, and leave existing files unchanged. The program under test
is INDUCE_COMMAND if set, otherwise `python -m induce`."""

import gzip
import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

NAMED = "INDUCE_COMMAND" in os.environ
COMMAND = [str(Path(os.environ["INDUCE_COMMAND"]).resolve())] if NAMED else [sys.executable, "-m", "induce"]
QUICK = ["--method", "vi-jj", "--inducing", "30", "--max-iter", "3"]
GIGABYTE = 1 << 30


def write_table(path: Path, rows: int, features: int = 3, seed: int = 0) -> Path:
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, features))
    y = np.where(X[:, 0] * X[:, 1] + random.normal(size=rows) > 0, "yes", "no")
    with path.open("w") as file:
        file.write(",".join(f"x{f}" for f in range(features)) + ",label\n")
        for row, label in zip(X, y, strict=True):
            file.write(",".join(f"{value:.6g}" for value in row) + f",{label}\n")
    return path


@pytest.fixture
def folder(tmp_path):
    write_table(tmp_path / "table.csv", 300)
    for name in ("model", "summary", "answers"):
        (tmp_path / name).write_text("old")
    return tmp_path


def start(folder, *arguments, limit=None, **how):
    """`limit` is an option of prlimit: --fsize=BYTES for files, --as=BYTES for address space."""
    limited = ["prlimit", limit, "--"] if limit else []
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL} | how
    return subprocess.Popen([*limited, *COMMAND, *map(str, arguments)], cwd=folder, text=True, **how)


def run(folder, *arguments, **how):
    with start(folder, *arguments, **how) as process:
        try:
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def expect_one_line(done, status, *parts):
    assert done.returncode == status, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("induce: ")
    for part in parts:
        assert part in done.stderr


# ------------------------------------------------------------------------------------------------ disks


@pytest.mark.parametrize(
    ("option", "name", "most"), [("-o", "model", 8192), ("--json", "summary", 512), ("--trace", "new trace", 200)]
)
def test_full_disk_during_a_fit(folder, option, name, most):
    before = contents(folder)
    done = run(folder, "fit", "table.csv", *QUICK, option, name, limit=f"--fsize={most}")
    expect_one_line(done, 1, name, "File too large")
    after = contents(folder)
    after.pop("new trace", None)  # written line by line: the lines that fit remain
    assert after == before


def test_full_disk_during_predictions(folder):
    assert run(folder, "fit", "table.csv", *QUICK, "-o", "model").returncode == 0
    before = contents(folder)
    done = run(folder, "predict", "model", "table.csv", "-o", "answers", limit="--fsize=4096")
    expect_one_line(done, 1, "answers", "File too large")
    assert contents(folder) == before


def test_summary_write_failure_keeps_the_model(folder):
    (folder / "few.csv").write_text("x,label\n" + "0,no\n1,yes\n0,yes\n1,no\n" * 20)  # its model is smaller than the summary
    small = ["--method", "vi-jj", "--inducing", "1", "--max-iter", "3"]
    done = run(folder, "fit", "few.csv", *small, "-o", "model", "--json", "summary", limit="--fsize=5000")
    expect_one_line(done, 1, "--json")
    assert (folder / "summary").read_text() == "old"
    assert run(folder, "info", "model").returncode == 0


def test_disk_without_space(folder):
    """A 100 kB file system with room for the table but not for the model."""
    (folder / "disk").mkdir()
    script = (
        "mount -t tmpfs -o size=100k none disk || exit 77; cp table.csv disk; cd disk; printf old >model;"
        '"$@" fit table.csv --method vi-jj --inducing 100 --max-iter 2 -o model; status=$?;'
        'test "$(ls -A)" = "model\ntable.csv" && test "$(cat model)" = old || exit 78; exit $status'
    )
    isolated = ["unshare", "--mount", "sh", "-c", script, "sh", *COMMAND]
    done = subprocess.run(isolated, cwd=folder, capture_output=True, text=True)
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("mounting a file system is not permitted")
    expect_one_line(done, 1, "model", "No space left on device")


# ------------------------------------------------------------------------------------------------ input


def test_input_that_cannot_be_opened(folder):
    (folder / "empty").mkdir()
    before = contents(folder)
    expect_one_line(run(folder, "fit", "absent.csv", "-o", "model"), 1, "absent.csv", "No such file")
    expect_one_line(run(folder, "fit", "empty", "-o", "model"), 1, "the folder 'empty' has no files")
    assert contents(folder) == before


def test_input_without_permission(folder):
    (folder / "table.csv").chmod(0)
    someone_else = {"user": 65534} if os.geteuid() == 0 else {}
    for parent in [folder, *folder.parents][:3] if someone_else else []:
        parent.chmod(0o777)
    try:
        if run("/", "--version", **someone_else).returncode != 0:
            pytest.skip("other users cannot run the program")
    except PermissionError:
        pytest.skip("other users cannot run the program")
    expect_one_line(run(folder, "fit", "table.csv", **someone_else), 1, "table.csv", "Permission denied")


def test_pipe_without_writer_waits_and_can_be_ended(folder):
    """Like any reader of a pipe. Nothing has been computed yet, so the signal ends the program at once."""
    os.mkfifo(folder / "pipe")
    before = contents(folder)
    process = start(folder, "fit", "pipe", "-o", "model", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    assert process.poll() is None
    process.terminate()
    assert process.wait(timeout=5) == 128 + signal.SIGTERM
    assert contents(folder) == before


def test_file_that_changes_while_it_is_read(folder):
    """The file is truncated and extended continuously: it must be rejected, and no signal may end the program."""
    path = folder / "restless.csv"
    path.write_text("1.25,2.5,a\n2.25,1.5,b\n" * 4_000_000)
    size, end = path.stat().st_size, threading.Event()

    def change():
        while not end.is_set():
            os.truncate(path, size // 2)
            os.truncate(path, size)
            time.sleep(0.001)

    changer = threading.Thread(target=change)
    changer.start()
    try:
        done = run(folder, "fit", path.name, "-o", "model")
    finally:
        end.set()
        changer.join()
    expect_one_line(done, 1, "changed while being read")
    assert (folder / "model").read_text() == "old"


@pytest.mark.parametrize("cut", [10, 0.5, -4])
def test_truncated_compressed_file(folder, cut):
    packed = gzip.compress((folder / "table.csv").read_bytes())
    (folder / "table.csv.gz").write_bytes(packed[: int(cut * len(packed)) if cut == 0.5 else cut])
    expect_one_line(run(folder, "fit", "table.csv.gz", "-o", "model"), 1, "gzip", "truncated")


def test_compressed_file_larger_than_memory(folder):
    """A 4 MB file that decompresses to 4 GB, with a limit of 1 GB."""
    (folder / "bomb.csv.gz").write_bytes(256 * gzip.compress(bytes(1 << 24)))
    done = run(folder, "fit", "bomb.csv.gz", "-o", "model", limit=f"--as={GIGABYTE}")
    expect_one_line(done, 1, "memory")
    assert (folder / "model").read_text() == "old"


# ------------------------------------------------------------------------------------------------ memory


def test_table_larger_than_any_memory(folder):
    (folder / "wide.svm").write_text("1 1:1 999999999999:1\n0 1:2\n")
    expect_one_line(run(folder, "fit", "wide.svm", "-o", "model"), 1, "999999999999", "at most 20000000 columns")


def test_fit_larger_than_memory_is_rejected_before_it_starts(folder):
    write_table(folder / "long.csv", 60_000, 2)
    begin = time.monotonic()
    done = run(folder, "fit", "long.csv", "--inducing", "60000", "-o", "model", limit=f"--as={4 * GIGABYTE}")
    expect_one_line(done, 1, "the fit needs about", "fewer inducing inputs")
    assert time.monotonic() - begin < 20
    assert (folder / "model").read_text() == "old"


@pytest.mark.skipif(not NAMED, reason="Python itself needs more than these limits")
@pytest.mark.parametrize("command", ["fit", "predict"])
def test_out_of_memory_is_always_an_error(folder, command):
    """Address-space limits range from barely loading the program to success, so that allocations fail in different
    places and threads. Each run must succeed or print one line: no signal, no hang, no partial file."""
    write_table(folder / "long.csv", 20_000, 8)
    assert run(folder, "fit", "table.csv", *QUICK, "-o", "small").returncode == 0
    if command == "fit":
        arguments = ["fit", "long.csv", "--inducing", "200", "--max-iter", "2", "--memory", "200MB", "-o", "model"]
    else:
        arguments = ["predict", "small", "table.csv", "-o", "answers"]
    before, statuses = contents(folder), set()
    for megabytes in [*range(300, 1000, 50), *range(1000, 2001, 250)]:
        limit = f"--as={megabytes << 20}"
        if run(folder, "--version", limit=limit).returncode != 0:
            continue  # the libraries cannot be loaded
        done = run(folder, *arguments, limit=limit)
        statuses.add(done.returncode)
        if done.returncode != 0:
            expect_one_line(done, 1)
            assert contents(folder) == before
        else:
            for name in ("model", "answers"):
                (folder / name).write_text("old")
    assert statuses == {0, 1}


# ------------------------------------------------------------------------------------------------ terminals


def full(ends):
    """Both ends of a terminal or pipe whose buffer is full."""
    reader, writer = ends
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, b"x" * 256)
    except BlockingIOError:
        pass
    os.set_blocking(writer, True)
    return reader, writer


def test_blocked_terminal_does_not_delay_a_fit(folder):
    reader, writer = full(pty.openpty())
    done = run(folder, "fit", "table.csv", *QUICK, "-o", "model", stderr=writer)
    assert done.returncode == 0
    assert run(folder, "info", "model").returncode == 0
    os.close(reader)
    os.close(writer)


def test_unread_summary_does_not_delay_the_model(folder):
    reader, writer = full(os.pipe())
    process = start(folder, "fit", "table.csv", *QUICK, "-o", "model", stdout=writer, stderr=writer)
    try:
        deadline = time.monotonic() + 30
        while (folder / "model").read_bytes() == b"old" and time.monotonic() < deadline:
            time.sleep(0.05)
        assert run(folder, "info", "model").returncode == 0
    finally:
        process.kill()
        process.wait()
        os.close(reader)
        os.close(writer)


def test_closed_standard_streams(folder):
    script = '"$@" fit table.csv --method vi-jj --inducing 5 --max-iter 2 -o model <&- >&- 2>&-'
    assert subprocess.run(["sh", "-c", script, "sh", *COMMAND], cwd=folder).returncode == 0
    assert run(folder, "info", "model").returncode == 0


# ------------------------------------------------------------------------------------------------ signals


def wait_for_lines(path, count, process):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if path.exists() and path.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.01)
    raise AssertionError(f"{path} did not get {count} lines")


def expect_interrupted(folder, process):
    assert process.wait(timeout=30) == 0
    assert json.loads((folder / "summary").read_text())["status"] == "interrupted"
    assert run(folder, "info", "model").returncode == 0
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


LONG = ["--inducing", "400", "-o", "model", "--json", "summary", "--trace", "trace"]  # takes minutes if not stopped


@pytest.mark.parametrize("unread", [False, True])
def test_sigterm_keeps_the_best_model(folder, unread):
    """Also when its message cannot be written because nothing reads stderr."""
    write_table(folder / "long.csv", 20_000, 8)
    reader, writer = full(os.pipe()) if unread else os.pipe()
    process = start(folder, "fit", "long.csv", *LONG, stderr=writer, stdout=subprocess.DEVNULL)
    try:
        wait_for_lines(folder / "trace", 1, process)
        process.terminate()
        expect_interrupted(folder, process)
    finally:
        process.kill()
        os.close(reader)
        os.close(writer)


def test_sigterm_as_the_first_process_of_a_container(folder):
    """The kernel does not deliver signals without a handler to process 1."""
    write_table(folder / "long.csv", 20_000, 8)
    if subprocess.run(["unshare", "--pid", "--fork", "true"], capture_output=True).returncode != 0:
        pytest.skip("creating a container is not permitted")
    isolated = ["unshare", "--pid", "--fork", "--kill-child", *COMMAND, "fit", "long.csv", "--quiet", *LONG]
    process = subprocess.Popen(isolated, cwd=folder)
    try:
        wait_for_lines(folder / "trace", 1, process)
        first = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0]
        assert re.search(r"^NSpid:.*\t1$", Path(f"/proc/{first}/status").read_text(), re.MULTILINE)
        os.kill(int(first), signal.SIGTERM)
        expect_interrupted(folder, process)
    finally:
        process.kill()


def test_budgets_use_only_the_steady_clock():
    """Setting the system clock must not affect budgets."""
    sources = [path for part in ("src", "cli", "include") for path in (Path(__file__).parents[2] / part).rglob("*.?pp")]
    wall_clock = re.compile(r"system_clock|high_resolution_clock|gettimeofday|CLOCK_REALTIME|\btime\((nullptr|NULL|0)\)")
    assert [str(path) for path in sources if wall_clock.search(path.read_text())] == []


# ------------------------------------------------------------------------------------------------ concurrency


def test_many_processes_share_files(folder):
    """Four processes keep replacing a model while four predict with it: every reader sees a complete model."""
    assert run(folder, "fit", "table.csv", *QUICK, "-o", "model").returncode == 0

    def keep_fitting(seed):
        return [run(folder, "fit", "table.csv", *QUICK, "--seed", seed, "-o", "model").returncode for _ in range(5)]

    def keep_predicting(_):
        done = [run(folder, "predict", "model", "table.csv") for _ in range(10)]
        return [one.returncode if len(one.stdout.splitlines()) == 301 else one.stderr for one in done]

    with ThreadPoolExecutor(8) as pool:
        statuses = [pool.submit(keep_fitting if k < 4 else keep_predicting, k) for k in range(8)]
        assert all(set(each.result()) == {0} for each in statuses)
    assert sorted(contents(folder)) == ["answers", "model", "summary", "table.csv"]
