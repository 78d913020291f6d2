"""Prints the records of bench/honesty/run as Markdown, for one build or two.

    bench/honesty/table TODAY.jsonl
    bench/honesty/table BEFORE.jsonl AFTER.jsonl

Errors are standard errors. "Errors apart" is stated less fresh, in errors of this difference.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from bench.support import lines
from bench.support.lines import Record

WITHIN = 2  # errors
HARM = 0.01  # nats above the base rate
Builds = dict[str, list[Record]]  # records by the name of the build, "" if there is one only


def markdown(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *body))


def of_all(count: int, records: Sequence[Record]) -> str:
    return f"{count} of {len(records)}"


def side_by_side(builds: Builds, figures: dict[str, Callable[[list[Record]], str]], what: str) -> str:
    """A line for each figure, a column for each build."""
    body = [[name, *(figure(records) for records in builds.values())] for name, figure in figures.items()]
    return markdown([what, *(name or "figure" for name in builds)], body)


def permuted(builds: Builds) -> str:
    """Weighted tables on their own: a weight of 2 is one label here, but counts as two rows in a fit."""
    parts = []
    for weighted, what in ((False, "tables without signal, no weights"), (True, "without signal, weights")):
        chosen = {name: [r for r in records if r["weighted"] == weighted] for name, records in builds.items()}
        if all(chosen.values()):
            parts.append(side_by_side(chosen, PERMUTED_FIGURES, what))
    return "\n\n".join(parts)


def below(errors: float) -> Callable[[list[Record]], str]:
    def figure(records: list[Record]) -> str:
        return of_all(sum(r["base"] - r["stated"] > errors * r["stated_error"] for r in records), records)

    return figure


def chance(errors: float) -> str:
    return f"{50 * math.erfc(errors / math.sqrt(2)):.1f} % by chance"


PERMUTED_FIGURES = {
    f"stated NLL below the base rate by more than 3 errors ({chance(3)})": below(3),
    f"by more than 2 errors ({chance(2)})": below(2),
    "largest, nats": lambda records: f"{max(r['base'] - r['stated'] for r in records):.3f}",
    f"fresh rows predicted worse than by the base rate, by more than {HARM:g} nats": lambda records: of_all(
        sum(r["excess"] > HARM for r in records), records
    ),
    "largest, nats per row": lambda records: f"{max(r['excess'] for r in records):.4f}",
    "warned that the features do not predict the label": lambda records: of_all(
        sum(r["warned"] for r in records), records
    ),
    "out of time": lambda records: of_all(sum(r["status"] == "budget" for r in records), records),
}


def errors_apart(record: Record) -> float:
    return (record["stated"] - record["fresh"]) / math.hypot(record["stated_error"], record["fresh_error"])


def stated_and_fresh(builds: Builds) -> str:
    """A line for each table, and how many are within two errors."""
    by_case = {name: {record["case"]: record for record in records} for name, records in builds.items()}
    first = {case: record for cases in reversed(by_case.values()) for case, record in cases.items()}
    has_true = any("true" in record for record in first.values())
    head = ["table", "rows", "columns", *(["true, training rows", "true, fresh"] if has_true else [])]
    for name in builds:
        head += [f"{word}{f', {name}' if name else ''}" for word in ("stated", "fresh", "errors apart")]
    body = []
    for case, record in sorted(first.items(), key=lambda item: (item[0].rstrip(" 0123456789"), item[1]["rows"])):
        line = [case, f"{record['rows']}", f"{record['columns']}"]
        line += [f"{record[key]:.3f}" for key in ("true_train", "true")] if has_true else []
        for cases in by_case.values():
            found = cases.get(case)
            line += [
                f"{found['stated']:.3f} ± {found['stated_error']:.3f}",
                f"{found['fresh']:.3f} ± {found['fresh_error']:.3f}",
                f"{errors_apart(found):+.1f}" + ("" if abs(errors_apart(found)) <= WITHIN else " **no**"),
            ] if found else ["-"] * 3  # fmt: skip
        body.append(line)
    figures = WITHIN_FIGURES | (TRUE_FIGURES if has_true else {})
    return markdown(head, body) + "\n\n" + side_by_side(builds, figures, "stated against fresh rows")


def within(records: list[Record]) -> str:
    count = sum(abs(errors_apart(record)) <= WITHIN for record in records)
    return f"{of_all(count, records)} ({100 * count / len(records):.0f} %)"


def out_of_time(records: list[Record]) -> str:
    return f"{sum(r.get('out_of_time', r.get('status') == 'budget') for r in records)}"


WITHIN_FIGURES = {
    f"tables within {WITHIN} errors": within,
    "stated too low by more": lambda records: of_all(sum(errors_apart(r) < -WITHIN for r in records), records),
    "stated too high by more": lambda records: of_all(sum(errors_apart(r) > WITHIN for r in records), records),
    "stated less fresh, nats: median": lambda records: f"{median(r['stated'] - r['fresh'] for r in records):+.4f}",
    "fits out of time": out_of_time,
}
TRUE_FIGURES = {
    "stated less fresh, each less its true NLL: median": lambda records: (
        f"{median(r['stated'] - r['true_train'] - r['fresh'] + r['true'] for r in records):+.4f}"
    ),
}


def folds(builds: Builds) -> str:
    each = {name: [fold for record in records for fold in record["folds"]] for name, records in builds.items()}
    return (
        stated_and_fresh(builds)
        + "\n\n"
        + side_by_side(each, {f"folds within {WITHIN} errors": within}, "fold by fold")
    )


def stability(builds: Builds) -> str:
    head = ["table", "build", "largest change", "mean change", "rows moved by more than .05", "least in the range",
            "largest change within the range", "chosen"]  # fmt: skip
    body = []
    for case in dict.fromkeys(record["case"] for records in builds.values() for record in records):
        for name, records in builds.items():
            body += [stability_line(record, name) for record in records if record["case"] == case]
    if "" in builds:
        return markdown([head[0], *head[2:]], [[line[0], *line[2:]] for line in body])
    return markdown(head, body)


def warp(variant: Record) -> str:
    """As it was called among the candidates, which tell two warps of the same kind apart."""
    names = [next(iter(choice)) for choice in variant["choices"] if "none" in choice]
    return names[0] if names else variant["warp"]


def stability_line(record: Record, build: str) -> list[str]:
    variants = record["variants"]
    worst = max(variants, key=lambda variant: variant["change"])
    row = worst["largest"]
    inside = sum(v["largest"]["low"] <= v["largest"]["to"] <= v["largest"]["high"] for v in variants)
    chosen = Counter(f"{v['kernel'].partition(':')[0]} with {warp(v)}" for v in variants)
    return [
        f"{record['case']}, {record['rows']} rows",
        build,
        f"{worst['change']:.3f} ({worst['variant']}: {row['from']:.2f} to {row['to']:.2f},"
        f" range {row['low']:.2f} to {row['high']:.2f})",
        f"{sum(v['mean_change'] for v in variants) / len(variants):.4f}",
        f"up to {max(v['moved'] for v in variants)} of {record['test_rows']}",
        f"{min(v['contained'] for v in variants)} of {record['test_rows']}",
        f"{inside} of {len(variants)}",
        "; ".join(f"{count} x {name}" for name, count in chosen.most_common()),
    ]


BENCHES = {"permuted": permuted, "signal": stated_and_fresh, "tables": folds, "stability": stability}


def describe(builds: Builds) -> str:
    """Markdown of every bench that all builds have records of."""
    parts = []
    for bench, text in BENCHES.items():
        found = {
            name: list(lines.last_by((r for r in records if r["bench"] == bench), "case").values())
            for name, records in builds.items()
        }
        if all(found.values()):
            parts.append(text(found))
    return "\n\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="bench/honesty/table", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", type=Path, metavar="BEFORE.jsonl")
    parser.add_argument("after", type=Path, nargs="?", metavar="AFTER.jsonl")
    args = parser.parse_args()
    builds = {"before": args.before, "after": args.after} if args.after else {"": args.before}
    print(describe({name: lines.read(path) for name, path in builds.items()}))


if __name__ == "__main__":
    main()
