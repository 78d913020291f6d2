"""How many ranked labels are worth 500 random ones, from records, as Markdown.

bench/rank/table          docs/records/rank.jsonl
bench/rank/table FILE     another record
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import mean, median, stdev

from bench.peers.tables import markdown, number
from bench.support import lines
from bench.support.lines import Record
from bench.support.origin import origin
from bench.support.settings import ROOT

RECORD = ROOT / "docs" / "records" / "rank.jsonl"
FIRST, STEP, HALF, LAST, RANDOM = 50, 25, 175, 300, 500  # labels
TABLES = ("svmguide1", "satimage", "digits", "crescents", "magic")
POOL = "pool"  # the cell of the costs
STARTS, POOLS = 20, 3


def means(starts: list[Record]) -> list[float]:
    """The NLL after 50, 75, ..., 300 ranked labels."""
    return [mean(nll) for nll in zip(*(each["ranked"] for each in starts), strict=True)]


def reached(starts: list[Record]) -> int | None:
    """The labels at which the mean NLL first is that of 500 random rows or less."""
    goal = mean(each["random_500"] for each in starts)
    return next((FIRST + STEP * k for k, nll in enumerate(means(starts)) if nll <= goal), None)


def gain(starts: list[Record], labels: int) -> str:
    """The NLL of random labels less that of 300 ranked ones, with its standard error."""
    gains = [each[f"random_{labels}"] - each["ranked"][-1] for each in starts]
    error = number(stdev(gains) / len(gains) ** 0.5) if len(gains) > 1 else "-"
    return f"{mean(gains):+.4f} ({error})"


def row(name: str, starts: list[Record]) -> list[str]:
    ranked = means(starts)
    at_random = [number(mean(each[f"random_{labels}"] for each in starts)) for labels in (LAST, RANDOM)]
    chosen = [number(ranked[(labels - FIRST) // STEP]) for labels in (HALF, LAST)]
    labels = reached(starts)
    there = str(labels) if labels else f"**not by {LAST}**"
    return [name, str(len(starts)), *at_random, *chosen, gain(starts, LAST), gain(starts, RANDOM), there]


def costs(pools: list[Record]) -> str:
    predict, rank = (median(each[f"{what}_seconds"] for each in pools) for what in ("predict", "rank"))
    rows, m = pools[0]["rows"], pools[0]["m"]
    return (
        f"A pool of {rows:,} rows of {pools[0]['columns']} columns in memory, m = {m}: `predict_proba` takes"
        f" {predict:.2f} s of the processor, `rank_rows(X, 50)`, which predicts too, {rank:.2f} s (medians of"
        f" {len(pools)})."
    )


def table(records: list[Record]) -> str:
    """The whole output."""
    found = lines.last_by(records, "table", "start")
    own = {name: [each for (table, _), each in found.items() if table == name] for name in (*TABLES, POOL)}
    head = ["table", "starts", f"{LAST} random", f"{RANDOM} random", f"{HALF} ranked", f"{LAST} ranked"]
    head += [f"gain over {labels} (error)" for labels in (LAST, RANDOM)] + ["reached"]
    body = [row(name, own[name]) for name in TABLES if own[name]]
    parts = [costs(own[POOL])] if own[POOL] else []
    seconds = sum(record["processor_seconds"] for record in found.values())
    parts.append(f"All: {seconds / 60:.0f} minutes of the processor, {origin(list(found.values()))}.")
    return f"{markdown(head, body)}\n\n{' '.join(parts)}"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="bench/rank/table", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", type=Path, default=RECORD)
    print(table(lines.read(parser.parse_args().file)))


if __name__ == "__main__":
    main()
