"""Faults inside a run of the program: for many k, the k-th call that opens, reads, writes, renames or asks for memory
fails (fault_shim.c). Each run must succeed with the right result or print one line and end with status 1. There must be
no signal, hang, leak or temporary file, and every file is the old one or complete. INDUCE_PROBLEMS=N is the number of
calls tried for each fault of each run; `./go soak faults` tries all."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from test_faults import COMMAND, NAMED, write_table

MOST = int(os.environ.get("INDUCE_PROBLEMS", "8"))
JSON_BLOCKS = 16  # nlohmann-json loses parts of a value whose construction fails
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")

pytestmark = [
    pytest.mark.skipif(not NAMED, reason="Python makes too many calls of its own"),
    pytest.mark.skipif(COMPILER is None, reason="no C compiler"),
]


@dataclass(frozen=True)
class Fault:
    kind: str
    error: int | str
    lasting: bool = False  # all later calls fail too

    @property
    def name(self) -> str:
        error = self.error if isinstance(self.error, str) else errno.errorcode[self.error]
        return f"{self.kind} {error}{' on' if self.lasting else ''}"


FAULTS = [
    Fault("open", errno.EMFILE),
    Fault("open", errno.EMFILE, lasting=True),
    Fault("read", errno.EIO),
    Fault("read", "short"),
    Fault("read", "short", lasting=True),
    Fault("write", errno.ENOSPC),
    Fault("write", errno.ENOSPC, lasting=True),
    Fault("write", "short", lasting=True),
    Fault("sync", errno.EIO),
    Fault("name", errno.EIO),
    Fault("size", errno.EIO),
    Fault("close", errno.EIO),
    Fault("thread", errno.EAGAIN),
    Fault("memory", errno.ENOMEM),
    Fault("memory", errno.ENOMEM, lasting=True),
]

QUICK = ["--method", "vi-jj", "--inducing", "5", "--threads", "2", "--every", "0"]
FILES = ["-o", "model", "--json", "summary", "--trace", "trace", "--checkpoint", "state"]
RUNS = {
    "fit": ["fit", "../table.csv", *QUICK, "--max-iter", "2", *FILES],
    "resume": ["fit", "--resume", "state", "--max-iter", "4", *FILES],
    "scratch": ["fit", "../long.csv.gz", "--inducing", "5", "--max-iter", "2", "--kernel", "se", "--warp", "none"]
    + ["--threads", "2", "--sample-rows", "1000", "--memory", "140MB", "--scratch", ".", *FILES[:4]],
    "predict": ["predict", "model", "../table.csv.gz", "--threads", "2", "--cost", "../costs.json", "-o", "answers"],
    "report": ["report", "model", "--summary", "summary", "-o", "answers"],
    "update": ["update", "model", "../table.csv", "--threads", "2", "-o", "updated", "--json", "summary"],
    "info": ["info", "model"],
}


def write_gzip(path: Path, text: bytes, comment: int = 0) -> None:
    """A long comment stands for a large table: the program takes the size of the file for that of its text."""
    deflate = zlib.compressobj(wbits=-15)
    packed = deflate.compress(text) + deflate.flush()
    sizes = zlib.crc32(text).to_bytes(4, "little") + len(text).to_bytes(4, "little")
    path.write_bytes(b"\x1f\x8b\x08\x10" + bytes(6) + b" " * comment + b"\0" + packed + sizes)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Tables, the shim, and in `old` the files before a run: those of a fit that was stopped, which all runs share."""
    place = tmp_path_factory.mktemp("faults")
    write_table(place / "table.csv", 60, 2)
    write_gzip(place / "table.csv.gz", (place / "table.csv").read_bytes())
    write_gzip(place / "long.csv.gz", write_table(place / "long.csv", 2000, 2).read_bytes(), 10_000_000)
    (place / "costs.json").write_text('{"yes": {"no": 3}}')
    shim = Path(__file__).with_name("fault_shim.c")
    subprocess.run([COMPILER, "-O1", "-shared", "-fPIC", "-o", place / "shim.so", shim, "-ldl"], check=True)
    (place / "old").mkdir()
    subprocess.run([*COMMAND, *RUNS["fit"]], cwd=place / "old", check=True, stdout=subprocess.DEVNULL)
    (place / "old" / "answers").write_text("old")
    (place / "old" / "updated").write_text("old")
    return place


