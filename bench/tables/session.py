"""Small and medium public tables, label `class`: induce, trees, logistic regression, all by default.

    bench/tables/run                             all tables of ../shared/data/tables, row i in fold i mod 5
    bench/tables/run FOLDER --folds 0            another folder of CSV files; the first fold only
    bench/tables/run --only pima wine            these tables
    bench/tables/run --libraries induce --again  another build of induce: its fits anew, the others stay
    bench/tables/run --libraries induce --command OTHER/induce --name other --out FILE
    bench/results/pages                          writes what follows from docs/records/tables.jsonl into the pages

Each fit uses one thread and adds a JSON line to --out. A fit that is there is not repeated.
Trees get text columns as categories; logistic regression gets them one-hot, numbers standardised, and gaps imputed.
"""

from __future__ import annotations

import argparse
import json
import lzma
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd

from bench.support import lines, machine
from bench.support.settings import DATA, INDUCE, ROOT

LABEL = "class"
FOLDS = 5
LEAST = 1e-15  # probability, as in induce's metrics
SLOW = ["splice", "movement_libras", "chess", "mushroom", "marketing"]  # come last
MARKERS = ["?", "NA", "N/A", "null", "None", ""]
Predicted = tuple[np.ndarray, list[str]]  # probabilities, the classes of their columns
Split = tuple[pd.DataFrame, pd.Series, pd.DataFrame]  # features and labels to learn from, features to predict


def text_of(path: Path) -> list[str]:
    raw = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    return raw.decode().replace("<null>", "NA").splitlines()


def texts(X: pd.DataFrame) -> list[str]:
    return [name for name in X if not pd.api.types.is_numeric_dtype(X[name])]


def catboost(split: Split) -> Predicted:
    from catboost import CatBoostClassifier

    X, y, X_test = split
    categories = texts(X)
    X, X_test = (part.assign(**{name: part[name].fillna("missing") for name in categories}) for part in (X, X_test))
    model = CatBoostClassifier(cat_features=categories, verbose=False, allow_writing_files=False, thread_count=1)
    model.fit(X, y)
    return model.predict_proba(X_test), [str(name) for name in model.classes_]


def for_lightgbm(split: Split) -> Split:
    X, y, X_test = split
    kinds = {name: pd.CategoricalDtype(sorted(X[name].dropna().unique())) for name in texts(X)}
    return X.astype(kinds), y, X_test.astype(kinds)


def lightgbm(split: Split) -> Predicted:
    from lightgbm import LGBMClassifier

    X, y, X_test = for_lightgbm(split)
    model = LGBMClassifier(verbose=-1, n_jobs=1).fit(X, y)
    return model.predict_proba(X_test), list(model.classes_)


def lightgbm_stopped(split: Split) -> Predicted:
    """The number of trees by a fifth of the rows."""
    from lightgbm import LGBMClassifier, early_stopping
    from sklearn.model_selection import train_test_split

    X, y, X_test = for_lightgbm(split)
    own, held, y_own, y_held = train_test_split(X, y, test_size=0.2, random_state=0, stratify=y)
    model = LGBMClassifier(verbose=-1, n_jobs=1, n_estimators=1000)
    model.fit(own, y_own, eval_set=[(held, y_held)], callbacks=[early_stopping(50, verbose=False)])
    return model.predict_proba(X_test), list(model.classes_)


def logistic(split: Split) -> Predicted:
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    X, y, X_test = split
    categories = texts(X)
    prepared = ColumnTransformer([
        ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), [name for name in X if name not in categories]),
        ("texts", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")),
         categories),
    ])  # fmt: skip
    model = make_pipeline(prepared, LogisticRegression(max_iter=1000)).fit(X, y)
    return model.predict_proba(X_test), list(model.classes_)


PEERS: dict[str, Callable[[Split], Predicted]] = {
    "CatBoost": catboost, "LightGBM": lightgbm, "LightGBM, stopped": lightgbm_stopped, "logistic": logistic,
}  # fmt: skip


