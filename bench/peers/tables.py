"""Prints the tables of a comparison as markdown, from the JSON lines that bench/peers/run wrote.

    bench/peers/table                      the newest run
    bench/peers/table --all                every run in the file
    bench/peers/table --out FILE           another file of results

Ratios are made only within one run, which is one machine, one budget for each set and one seed. A cell that was not run says so.
"""

from __future__ import annotations

import argparse
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


def when_ours(own: Record | None, peer: Record) -> tuple[str, str]:
    """(seconds until induce was as good as the peer's best, ratio of the peer's seconds to that)."""
    if own is None or not own.get("best"):
        return "not run", "-"
    if not peer.get("best"):
        return "-", "-"
    best = peer["best"]
    final = own["final"]
    at = reached([*own["curve"], [final["seconds"], final["nll"], 0.0]], best["nll"])
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
            parts.append(f"### {name}, m = {INDUCING[name]}, seed {seed}, {limit:g} s at most\n\n{markdown(HEAD, body)}")
    return "\n\n".join(parts)


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
    parser.add_argument("--all", action="store_true", help="every run, not only the newest")
    parser.add_argument("--baseline", default="induce", choices=list(OURS), help="whose time the ratios compare with")
    args = parser.parse_args()
    records = lines.read(args.out)
    if not records:
        print(f"{args.out}: no results; bench/peers/run makes them", file=sys.stderr)
        return 1
    runs = list(dict.fromkeys(record["run"] for record in records))
    for run in runs if args.all else runs[-1:]:
        print(tables([record for record in records if record["run"] == run], args.baseline), end="\n\n")
    print(legend(args.baseline))
    return 0


if __name__ == "__main__":
    sys.exit(main())
