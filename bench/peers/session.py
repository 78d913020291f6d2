"""Compares induce with other libraries: same rows, standardisation, m and initial inducing inputs, both cores.

    bench/peers/environments                           once: creates an environment for each library
    bench/peers/run                                    the seven sets of two classes (hours)
    bench/peers/run --sets satimage usps               the sets with many classes
    bench/peers/run --sets german --peers induce gpytorch-adam --max-time 30 --seeds 0 1 2
    bench/peers/table                                  the tables

Each cell runs in its own process and adds a line to the results file. Cells already in it are skipped (--again starts
a new run; ratios compare cells of one run only). The clock is stopped during imports, compilation and tests.
Libraries that need a number of iterations stop after the documented number or at the budget of the set
(bench/support/settings.py or --max-time), whichever comes first.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from bench.peers import classes
from bench.peers.classes import FOLDER
from bench.peers.ours import run_ours
from bench.peers.peers import EVERY_PEER, OURS, Peer, peers_of
from bench.support import lines, machine
from bench.support.lines import Record
from bench.support.progress import Progress
from bench.support.settings import BUDGET, CLASSES_INDUCING, DATA, EVERY_INDUCING, INDUCE, INDUCING, ROOT, files

RESULTS = ROOT / "bench" / "peers" / "results.jsonl"
PLACE = ROOT / "build" / "peers"  # environments and prepared problems
IMPORTS = 180.0  # seconds allowed for a process in addition to training and tests
PATIENT = {"OMP_WAIT_POLICY": "passive"}  # on a busy machine, spinning cost LightGBM 41 s for 1 s of work
TESTS = 10.0  # time limit for tests, as a multiple of the budget


def python_of(environment: str) -> Path:
    found = PLACE / environment / "bin" / "python"
    if not (PLACE / environment / "complete").exists():
        raise FileNotFoundError(f"no environment {environment}; run bench/peers/environments {environment}")
    return found


def module(
    environment: str, *words: str, timeout: float | None = None, more: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"} | (more or {})
    command = [str(python_of(environment)), "-m", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout, env=env)


def files_of(data: Path, name: str) -> tuple[Path, Path]:
    """The train and test file of a set. Those of a set without a published split are created once."""
    if name not in CLASSES_INDUCING:
        return files(data, name)
    whole = data / FOLDER / f"{name}.svm.xz"
    if not whole.exists():
        return files(data / FOLDER, name)
    train, test = (PLACE / "problems" / f"{name}.{part}.svm" for part in ("train", "test"))
    if not test.exists() and find_spec("numpy"):
        classes.main(str(whole), str(train), str(test))
    elif not test.exists():
        done = module("tables", "bench.peers.classes", str(whole), str(train), str(test))
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
    return train, test


def problem(args: argparse.Namespace, name: str, seed: int) -> Path:
    """The prepared rows and inducing inputs of a set, created once per m and seed."""
    m = EVERY_INDUCING[name]
    out = PLACE / "problems" / f"{name}-{m}-{seed}.npz"
    if not out.exists():
        train, test = files_of(args.data, name)
        with tempfile.TemporaryDirectory() as folder:
            model = f"{folder}/model"
            method = ["--kernel", "se", "--warp", "none"] if name in CLASSES_INDUCING else ["--method", "vi-jj"]
            paper = [*method, "--fixed-inputs", "--max-iter", "1", "--quiet", "-o", model]
            size = ["--inducing", str(m), "--seed", str(seed)]
            subprocess.run([str(args.induce), "fit", str(train), *paper, *size], check=True)
            done = module("tables", "bench.peers.prepare", str(train), str(test), model, str(out))
            if done.returncode != 0:
                raise RuntimeError(done.stderr)
    return out


def run_peer(peer: Peer, path: Path, seed: int, limit: float, more: dict[str, str]) -> Record:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "result.json"
        words = [peer.name, str(path), str(out), "--max-time", str(limit), "--seed", str(seed)]
        try:
            done = module(
                peer.environment, "bench.peers.worker", *words, timeout=IMPORTS + (1 + TESTS) * limit, more=more
            )
        except subprocess.TimeoutExpired:
            return {"status": "time limit", "message": "the process did not end"}
        if out.exists():
            return json.loads(out.read_text())
        if done.returncode < 0:
            return {"status": "error", "message": f"ended by signal {-done.returncode}"}
        return {"status": "error", "message": machine.without_paths(" ".join(done.stderr.split()[-40:]))}


def run_cell(args: argparse.Namespace, name: str, who: str, seed: int, busy: bool) -> Record:
    m, limit = EVERY_INDUCING[name], budget(args, name)
    if who in OURS:
        ours = OURS[who]
        found = run_ours(ours, args.induce, files_of(args.data, name), m, seed, limit)
        about = {"settings": {"arguments": list(ours.arguments)}, "chosen": list(ours.chosen), "source": "defaults"}
        uses_m = ours.uses_m
    else:
        peer = EVERY_PEER[who]
        more = PATIENT if busy else {}
        found = run_peer(peer, problem(args, name, seed), seed, limit, more)
        about = {"settings": peer.settings | more, "chosen": list(peer.chosen), "source": peer.source}
        uses_m = peer.uses_m
    return {**found, **about, "m": m if uses_m else None}


def budget(args: argparse.Namespace, name: str) -> float:
    return args.max_time or BUDGET[name]


def resume(args: argparse.Namespace, here: Record) -> tuple[str, dict[tuple, Record]]:
    """The run to continue and its records: the last one on this machine with these budgets, or a new one."""
    same_machine = (row for row in lines.read(args.out) if row["machine"] == here)
    comparable = [row for row in same_machine if row["max_time"] == budget(args, row["set"])]
    if args.again or not comparable:
        return machine.now(), {}
    run = comparable[-1]["run"]
    done = lines.last_by((row for row in comparable if row["run"] == run), "set", "peer", "seed")
    return run, {key: row for key, row in done.items() if not (args.busy_again and row["busy"])}


def outcome(record: Record) -> str:
    if not record.get("best"):
        return f"{record['status']}: {record['message'][:100]}"
    best = record["best"]
    return f"{record['status']}, {record['seconds']:.1f} s, nll {best['nll']:.4f} at {best['seconds']:.2f} s"


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bench/peers/run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    everyone, sets = [*OURS, *EVERY_PEER], list(EVERY_INDUCING)
    parser.add_argument("--sets", nargs="+", default=list(INDUCING), choices=sets, metavar="SET",
                        help=f"any of {', '.join(sets)}")  # fmt: skip
    parser.add_argument("--peers", nargs="+", default=everyone, choices=everyone, metavar="PEER",
                        help=f"any of {', '.join(everyone)}; each runs on the sets that it is for")  # fmt: skip
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--max-time", type=float, default=0, help="seconds of training per run (60 to 300)")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with SET.train.svm.xz and SET.test.svm.xz")
    parser.add_argument("--induce", type=Path, default=INDUCE)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--again", action="store_true", help="start a new run even if the results file has one")
    parser.add_argument("--patience", type=float, default=0,
                        help="seconds to wait before each cell for the machine to become idle (0)")  # fmt: skip
    parser.add_argument("--busy-again", action="store_true", help="rerun cells measured on a busy machine")
    return parser.parse_args()


def main() -> int:
    args = parse()
    if not args.data.is_dir():
        print(f"{args.data}: no such folder; set --data, or download the data with bench/get_data", file=sys.stderr)
        return 1
    here = machine.machine()
    run, done = resume(args, here)
    wanted = [
        (name, who, seed)
        for name in args.sets
        for seed in args.seeds
        for who in args.peers
        if who in OURS or who in peers_of(name)
    ]
    cells = [cell for cell in wanted if cell not in done]
    print(f"{len(cells)} cells to run, {len(wanted) - len(cells)} already done")
    progress = Progress([cell[:2] for cell in cells], 1.5 * (args.max_time or max(BUDGET.values())))
    for name, who, seed in cells:
        progress.start((name, who), f"seed {seed}")
        head = {"run": run, "set": name, "peer": who, "seed": seed, "max_time": budget(args, name)}
        machine.wait_for_quiet(args.patience)
        watch, when = machine.Watch(), machine.now()
        found = run_cell(args, name, who, seed, watch.busy)
        record = {**head, "when": when, "machine": here, **watch.end(), "commit": machine.commit(), **found}
        lines.append(args.out, record)
        progress.end((name, who), outcome(record))
    return 0


if __name__ == "__main__":
    sys.exit(main())
