"""Prints the tables of a comparison as Markdown, from the JSON lines written by bench/peers/run.

    bench/peers/table                      the newest run
    bench/peers/table --summary            one table: time to equal NLL, every Gaussian process library against induce
    bench/peers/table --classes            one short table per set with many classes
    bench/peers/table --all                every run in the file
    bench/peers/table --out FILE           read another results file

Ratios compare cells of the same run only: one machine, one budget per set and one seed. Missing cells are shown as
"not run".
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from bench.peers.peers import OURS, PEERS, peers_of
from bench.peers.session import RESULTS
from bench.support import lines
from bench.support.lines import Record
from bench.support.settings import CLASSES_INDUCING, EVERY_INDUCING, INDUCING

HEAD = (
    *("peer", "NLL", "best NLL", "accuracy", "Brier", "ECE", "AUC", "time, s", "CPU time, s", "time to best, s"),
    *("induce to equal NLL, s", "speed-up", "peak MB", "user settings", "status"),
)
FAILED = ("nan", "error", "time limit", "out of memory")


def reached(curve: list[list[float]], nll: float) -> float | None:
    """Seconds until a curve first reaches `nll`."""
    return next((point[0] for point in curve if point[1] is not None and point[1] <= nll), None)


def course(own: Record) -> list[list[float]]:
    """All intermediate test results and the final one."""
    return [*own["curve"], [own["final"]["seconds"], own["final"]["nll"], 0.0]]


def time_to_equal(own: Record | None, peer: Record) -> tuple[str, str]:
    """(seconds until induce reached the peer's best NLL, speed-up over the peer)."""
    if own is None or not own.get("best"):
        return "not run", "-"
    if not peer.get("best"):
        return "-", "-"
    best = peer["best"]
    at = reached(course(own), best["nll"])
    if at is None:
        return "never", "-"
    ratio = f"{best['seconds'] / at:.3g}" if at else "-"
    return f"{at:.3g}", f"({ratio})" if own.get("busy") or peer.get("busy") else ratio


def number(value: float | None, digits: int = 4) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def row(who: str, record: Record | None, own: Record | None) -> list[str]:
    cells = dict.fromkeys(HEAD, "-") | {"peer": who}
    if record is None or record["status"] == "not run":
        cells |= {"NLL": "not run", "status": record["message"] if record else "not run"}
        return list(cells.values())
    failed = record["status"] in FAILED
    cells["status"] = f"{record['status']}: {record['message']}" if failed else record["status"]
    cells["user settings"] = str(len(record["chosen"]))
    if record.get("final"):
        final, best = record["final"], record["best"]
        names = {"NLL": "nll", "accuracy": "accuracy", "Brier": "brier", "ECE": "ece", "AUC": "auc"}
        cells |= {column: number(final[name]) for column, name in names.items()}
        cells |= {"best NLL": number(best["nll"]), "time to best, s": f"{best['seconds']:.3g}"}
        mark = "*" if record["busy"] else ""
        cells |= {"time, s": f"{record['seconds']:.3g}{mark}", "CPU time, s": f"{record['cpu_seconds']:.3g}"}
        cells["peak MB"] = f"{record['peak_rss_mb']:.0f}"
        if who not in OURS:
            cells["induce to equal NLL, s"], cells["speed-up"] = time_to_equal(own, record)
    return list(cells.values())


def markdown(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    clean = ([cell.replace("|", "/") for cell in cells] for cells in (head, ["---"] * len(head), *rows))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in clean)


def title(records: list[Record]) -> str:
    first = records[0]
    loads = [record["load_average"] for record in records]
    busy = sum(record["busy"] for record in records)
    shared = f"shared with other work in {busy} of {len(records)} cells" if busy else "otherwise idle"
    text = f"Run of {first['run']}: {first['machine']['cores']} cores of {first['machine']['cpu']}, {shared}"
    return f"{text} (load average at the start of a cell {median(loads):.1f})."


def tables(records: list[Record], baseline: str) -> str:
    """The tables of one run, one per set and seed."""
    found = lines.last_by(records, "set", "peer", "seed")
    parts = [title(records)]
    for name in EVERY_INDUCING:
        for seed in sorted({record["seed"] for record in records if record["set"] == name}):
            own = found.get((name, baseline, seed))
            limit = max(record["max_time"] for record in records if record["set"] == name)
            body = [row(who, found.get((name, who, seed)), own) for who in (*OURS, *peers_of(name))]
            head = f"### {name}, m = {EVERY_INDUCING[name]}, seed {seed}, time limit {limit:g} s"
            parts.append(f"{head}\n\n{markdown(HEAD, body)}")
    return "\n\n".join(parts)


def quality_cell(record: Record | None, same_m: Record | None, defaults: Record | None) -> str:
    """The peer's best NLL, its time, and induce's speed-up to that NLL: with the same m, with defaults."""
    if record is None:
        return "not run"
    if not record.get("best"):
        return "not run" if record["status"] == "not run" else f"none ({record['status']})"
    best = record["best"]
    ratios = [speed_up(own, best) for own in (same_m, defaults)]
    failed = f", then {record['status']}" if record["status"] in FAILED else ""
    return f"{number(best['nll'])} at {best['seconds']:.3g} s{failed}: {', '.join(ratios)}"


def speed_up(own: Record | None, best: Record) -> str:
    if own is None or not own.get("best"):
        return "not run"
    at = reached(course(own), best["nll"])
    if at is None:
        return "never"
    ratio = best["seconds"] / at
    return f"{ratio:.0f}x" if ratio >= 10 else f"{ratio:.1f}x" if ratio >= 1 else f"{ratio:.1g}x"


GAUSSIAN = [name for name, peer in PEERS.items() if peer.uses_m or peer.most_rows]


def by_set_and_peer(records: list[Record]) -> dict[tuple[str, str], Record]:
    """The records of the first seed."""
    seed = min(record["seed"] for record in records)
    return lines.last_by((row for row in records if row["seed"] == seed), "set", "peer")  # type: ignore[return-value]


def end_of(own: Record | None) -> str:
    return f"{number(own['final']['nll'])} in {own['seconds']:.3g} s" if own else "not run"


def summary(records: list[Record]) -> str:
    """Time to equal NLL on all sets, for the Gaussian process libraries."""
    found = by_set_and_peer(records)
    body = []
    for data in INDUCING:
        same_m, defaults = (found.get((data, who)) for who in ("induce", "induce-auto"))
        ours = [end_of(own) for own in (same_m, defaults)]
        cells = [quality_cell(found.get((data, who)), same_m, defaults) for who in GAUSSIAN]
        body.append([data, *ours, *cells])
    note = (
        "Each cell: the library's best test NLL, the time it was reached, and the speed-up of `induce` to equal NLL:"
        " with the same m, with defaults."
    )
    table = markdown(["data", "induce, same m", "induce, defaults", *GAUSSIAN], body)
    return f"{title(records)}\n\n{table}\n\n{note}"


def classes_row(who: str, record: Record | None, same_m: Record | None, defaults: Record | None) -> list[str]:
    if record is None or record["status"] == "not run":
        return [who, "not run", *["-"] * 6, record["message"] if record else "not run"]
    status = f"{record['status']}: {record['message']}" if record["status"] in FAILED else record["status"]
    load = f"{record['others_during']:.1f}"
    if not record.get("best"):
        return [who, f"none ({record['status']})", *["-"] * 5, load, status]
    final, best = record["final"], record["best"]
    ratios = "-" if who in OURS else f"{speed_up(same_m, best)}, {speed_up(defaults, best)}"
    if record["busy"] and who not in OURS:  # as in the tables of two classes
        ratios = f"({ratios})"
    time = f"{record['seconds']:.3g} ({record['cpu_seconds']:.3g})"
    measures = [number(final["nll"]), number(final["accuracy"]), number(final["ece"])]
    return [who, *measures, f"{number(best['nll'])} at {best['seconds']:.3g} s", time, ratios, load, status]


def versions(records: Iterable[Record]) -> str:
    """The libraries of these records, once each."""
    found = {name: number for record in records for name, number in record.get("versions", {}).items()}
    return ", ".join(f"{name} {number}" for name, number in sorted(found.items()) if name != "sha256")


def classes(records: list[Record]) -> str:
    """A table for each set with many classes: quality, time, and the speed-up to each library's best NLL."""
    found = by_set_and_peer(records)
    head = [
        *("library", "NLL", "accuracy", "ECE", "best NLL", "time (CPU time), s"),
        *("induce's speed-up to the best NLL: same m, defaults", "cores used by others", "status"),
    ]
    parts = [title(records)]
    for data, m in CLASSES_INDUCING.items():
        same_m, defaults = (found.get((data, who)) for who in ("induce", "induce-auto"))
        body = [
            classes_row(who, found.get((data, who)), same_m, defaults)
            for who in (*OURS, *peers_of(data))
        ]  # fmt: skip
        limits = {record["max_time"] for record in records if record["set"] == data}
        limit = f", time limit {max(limits):g} s" if limits else ""
        parts.append(f"### {data}, m = {m}{limit}\n\n{markdown(head, body)}")
    return "\n\n".join([*parts, f"Versions: {versions(records)}."])


def legend(baseline: str) -> str:
    return (
        "NLL, accuracy, Brier, ECE and AUC are measured on the test rows at the end of training. Best NLL is the"
        " lowest of all intermediate tests. Time: seconds of training; * means that other work was running, so the"
        " value is an upper limit. CPU time: sum over all cores (for induce including reading and testing). Induce"
        f" to equal NLL: seconds until `{baseline}` first reached the peer's best NLL. Speed-up: the peer's time to"
        " its best divided by that; in parentheses, and not to be quoted, if other work was running during either."
        " Peak MB: peak memory of the process, including imports and tests. User settings: number of settings that"
        " the user had to choose (listed in bench/peers/peers.py). Never: induce did not reach that NLL."
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/peers/table", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--summary", action="store_true", help="one table: time to equal NLL")
    parser.add_argument("--classes", action="store_true", help="one short table per set with many classes")
    parser.add_argument("--all", action="store_true", help="every run, not only the newest")
    parser.add_argument("--baseline", default="induce", choices=list(OURS), help="reference for the speed-up")
    args = parser.parse_args()
    records = lines.read(args.out)
    if not records:
        print(f"{args.out}: no results; run bench/peers/run first", file=sys.stderr)
        return 1
    runs = list(dict.fromkeys(record["run"] for record in records))
    chosen = runs if args.all else runs[-1:]
    if args.summary or args.classes:
        make = summary if args.summary else classes
        print(*(make([row for row in records if row["run"] == run]) for run in chosen), sep="\n\n")
        return 0
    for run in chosen:
        print(tables([record for record in records if record["run"] == run], args.baseline), end="\n\n")
    print(legend(args.baseline))
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` is not an error
    sys.exit(main())
