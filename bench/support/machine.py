"""Information for a record: the machine, the commit and the load from other processes."""

from __future__ import annotations

import os
import platform
import re
import resource
import subprocess
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BUSY = 0.2  # cores used by other processes; above this, timings are only upper limits


def cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _jiffies() -> tuple[int, int]:
    """(busy, total) over all cores since boot; (0, 0) if the system does not report them."""
    stat = Path("/proc/stat")
    if not stat.exists():
        return 0, 0
    user, nice, system, idle, iowait, *rest = (int(word) for word in stat.read_text().splitlines()[0].split()[1:])
    busy = user + nice + system + sum(rest[:3])
    return busy, busy + idle + iowait


def busy_cores(seconds: float = 0.5) -> float:
    """Number of cores used by other processes. Call it while the benchmark itself is idle."""
    before = _jiffies()
    time.sleep(seconds)
    after = _jiffies()
    passed = after[1] - before[1]
    return round((os.cpu_count() or 1) * (after[0] - before[0]) / passed, 2) if passed else 0.0


def machine() -> dict[str, Any]:
    """Timings may be compared between records with the same value if neither was busy."""
    return {"cpu": cpu_model(), "cores": cores()}


def wait_for_quiet(patience: float) -> None:
    """Waits until two consecutive samples find the machine idle, for at most `patience` seconds."""
    until, quiet = time.monotonic() + patience, 0
    while quiet < 2 and time.monotonic() < until:
        quiet = quiet + 1 if busy_cores(1.0) <= BUSY else 0


class Watch:
    """Measures the load from other processes, just before a run and on average during it."""

    def __init__(self) -> None:
        self._before = busy_cores()
        self._load = round(os.getloadavg()[0], 2)
        self._start = _jiffies(), processor_seconds(), time.monotonic()

    @property
    def busy(self) -> bool:
        return self._before > BUSY

    def end(self) -> dict[str, Any]:
        """Fields for the record. If `busy`, timings are only upper limits."""
        jiffies, own, started = self._start
        seconds = time.monotonic() - started
        others = (_jiffies()[0] - jiffies[0]) / os.sysconf("SC_CLK_TCK") - (processor_seconds() - own)
        during = round(max(0.0, others / seconds), 2)
        busy = max(self._before, during) > BUSY
        return {"load_average": self._load, "others_before": self._before, "others_during": during, "busy": busy}


def children_seconds() -> float:
    """CPU seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def processor_seconds() -> float:
    """CPU seconds of this process and of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime + children_seconds()


def build_of(program: Path) -> str:
    return sha256(program.read_bytes()).hexdigest()[:12]


def commit() -> str:
    """The commit of this tree, with + if there are uncommitted changes, other than records."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)
        return done.stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/records")
    return f"{git('rev-parse', '--short=10', 'HEAD') or 'unknown'}{'+' if changed else ''}"


def without_paths(text: str) -> str:
    """A message as one line without paths of this machine. Long messages are shortened in the middle."""
    line = re.sub(r"(/[\w.+-]+){2,}", "(path)", " ".join(text.split()))
    return line if len(line) <= 300 else f"{line[:100]} ... {line[-190:]}"


def now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
