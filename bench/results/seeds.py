"""The ten sets of the README with seeds 0 to 4 and no option: how much of a result is chance, and what it takes.

    bench/results/seeds                      all, ten minutes on two idle cores; resumes where it stopped
    bench/results/seeds --sets german magic  only these
    bench/results/seeds --catboost           also CatBoost's defaults, which needs bench/peers/environments tables
    bench/results/seeds --again              with another build: begins a new record
    bench/results/pages                      writes what follows from the record into the pages

Adds a JSON line per fit to docs/records/seeds.jsonl. A record is of one build: another is refused without --again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.peers.peers import EVERY_PEER
from bench.peers.session import files_of, problem, run_peer
from bench.support import lines, machine
from bench.support.induce_fit import fit
from bench.support.lines import Record
from bench.support.progress import Progress
from bench.support.settings import BUDGET, DATA, INDUCE, ROOT

RECORD = ROOT / "docs" / "records" / "seeds.jsonl"
SEEDS = range(5)
# As in the README. adult has texts and gaps.
SETS = ("german", "svmguide1", "magic", "ijcnn1", "cod-rna", "skin_nonskin", "a8a", "satimage", "usps", "adult")
CHEAP = ("german", "svmguide1", "magic", "a8a", "adult", "cod-rna", "ijcnn1", "skin_nonskin", "satimage", "usps")
OURS, CATBOOST = "induce", "CatBoost"


def own_files(data: Path, name: str) -> tuple[Path, Path]:
    if name != "adult":
        return files_of(data, name)
    train, test = (data / "mixed" / f"adult.{part}.csv.xz" for part in ("train", "test"))
    return train, test


def run_induce(args: argparse.Namespace, name: str, seed: int) -> Record:
    label = ["--label", "income"] if name == "adult" else []
    found = fit(args.induce, own_files(args.data, name), [*label, "--seed", str(seed)], trace=False, calibrated=False)
    if not found.summary:
        return {"status": found.status, "message": found.message}
    test = found.summary["test"]
    figures = {"nll": test["nll"], "accuracy": test["accuracy"], "seconds": found.summary["seconds"]}
    figures |= {"processor_seconds": found.cpu_seconds}  # with reading and testing
    about = {key: found.summary[key] for key in ("m", "kernel", "warp", "threads", "version")}
    return {"status": found.status, **{key: lines.significant(x, 6) for key, x in figures.items()}, **about}


def run_catboost(args: argparse.Namespace, name: str, seed: int) -> Record:
    """The rows are those of seed 0 whatever the seed: only CatBoost's own draws differ."""
    if name == "adult":
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out.jsonl"
            words = [ROOT / "bench" / "mixed" / "run", "--only", CATBOOST, "--seed", seed, "--out", out]
            done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                return {"status": "error", "message": machine.without_paths(done.stderr)}
            found = lines.read(out)[0]
        return {"status": "done", **{key: found[key] for key in ("nll", "accuracy", "seconds", "version")}}
    found = run_peer(EVERY_PEER["catboost"], problem(args, name, 0), seed, BUDGET[name], {})
    if not found.get("final"):
        return {"status": found["status"], "message": found["message"]}
    figures = {key: found["final"][key] for key in ("nll", "accuracy")}
    figures |= {"seconds": found["seconds"], "processor_seconds": found["cpu_seconds"]}
    version = found["versions"]["catboost"]
    return {
        "status": found["status"],
        **{key: lines.significant(x, 6) for key, x in figures.items()},
        "version": version,
    }


def whole(records: list[Record], library: str = OURS) -> dict[str, list[Record]]:
    """The fits of the sets that have all seeds, in the order of the README."""
    found = lines.last_by((row for row in records if row.get("nll") is not None), "library", "set", "seed")
    every = {name: [found.get((library, name, seed)) for seed in SEEDS] for name in SETS}
    return {name: fits for name, fits in every.items() if all(fits)}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bench/results/seeds", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS, metavar="SET")
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS))
    parser.add_argument("--catboost", action="store_true")
    parser.add_argument("--again", action="store_true", help="delete the record and begin anew")
    parser.add_argument("--patience", type=float, default=0,
                        help="seconds to wait before each fit for the machine to become idle (0)")  # fmt: skip
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the sets")
    parser.add_argument("--induce", type=Path, default=INDUCE)
    parser.add_argument("--commit", help="of that program (that of this tree)")
    parser.add_argument("--out", type=Path, default=RECORD)
    return parser.parse_args()


def main() -> int:
    args = parse()
    if not args.induce.is_file():
        print(f"bench/results/seeds: no {args.induce}; run ./go demo first", file=sys.stderr)
        return 1
    if args.again:
        args.out.unlink(missing_ok=True)
    build, commit = machine.build_of(args.induce), args.commit or machine.commit()
    records = lines.read(args.out)
    if {row["build"] for row in records if row["library"] == OURS} - {build}:
        print(f"bench/results/seeds: {args.out} is of another build; --again begins a new record", file=sys.stderr)
        return 1
    done = lines.last_by((row for row in records if row.get("nll") is not None), "set", "seed", "library")
    libraries = [OURS, *([CATBOOST] if args.catboost else [])]
    # A whole set after the other, the cheap ones first, libraries in turn.
    wanted = [(name, seed, who) for name in CHEAP if name in args.sets for seed in args.seeds for who in libraries]
    cells = [cell for cell in wanted if cell not in done]
    print(f"{len(cells)} fits to run, {len(wanted) - len(cells)} already done")
    progress, failed = Progress([(name, who) for name, _, who in cells], 60), 0
    for name, seed, who in cells:
        progress.start((name, who), f"seed {seed}")
        machine.wait_for_quiet(args.patience)
        watch, when = machine.Watch(), machine.now()
        found = (run_induce if who == OURS else run_catboost)(args, name, seed)
        if machine.build_of(args.induce) != build:
            print(
                f"\nbench/results/seeds: {args.induce} was built anew meanwhile; begin with --again", file=sys.stderr
            )
            return 1
        about = {"when": when, "machine": machine.machine(), **watch.end()}
        ours = {"build": build, "commit": commit} if who == OURS else {}
        lines.append(args.out, {"set": name, "seed": seed, "library": who, **found, **ours, **about})
        failed += found.get("nll") is None
        outcome = f"{found['nll']:.4f} in {found['seconds']:.1f} s" if "nll" in found else found["message"]
        progress.end((name, who), outcome)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
