"""What a fit over MPI ranks costs: bytes and milliseconds of each pass, and the time of ranks that share the cores of
one machine against one process with as many threads as cores.

Runs of both kinds alternate; the figures are medians. "waiting" is the time that the driver waits for answers beyond
the mean work of a rank: messages, and ranks that are slower than others. CPU seconds are those of whole processes,
with start and reading, and hardly depend on other work of the machine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from bench.scale.mpi_job import COMMAND, check_commands, mpirun, write_table
from bench.support.machine import BUSY, busy_cores, children_seconds, cores

CELLS = 2e7  # rows times inducing inputs
ALL_INPUTS = [
    "--fixed-inputs",
    "--kernel",
    "se",
    "--warp",
    "none",
]  # from the first stage on; early stages have few rows


def run(folder: Path, command: list[str]) -> dict[str, Any]:
    before = children_seconds()
    done = subprocess.run([*command, "--json", "summary", "-o", "model"], cwd=folder, check=False)
    if done.returncode != 0:
        sys.exit(f"exit status {done.returncode}: {' '.join(command)}")
    summary = json.loads((folder / "summary").read_text())
    return {**summary, "cpu": children_seconds() - before, "bytes": (folder / "model").read_bytes()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inducing", type=int, nargs="+", default=[100, 400, 1000], help="default: 100 400 1000")
    parser.add_argument("--ranks", type=int, default=4, help="default: 4")
    parser.add_argument("--rows", type=int, help="of the table; default: 2e7 / m, at most 200,000")
    parser.add_argument("--max-iter", type=int, help="of each fit; default: 3000 / m")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each kind; default: 5")
    given = parser.parse_args()
    check_commands()
    others = busy_cores(1.0)
    if others > BUSY:
        print(f"others use {others} cores: times are not to be trusted", file=sys.stderr)
    print(f"{given.ranks} ranks on {cores()} cores against one process with {cores()} threads, d = 10")
    heads = ["m", "rows", "passes", "MB per pass", "waiting, ms per pass", "ms per pass", "one process, ms per pass"]
    heads += ["overhead", "CPU, s", "one process, CPU s"]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    differ = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for m in given.inducing:
            rows = given.rows or min(200_000, int(CELLS / m))
            write_table(folder / "table.csv", rows, 10)
            iterations = given.max_iter or max(1, 3000 // m)
            fit = ["fit", "table.csv", "--inducing", str(m), "--max-iter", str(iterations), "--quiet", *ALL_INPUTS]
            one, many = [], []
            for _ in range(given.rounds):
                one.append(run(folder, [str(COMMAND), *fit, "--threads", str(cores())]))
                many.append(run(folder, [*mpirun(given.ranks), *fit]))
            passes = one[0]["passes"]
            differ |= any(each["bytes"] != one[0]["bytes"] for each in [*one, *many])

            def per_pass(runs: list[dict[str, Any]], key: str, unit: float, passes: int = passes) -> float:
                return median(each[key] for each in runs) / passes / unit

            seconds, alone = per_pass(many, "seconds", 1e-3), per_pass(one, "seconds", 1e-3)
            print(
                f"| {m} | {rows:,} | {passes} | {per_pass(many, 'bytes_moved', 1e6):.2f} "
                f"| {per_pass(many, 'seconds_waiting', 1e-3):.2f} | {seconds:.1f} | {alone:.1f} "
                f"| {100 * (seconds / alone - 1):.0f} % "
                f"| {per_pass(many, 'cpu', 1, 1):.1f} | {per_pass(one, 'cpu', 1, 1):.1f} |",
                flush=True,
            )
    sys.exit("the models differ" if differ else 0)


if __name__ == "__main__":
    main()
