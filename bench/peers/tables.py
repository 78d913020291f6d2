"""Prints the tables of a comparison as markdown, from the JSON lines that bench/peers/run wrote.

    bench/peers/table                      the newest run
    bench/peers/table --summary            time to quality: each Gaussian process library beside induce, one table
    bench/peers/table --short              the best of them beside induce and LightGBM, a line for each set
    bench/peers/table --all                every run in the file
    bench/peers/table --out FILE           another file of results

Ratios are made only within one run, which is one machine, one budget for each set and one seed. A cell that was not
run says so.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from bench.peers.peers import OURS, PEERS
from bench.peers.session import RESULTS
from bench.support import lines
from bench.support.lines import Record
from bench.support.settings import INDUCING

HEAD = (
    *("peer", "nll", "best nll", "accuracy", "Brier", "ECE", "AUC", "s", "cpu s", "s to best"),
    *("induce there, s", "ratio", "MB", "chosen", "ended"),
)
FAILED = ("nan", "error", "time limit", "out of memory")


def reached(curve: list[list[float]], nll: float) -> float | None:
    """Seconds at which a curve first is as good as `nll`."""
    return next((point[0] for point in curve if point[1] is not None and point[1] <= nll), None)


def course(own: Record) -> list[list[float]]:
    """All that was tested on the way, and the end."""
    return [*own["curve"], [own["final"]["seconds"], own["final"]["nll"], 0.0]]


def when_ours(own: Record | None, peer: Record) -> tuple[str, str]:
    """(seconds until induce was as good as the peer's best, ratio of the peer's seconds to that)."""
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
        cells |= {"nll": "not run", "ended": record["message"] if record else "not run"}
        return list(cells.values())
    failed = record["status"] in FAILED
    cells["ended"] = f"{record['status']}: {record['message']}" if failed else record["status"]
    cells["chosen"] = str(len(record["chosen"]))
    if record.get("final"):
        final, best = record["final"], record["best"]
        names = {"nll": "nll", "accuracy": "accuracy", "Brier": "brier", "ECE": "ece", "AUC": "auc"}
        cells |= {column: number(final[name]) for column, name in names.items()}
        cells |= {"best nll": number(best["nll"]), "s to best": f"{best['seconds']:.3g}"}
        mark = "*" if record["busy"] else ""
        cells |= {"s": f"{record['seconds']:.3g}{mark}", "cpu s": f"{record['cpu_seconds']:.3g}"}
        cells["MB"] = f"{record['peak_rss_mb']:.0f}"
        if who not in OURS:
            cells["induce there, s"], cells["ratio"] = when_ours(own, record)
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
    """The tables of one run, one for each set and seed."""
    found = lines.last_by(records, "set", "peer", "seed")
    parts = [title(records)]
    for name in INDUCING:
        for seed in sorted({record["seed"] for record in records if record["set"] == name}):
            own = found.get((name, baseline, seed))
            limit = max(record["max_time"] for record in records if record["set"] == name)
            body = [row(who, found.get((name, who, seed)), own) for who in (*OURS, *PEERS)]
            head = f"### {name}, m = {INDUCING[name]}, seed {seed}, {limit:g} s at most"
            parts.append(f"{head}\n\n{markdown(HEAD, body)}")
    return "\n\n".join(parts)


def quality_cell(record: Record | None, same_m: Record | None, alone: Record | None) -> str:
    """The peer's best and when, and how many times sooner induce was there: with the same m, with no option."""
    if record is None:
        return "not run"
    if not record.get("best"):
        return "not run" if record["status"] == "not run" else f"none ({record['status']})"
    best = record["best"]
    ratios = [times_sooner(own, best) for own in (same_m, alone)]
    failed = f", then {record['status']}" if record["status"] in FAILED else ""
    return f"{number(best['nll'])} at {best['seconds']:.3g} s{failed}: {', '.join(ratios)}"


def times_sooner(own: Record | None, best: Record) -> str:
    if own is None or not own.get("best"):
        return "not run"
    at = reached(course(own), best["nll"])
    if at is None:
        return "never"
    ratio = best["seconds"] / at
    return f"{ratio:.0f}x" if ratio >= 10 else f"{ratio:.1f}x"


