"""Runs induce and returns a record in the same format as for a peer."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from bench.peers.peers import Ours
from bench.support.induce_fit import fit
from bench.support.lines import Record


def run_ours(ours: Ours, command: Path, data: tuple[Path, Path], m: int, seed: int, limit: float) -> Record:
    given = ["--inducing", str(m)] if ours.uses_m else []
    arguments = [*ours.arguments, *given, "--seed", str(seed), "--max-time", str(limit)]
    found = fit(command, data, arguments, timeout=10 * limit + 600)
    if not found.summary:
        return {"status": found.status, "message": found.message}
    seconds, test = found.summary["seconds"], found.summary["test"]
    final = {"seconds": seconds, **test, "calibration": found.calibration}
    points = [*found.curve, [seconds, test["nll"], test["accuracy"]]]
    best = min(points, key=lambda point: point[1])
    return {
        "status": found.status,
        "message": found.message,
        "seconds": seconds,
        "cpu_seconds": round(found.cpu_seconds, 4),
        "final": final,
        "best": dict(zip(("seconds", "nll", "accuracy"), best, strict=True)),
        "curve": found.curve,
        "peak_rss_mb": found.summary["peak_rss_mb"],
        "before_rss_mb": None,
        "versions": {"induce": found.summary["version"], "sha256": sha256(command.read_bytes()).hexdigest()[:12]},
        "fit": {key: found.summary[key] for key in ("method", "m", "warp", "passes", "iterations", "theta")},
    }
