"""A watchdog for runs that cannot be asked to stop: ends the process when it exceeds its time or memory limit."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

from bench.peers.clock import Clock

SHARE = 0.8  # of the machine's memory
GRACE = 1.1  # runs that check the time themselves stop before this


def resident_mb() -> float:
    with open("/proc/self/statm") as text:
        return int(text.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def memory_mb() -> float:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e6


def watch(clock: Clock, limit: float, give_up: Callable[[str, str], None]) -> None:
    """Calls give_up(status, message) once, from a separate thread, and ends the process."""
    most = SHARE * memory_mb()

    def poll() -> None:
        while True:
            time.sleep(0.25)
            if clock.running and clock.seconds > limit * GRACE + 1:
                give_up("time limit", f"no result within {limit:g} s")
            elif resident_mb() > most:
                give_up("out of memory", f"more than {most:.0f} MB")
            else:
                continue
            os._exit(0)

    threading.Thread(target=poll, daemon=True).start()