GAUSSIAN = [name for name, peer in PEERS.items() if peer.uses_m or peer.most_rows]


def by_set_and_peer(records: list[Record]) -> dict[tuple[str, str], Record]:
    """Those of the first seed."""
    seed = min(record["seed"] for record in records)
    return lines.last_by((row for row in records if row["seed"] == seed), "set", "peer")  # type: ignore[return-value]


def short(records: list[Record]) -> str:
    """One line for each set: induce with no option, the best of the Gaussian process libraries, LightGBM."""
    found = by_set_and_peer(records)
    body = []
    for data in INDUCING:
        own, trees = found.get((data, "induce-auto")), found.get((data, "lightgbm"))
        rivals = [found[data, who] for who in GAUSSIAN if found.get((data, who), {}).get("best")]
        if not own or not rivals:
            body.append([data, *["not run"] * 4])
            continue
        best = min(rivals, key=lambda record: record["best"]["nll"])
        body.append(
            [
                data,
                f"{number(own['final']['nll'])} in {own['seconds']:.2g} s",
                f"{number(best['best']['nll'])} at {best['best']['seconds']:.3g} s ({best['peer']})",
                times_sooner(own, best["best"]),
                f"{number(trees['final']['nll'])} in {trees['seconds']:.2g} s" if trees else "not run",
            ]
        )
    head = ["test NLL", "induce, no option", "best of the GP libraries", "induce was there", "LightGBM"]
    return f"{title(records)}\n\n{markdown(head, body)}"


def end_of(own: Record | None) -> str:
    return f"{number(own['final']['nll'])} in {own['seconds']:.3g} s" if own else "not run"


def summary(records: list[Record]) -> str:
    """Time to quality on all sets, of the libraries with Gaussian processes."""
    found = by_set_and_peer(records)
    body = []
    for data in INDUCING:
        same_m, alone = (found.get((data, who)) for who in ("induce", "induce-auto"))
        ours = [end_of(own) for own in (same_m, alone)]
        cells = [quality_cell(found.get((data, who)), same_m, alone) for who in GAUSSIAN]
        body.append([data, *ours, *cells])
    note = (
        "Each cell: the best NLL on test rows that the library ever had, when, and how many times sooner `induce` was"
        " as good: with the same m, with no option at all."
    )
    table = markdown(["data", "induce, same m", "induce, no option", *GAUSSIAN], body)
    return f"{title(records)}\n\n{table}\n\n{note}"


def legend(baseline: str) -> str:
    return (
        "nll, accuracy, Brier, ECE and AUC are those of the end on the test rows; best nll is the lowest of all tests"
        " on the way. s: seconds of training, * with other work beside it, which makes them upper limits; cpu s: of"
        " all cores together (for induce with reading and testing)."
        f" `induce there`: seconds until `{baseline}` first was as good as the peer's best nll; ratio: the peer's"
        " seconds to its best over that, in brackets and not to be quoted if either had other work beside it. MB:"
        " peak of the process with its imports and tests. chosen: settings that the user had to choose"
        " (bench/peers/peers.py names them)."
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/peers/table", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--summary", action="store_true", help="one table: time to quality")
    parser.add_argument("--short", action="store_true", help="one table: a line for each set")
    parser.add_argument("--all", action="store_true", help="every run, not only the newest")
    parser.add_argument("--baseline", default="induce", choices=list(OURS), help="whose time the ratios compare with")
    args = parser.parse_args()
    records = lines.read(args.out)
    if not records:
        print(f"{args.out}: no results; bench/peers/run makes them", file=sys.stderr)
        return 1
    runs = list(dict.fromkeys(record["run"] for record in records))
    chosen = runs if args.all else runs[-1:]
    if args.summary or args.short:
        make = summary if args.summary else short
        print(*(make([row for row in records if row["run"] == run]) for run in chosen), sep="\n\n")
        return 0
    for run in chosen:
        print(tables([record for record in records if record["run"] == run], args.baseline), end="\n\n")
    print(legend(args.baseline))
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` is no error
    sys.exit(main())