@dataclass
class Run:
    status: int
    errors: list[str]
    files: dict[str, bytes]
    counts: dict[str, int]  # empty if the program ended without cleaning up


def run(place: Path, arguments: list[str], fault: Fault | None = None, call: int = 0) -> Run:
    shutil.rmtree(place / "work", ignore_errors=True)
    shutil.copytree(place / "old", place / "work")
    (place / "report").unlink(missing_ok=True)
    shim = {"LD_PRELOAD": str(place / "shim.so"), "FAULT_REPORT": str(place / "report")}
    if fault:
        shim |= {"FAULT_KIND": fault.kind, "FAULT_ERROR": str(fault.error), "FAULT_AT": str(call)}
        shim |= {"FAULT_LAST": "1"} if fault.lasting else {}
    how = {"cwd": place / "work", "env": os.environ | shim, "stdin": subprocess.DEVNULL}
    done = subprocess.run([*COMMAND, *arguments], **how, capture_output=True, text=True, timeout=60)
    report = (place / "report").read_text().splitlines() if (place / "report").exists() else []
    counts = {name: int(count) for name, count in map(str.split, report)}
    files = {path.name: path.read_bytes() for path in (place / "work").iterdir()}
    return Run(done.returncode, done.stderr.splitlines(), files, counts)


def is_complete(checkpoint: bytes) -> bool:
    size = int.from_bytes(checkpoint[:8], "little")
    header = json.loads(checkpoint[8 : 8 + size])
    del header["__metadata__"]
    return len(checkpoint) == 8 + size + max(array["data_offsets"][1] for array in header.values())


def same_content(name: str, one: bytes, other: bytes) -> bool:
    """Summaries and traces have times. A checkpoint may be that of an iteration before."""
    if name == "summary":
        return json.loads(one).keys() == json.loads(other).keys()
    if name == "trace":
        return [json.loads(line)["bound"] for line in one.splitlines()] == [
            json.loads(line)["bound"] for line in other.splitlines()
        ]
    return is_complete(one) if name == "state" else one == other


def check(done: Run, fault: Fault, old: dict[str, bytes], good: Run) -> None:
    assert done.status in (0, 1)
    assert done.files.keys() == old.keys()
    warnings = [line for line in done.errors if line.startswith("induce: warning: ")]
    failures = [line for line in done.errors if line not in warnings]
    assert len(failures) == done.status
    assert all(line.startswith("induce: ") for line in failures)
    unsaved = any("checkpoint could not be written" in line for line in warnings)
    for name, content in done.files.items():
        may_be_old = done.status == 1 or (name == "state" and unsaved)
        if name == "trace" and done.status == 1:
            continue  # written line by line: the lines that fit remain
        if not (may_be_old and content == old[name]):
            assert same_content(name, content, good.files[name]), name
    if done.counts:
        assert done.counts["descriptors"] <= good.counts["descriptors"]
        assert done.counts["blocks"] <= good.counts["blocks"] + (JSON_BLOCKS if fault.kind == "memory" else 0)
    else:
        assert fault.kind == "memory"


def sampled(count: int, most: int) -> list[int]:
    if count <= most:
        return list(range(1, count + 1))
    return sorted({1 + k * (count - 1) // (most - 1) for k in range(most)})


@pytest.mark.parametrize("name", RUNS)
def test_every_call_may_fail(place, name):
    old = {path.name: path.read_bytes() for path in (place / "old").iterdir()}
    good = run(place, RUNS[name])
    assert good.status == 0
    assert good.errors == []
    tried: Counter[str] = Counter()  # shown with -s
    failed = []
    for fault in FAULTS:
        most = max(2, MOST * (3 if fault.kind == "memory" else 1) // (3 if name == "scratch" else 1))
        for call in sampled(good.counts[fault.kind], most):
            done = run(place, RUNS[name], fault, call)
            try:
                check(done, fault, old, good)
                if name == "resume":
                    assert done.files["trace"].startswith(old["trace"])
            except (AssertionError, ValueError) as error:  # the latter: a file that is not JSON
                failed.append(f"{fault.name}, call {call}: {done.status} {done.errors} {str(error)[:200]}")
            tried[fault.kind] += 1
    print(f"\n{name}:", sum(tried.values()), dict(tried))
    assert failed == []
