"""Calls programs for a benchmark, and measures one training pass of induce."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.support.machine import without_paths


class ProgramError(Exception):
    """A program ended with an error."""


def call(words: Sequence[str | Path]) -> None:
    command = [str(word) for word in words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ProgramError(without_paths(f"{' '.join(command)}: {done.stderr or f'exit status {done.returncode}'}"))


def bench_words(command: Path) -> list[Path | str]:
    """The benchmarks of the build that has this `induce`: a program beside it, in builds of 0.2 a command of it."""
    bench = command.with_name("induce-bench")
    return [bench] if bench.exists() else [command, "bench"]


def pass_seconds(command: Path, rows: int, inducing: int, features: int, *more: str) -> float:
    """Seconds of one training pass on synthetic rows of this size, the fastest of several."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "pass.json"
        size = {"--rows": rows, "--inducing": inducing, "--features": features}
        words = [str(word) for pair in size.items() for word in pair]
        call([*bench_words(command), "pass", *words, "--only-pass", "--json", out, *more])
        return json.loads(out.read_text())["seconds"]
