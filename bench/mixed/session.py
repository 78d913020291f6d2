"""Tables as people have them, with texts and gaps: induce beside trees that know categories (Markdown).

    bench/mixed/run                                  adult, its published split
    bench/mixed/run --gaps 10 30                     also with this percentage of its cells removed at random
    bench/mixed/run FILE.csv --label NAME            another table, every fifth row held out (--seed)
    bench/mixed/run --catboost                       CatBoost too, which takes longer than the rest
    bench/mixed/run --out FILE                       also adds a JSON line per fit to a file

Every library has its defaults. Trees get the text columns as categories, and NaN for what is missing. With --gaps,
`complete rows` is induce trained on the rows that have no gap. Compare times within one run only.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import lightgbm
import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import accuracy_score, log_loss

from bench.support import lines, machine
from bench.support.settings import DATA, INDUCE

ADULT = DATA / "mixed"
MARKERS = ["?", "NA", "N/A", "null", "None", ""]
Split = tuple[pd.DataFrame, pd.DataFrame]


def read(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, na_values=MARKERS, skipinitialspace=True)


def with_gaps(table: pd.DataFrame, label: str, percent: float, seed: int) -> pd.DataFrame:
    """A copy with so many cells removed, each by chance; never labels."""
    random = np.random.default_rng(seed)
    features = table.drop(columns=label)
    removed = features.mask(random.random(features.shape) < percent / 100)
    return removed.assign(**{label: table[label]})


Fit = tuple[float, float, float]  # NLL, accuracy, seconds
DISTRIBUTION = {"LightGBM": "lightgbm", "HistGradientBoosting": "scikit-learn", "CatBoost": "catboost"}


def fit_induce(command: Path, split: Split, label: str) -> Fit:
    with tempfile.TemporaryDirectory() as folder:
        train, test, summary = (Path(folder) / name for name in ("train.csv", "test.csv", "summary.json"))
        split[0].to_csv(train, index=False)
        split[1].to_csv(test, index=False)
        words = [command, "fit", train, "--test", test, "--label", label, "--json", summary, "--quiet"]
        subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)
        found = json.loads(summary.read_text())
    return found["test"]["nll"], found["test"]["accuracy"], found["seconds"]


def for_trees(split: Split, label: str) -> tuple[pd.DataFrame, np.ndarray, pd.DataFrame, np.ndarray]:
    train, test = (part.drop(columns=label) for part in split)
    for name in train:
        if not pd.api.types.is_numeric_dtype(train[name]):
            levels = sorted(train[name].dropna().astype(str).unique())
            for part in (train, test):
                texts = part[name].where(part[name].isna(), part[name].astype(str))
                part[name] = pd.Categorical(texts, categories=levels)
    return train, split[0][label].to_numpy().astype(str), test, split[1][label].to_numpy().astype(str)


def fit_trees(make: Callable[[list[str]], object], split: Split, label: str,
              *, texts: bool = False) -> Fit:  # fmt: skip
    """`texts`: a missing category is a text, as CatBoost wants it."""
    train, y, test, y_test = for_trees(split, label)
    categories = [name for name in train if train[name].dtype == "category"]
    if texts:
        for part in (train, test):
            part[categories] = part[categories].astype(object).fillna("missing")
    begun = time.perf_counter()
    model = make(categories).fit(train, y)  # type: ignore[attr-defined]
    seconds = time.perf_counter() - begun
    p = model.predict_proba(test)
    order = list(model.classes_)
    return log_loss(y_test, p, labels=order), accuracy_score(y_test, np.array(order)[p.argmax(axis=1)]), seconds


def catboost(categories: list[str], seed: int) -> object:
    from catboost import CatBoostClassifier

    return CatBoostClassifier(cat_features=categories, random_seed=seed, verbose=False, allow_writing_files=False)


def fits(args: argparse.Namespace, split: Split, *, gaps: bool) -> Iterator[tuple[str, Callable[[], Fit]]]:
    """Each library with what fits it."""
    yield "induce", lambda: fit_induce(args.command, split, args.label)
    yield "LightGBM", lambda: fit_trees(lambda _: lightgbm.LGBMClassifier(verbose=-1), split, args.label)
    histogram = HistGradientBoostingClassifier(categorical_features="from_dtype")
    yield "HistGradientBoosting", lambda: fit_trees(lambda _: histogram, split, args.label)
    if args.catboost or args.only:
        make = partial(catboost, seed=args.seed)
        yield "CatBoost", lambda: fit_trees(make, split, args.label, texts=True)
    if gaps:
        yield "induce, complete rows", lambda: fit_induce(args.command, (split[0].dropna(), split[1]), args.label)


def version(library: str, command: Path) -> str:
    if library in DISTRIBUTION:
        return importlib.metadata.version(DISTRIBUTION[library])
    return subprocess.run([str(command), "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/mixed/run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", type=Path, help="CSV; default: adult")
    parser.add_argument("--label", default="income")
    parser.add_argument("--gaps", type=float, nargs="*", default=[], metavar="PERCENT")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--command", type=Path, default=INDUCE)
    parser.add_argument("--catboost", action="store_true", help="CatBoost with its defaults too (slow)")
    parser.add_argument("--only", nargs="+", metavar="LIBRARY", help="of those that the table names")
    parser.add_argument("--out", type=Path, help="file for a JSON line per fit")
    args = parser.parse_args()
    if args.file:
        table = read(args.file)
        if args.label not in table:
            print(f"bench/mixed/run: {args.file} has no column {args.label}", file=sys.stderr)
            return 2
        table = table[table[args.label].notna()]
        order = np.random.default_rng(args.seed).permutation(len(table))
        held = order[: len(table) // 5]
        split = (table.drop(index=table.index[held]), table.iloc[held])
    elif ADULT.exists():
        split = (read(ADULT / "adult.train.csv.xz"), read(ADULT / "adult.test.csv.xz"))
    else:
        print("bench/mixed/run: no adult data here; give a CSV file and --label", file=sys.stderr)
        return 2

    about, run = machine.machine(), machine.now()
    print(f"{about['cores']} cores of {about['cpu']}, {run}.\n")
    print("| cells removed, % | library | NLL | accuracy | seconds |\n|---|---|---|---|---|")
    for percent in [0.0, *args.gaps]:
        train, test = (with_gaps(part, args.label, percent, args.seed + k) for k, part in enumerate(split))
        for name, fit in fits(args, (train, test), gaps=percent > 0):
            if name not in (args.only or [name]):
                continue
            before = machine.busy_cores()
            nll, accuracy, seconds = fit()
            print(f"| {percent:g} | {name} | {nll:.4f} | {accuracy:.4f} | {seconds:.1f} |", flush=True)
            if args.out:
                head = {"run": run, "set": args.file.stem if args.file else "adult", "peer": name, "removed": percent}
                found = {"nll": nll, "accuracy": accuracy, "seconds": seconds, "version": version(name, args.command)}
                load = {"others_before": before, "busy": before > machine.BUSY}
                lines.append(args.out, {**head, "machine": about, **load, "commit": machine.commit(), **found})
    return 0


if __name__ == "__main__":
    sys.exit(main())