def fit_induce(command: Path, head: str, parts: tuple[list[str], list[str]]) -> lines.Record:
    with tempfile.TemporaryDirectory() as folder:
        train, test, summary = (Path(folder) / name for name in ("train.csv", "test.csv", "summary.json"))
        for path, part in zip((train, test), parts, strict=True):
            path.write_text("\n".join([head, *part]) + "\n")
        words = [command, "fit", train, "--test", test, "--label", LABEL, "--json", summary]
        words += ["--quiet", "--threads", 1]
        subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)
        found = json.loads(summary.read_text())
    stated = (found.get("cross_validation") or {}).get("nll")
    return {"nll": found["test"]["nll"], "stated": stated, "kernel": found["kernel"], "passes": found["passes"]}


def fit_peer(fit: Callable[[Split], Predicted], train: pd.DataFrame, test: pd.DataFrame) -> lines.Record:
    y = test[LABEL].astype(str)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        p, classes = fit((train.drop(columns=LABEL), train[LABEL].astype(str), test.drop(columns=LABEL)))
    column = {name: k for k, name in enumerate(classes)}
    of_label = [p[i, column[name]] if name in column else 0 for i, name in enumerate(y)]
    return {"nll": float(-np.log(np.maximum(of_label, LEAST)).mean())}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/tables/run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=DATA / "tables")
    parser.add_argument("--folds", type=int, nargs="*", default=list(range(FOLDS)), choices=range(FOLDS))
    parser.add_argument("--only", nargs="*", metavar="TABLE")
    parser.add_argument("--libraries", nargs="*", default=["induce", *PEERS], choices=["induce", *PEERS])
    parser.add_argument("--command", type=Path, default=INDUCE)
    parser.add_argument("--name", default="induce", help="of this induce in the records")
    parser.add_argument("--again", action="store_true", help="removes the fits of this induce from --out first")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "records" / "tables.jsonl")
    args = parser.parse_args()
    paths = {path.name.partition(".csv")[0]: path for path in sorted(args.folder.glob("*.csv*"))}
    if missing := set(args.only or []) - paths.keys() or (set() if paths else {"*.csv"}):
        print(f"bench/tables/run: {args.folder} has no {', '.join(sorted(missing))}", file=sys.stderr)
        return 2
    names = sorted(args.only or paths, key=lambda name: (name in SLOW and SLOW.index(name) + 1, name))
    records = lines.read(args.out)
    if args.again:
        records = [record for record in records if record["library"] != args.name]
        args.out.write_text("".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records))
    done = lines.last_by(records, "table", "fold", "library")
    built = {"build": machine.build_of(args.command)} if args.command.is_file() else {}
    commit = machine.commit()
    for fold in args.folds:
        for table in names:
            head, *rows = text_of(paths[table])
            text = StringIO("\n".join([head, *rows]))
            whole = pd.read_csv(text, na_values=MARKERS, keep_default_na=False, skipinitialspace=True)
            held = np.arange(len(rows)) % FOLDS == fold
            for library in args.libraries:
                own_name = args.name if library == "induce" else library
                if (table, fold, own_name) in done:
                    continue
                begun, used = time.perf_counter(), machine.processor_seconds()
                if library == "induce":
                    train, test = ([rows[i] for i in np.flatnonzero(held == side)] for side in (False, True))
                    found = fit_induce(args.command, head, (train, test)) | {"commit": commit, **built}
                else:
                    found = fit_peer(PEERS[library], whole[~held], whole[held])
                found["seconds"] = time.perf_counter() - begun
                found["processor_seconds"] = machine.processor_seconds() - used
                found = {name: lines.significant(x) if isinstance(x, float) else x for name, x in found.items()}
                head_of_line = {"table": table, "fold": fold, "library": own_name}
                lines.append(args.out, {**head_of_line, **found, "when": machine.now()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
