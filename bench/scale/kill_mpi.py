"""Kills a rank of an MPI job at random moments of fits, and resumes them on another number of ranks or without MPI.

The models are compared with that of one process. A job that takes longer than the watchdog's 60 s is an error, and so
is one that ends with status 0 although its model is not complete.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench.scale.mpi_job import COMMAND, check_commands, mpirun, ranks_of, write_table

WATCHDOG = 60  # seconds
RANKS = 4


@dataclass
class Killed:
    rank: int | None  # None: the job was over
    status: int
    seconds: float  # from the kill to the end of the job


def killed_job(folder: Path, arguments: list[str], moment: float, chance: random.Random) -> Killed:
    began = time.monotonic()
    with subprocess.Popen(
        [*mpirun(RANKS), *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as job:
        while job.poll() is None and (time.monotonic() - began < moment or len(ranks_of(job.pid)) < RANKS):
            time.sleep(0.005)
        ranks = ranks_of(job.pid)
        rank = chance.randrange(len(ranks)) if ranks else None
        if rank is not None:
            os.kill(ranks[rank], signal.SIGKILL)
        at = time.monotonic()
        try:
            status = job.wait(timeout=WATCHDOG)
        except subprocess.TimeoutExpired:
            job.kill()
            sys.exit(f"the job still runs {WATCHDOG} s after the end of rank {rank}")
        return Killed(rank, status, time.monotonic() - at)


def run(folder: Path, command: list[str]) -> float:
    began = time.monotonic()
    subprocess.run(command, cwd=folder, check=True, timeout=WATCHDOG, stdout=subprocess.DEVNULL)
    return time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moments", type=int, default=20, help="fits with a rank killed; default: 20")
    parser.add_argument("--rows", type=int, default=60000, help="of the table; default: 60000")
    parser.add_argument("--seed", type=int, default=0, help="of the moments; default: 0")
    given = parser.parse_args()
    check_commands()
    chance = random.Random(given.seed)
    wrong = kills = resumed = 0
    slowest = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_table(folder / "table.csv", given.rows, 4)
        model, state = folder / "model", folder / "model.checkpoint"
        for size, sample_rows in (("gathered", 1 << 19), ("in shards", 1000)):
            fit = [
                "fit",
                "table.csv",
                "--inducing",
                "100",
                "--sample-rows",
                str(sample_rows),
                "--quiet",
                "-o",
                "model",
            ]
            run(folder, [str(COMMAND), *fit])
            want = model.read_bytes()
            usual = run(folder, [*mpirun(RANKS), *fit])
            wrong += model.read_bytes() != want
            print(f"rows {size}: {usual:.1f} s on {RANKS} ranks without a loss", flush=True)
            print("| killed after, s | rank | job ended after, s | status | then, on ranks | s | model |")
            print("|---|---|---|---|---|---|---|")
            wanted = kills + given.moments // 2
            while kills < wanted:
                model.unlink()
                moment = chance.uniform(0, 0.9 * usual)
                killed = killed_job(folder, fit, moment, chance)
                slowest = max(slowest, killed.seconds)
                kills += killed.rank is not None  # else the job was over, and another moment is drawn
                ranks = chance.choice([0, 1, 2, 3])
                command = mpirun(ranks) if ranks else [str(COMMAND)]
                then, seconds = "was done", 0.0
                if state.exists():
                    then = f"resumed on {ranks}" if ranks else "resumed without MPI"
                    resumed += 1
                    seconds = run(folder, [*command, "fit", "--resume", state.name, "--quiet"])
                elif not model.exists():
                    then = f"began again on {ranks}" if ranks else "began again without MPI"
                    wrong += killed.status == 0
                    seconds = run(folder, [*command, *fit])
                same = model.read_bytes() == want and not state.exists()
                wrong += not same
                print(
                    f"| {moment:.2f} | {'over' if killed.rank is None else killed.rank} | {killed.seconds:.1f} "
                    f"| {killed.status} | {then} | {seconds:.1f} | {'the same bytes' if same else 'OTHER BYTES'} |",
                    flush=True,
                )
    print(
        f"{kills} ranks killed, {resumed} fits resumed from a checkpoint; jobs ended at most {slowest:.1f} s later; "
        f"{wrong or 'none'} wrong"
    )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
