"""MPI jobs of benchmarks: the two commands, mpirun and its ranks, and a table."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from pathlib import Path

import numpy as np

from bench.support.machine import ROOT

COMMAND = ROOT / "build" / "induce"
MPI_COMMAND = ROOT / "build" / "induce-mpi"


def check_commands() -> None:
    if not COMMAND.exists() or not MPI_COMMAND.exists() or shutil.which("mpirun") is None:
        sys.exit("build/induce, build/induce-mpi and mpirun are needed: run ./go test first")


def mpirun(ranks: int) -> list[str]:
    as_root = ["--allow-run-as-root"] if os.getuid() == 0 else []
    return ["mpirun", *as_root, "--oversubscribe", "-n", str(ranks), str(MPI_COMMAND)]


def ranks_of(job: int) -> list[int]:
    """The processes of an mpirun: its children."""
    ranks = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            parent = re.search(r"^PPid:\s*(\d+)", (process / "status").read_text(), re.MULTILINE)
            if parent and int(parent[1]) == job and MPI_COMMAND.name.encode() in (process / "cmdline").read_bytes():
                ranks.append(int(process.name))
    return sorted(ranks)


def write_table(path: Path, rows: int, features: int) -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(rows, features))
    f = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + random.normal(size=rows) / 2
    header = ",".join([f"x{k}" for k in range(features)] + ["y"])
    np.savetxt(path, np.column_stack([X, f > 0]), fmt="%.6g", delimiter=",", header=header, comments="")
