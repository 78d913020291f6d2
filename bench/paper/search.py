"""Chooses svi-adadelta's step from the paper's grid and records the cost of the search.

The paper chose "the value that resulted in the fastest convergence". This search takes the one with the highest true
bound after a fixed number of seconds. It does not use test rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.paper.cells import STEPS
from bench.support.induce_fit import fit
from bench.support.lines import Record


def search(command: Path, data: tuple[Path, Path], arguments: Sequence[str], seconds: float) -> Record:
    """{step, total seconds of all trials, trials: [step, bound or None, seconds, status]}."""
    trials = []
    for step in STEPS:
        words = [*arguments, "--step", str(step), "--max-time", str(seconds)]
        found = fit(command, data, words, timeout=20 * seconds + 600, trace=False)
        trials.append([step, found.summary.get("elbo"), found.summary.get("seconds", 0.0), found.status])
    worked = [trial for trial in trials if trial[1] is not None]
    best = max(worked, key=lambda trial: trial[1])[0] if worked else 1.0
    return {"step": best, "seconds": sum(trial[2] for trial in trials), "trials": trials}
