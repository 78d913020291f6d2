"""One run of one peer, in that peer's environment and in a separate process.

python -m bench.peers.worker PEER PROBLEM.npz OUT.json --max-time SECONDS --seed S
"""

from __future__ import annotations

import argparse
import importlib
import json
import resource
import sys
from importlib.metadata import version
from pathlib import Path

from bench.peers.course import Course, DivergedError
from bench.peers.peers import EVERY_PEER, Peer
from bench.peers.problem import Problem
from bench.peers.watch import resident_mb, watch
from bench.support.lines import Record, plain
from bench.support.machine import without_paths


def message_of(error: BaseException) -> str:
    return without_paths(f"{type(error).__name__}: {error}")


def record(course: Course, peer: Peer, status: str, message: str, before_mb: float) -> Record:
    return {
        "status": status,
        "message": message,
        "seconds": round(course.clock.seconds, 4),
        "cpu_seconds": round(course.clock.cpu_seconds, 4),
        "compile_seconds": round(course.compile_seconds, 2),
        "final": course.last,
        "best": course.best,
        "curve": course.curve,
        "peak_rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        "before_rss_mb": round(before_mb, 1),
        "versions": {name: version(name) for name in peer.packages} | {"python": sys.version.split()[0]},
    }


def run(peer: Peer, problem: Problem, limit: float, seed: int, out: Path) -> None:
    if peer.most_rows and problem.n > peer.most_rows:
        message = f"{problem.n} rows are more than the {peer.most_rows} it is given"
        out.write_text(json.dumps({"status": "not run", "message": message}))
        return
    library = importlib.import_module(f"bench.peers.libraries.{peer.module}")
    course = Course(problem, limit)
    before_mb = resident_mb()

    def write(status: str, message: str) -> None:
        course.clock.stop()
        out.write_text(json.dumps(plain(record(course, peer, status, message, before_mb))))

    watch(course.clock, limit, write)
    try:
        course.clock.start()
        library.train(problem, course, seed=seed, **peer.settings)
        write("budget" if course.over() else "done", "")
    except DivergedError as error:
        write("nan", str(error))
    except MemoryError as error:
        write("out of memory", message_of(error))
    except Exception as error:  # any exception of a peer is its result
        write("error", message_of(error))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", choices=list(EVERY_PEER))
    parser.add_argument("problem", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--max-time", type=float, required=True)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    run(EVERY_PEER[args.peer], Problem.load(args.problem), args.max_time, args.seed, args.out)


if __name__ == "__main__":
    main()
