"""What a DataFrame says about itself: warnings and errors with the words of the command line, for the same tables."""

import csv
import os
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from induce import Error, GPClassifier

COMMAND = Path(os.environ["INDUCE_COMMAND"]).resolve() if "INDUCE_COMMAND" in os.environ else "induce"
ROWS = 60


def table(**columns):
    random = np.random.default_rng(0)
    x = random.normal(size=ROWS).round(3)
    return pd.DataFrame({"x": x, **columns}), np.where(x + random.normal(0, 0.3, ROWS) > 0, "yes", "no")


def command(folder, *arguments):
    return subprocess.run([COMMAND, *map(str, arguments)], cwd=folder, capture_output=True, text=True)


def fitted(X, y, **options):
    return GPClassifier(inducing=5, kernel="se", warp="none", **options).fit(X, y)


def warnings_of(recwarn):
    return [str(each.message) for each in recwarn]


def test_ids_and_codes(recwarn, tmp_path):
    X, y = table(number=np.arange(1001, 1001 + ROWS), zip=[f"0{10 + k % 9}" for k in range(ROWS)])
    fitted(X, y)
    ids, codes = warnings_of(recwarn)
    assert ids.startswith("column 'number' looks like an id: 60 different whole numbers in 60 cells, and is used as")
    assert "drop=['number']" in ids
    assert "categorical_features=['number']" in ids
    assert codes.startswith("column 'zip' has 60 numbers with leading zeros")
    X.assign(label=y).to_csv(tmp_path / "t.csv", index=False, quoting=csv.QUOTE_NONNUMERIC)
    said = command(tmp_path, "fit", "t.csv", "--max-iter", 2, "-o", "m").stderr
    assert "column 2 ('number') looks like an id: 60 different whole numbers in 60 cells, and is used as" in said
    assert "column 3 ('zip') has 60 numbers with leading zeros" in said
    recwarn.clear()
    fitted(X, y, numeric_features=["number", "zip"])
    assert not warnings_of(recwarn)


def test_many_levels(recwarn):
    random = np.random.default_rng(0)
    X = pd.DataFrame({"x": random.normal(size=600), "item": [f"item {k % 150}" for k in range(600)]})
    noise = 0.1 * random.normal(size=600)
    fitted(X, X["x"] + noise > 0.1)
    (text,) = warnings_of(recwarn)
    assert text.startswith("column 'item' is a category of 150 levels in 600 cells, such as 'item 0'")
    assert "drop=['item']" in text


def test_dates_percentages_and_amounts(recwarn):
    X, y = table(
        when=[f"{1 + k % 28:02}.01.2021" for k in range(ROWS)],
        share=[f"{k % 7},5 %" for k in range(ROWS)],
        price=[f"${1 + k % 5},680.40" for k in range(ROWS)],
    )
    classifier = fitted(X, y)
    assert [column.kind for column in classifier.columns_] == ["number", "date", "number", "number"]
    assert not warnings_of(recwarn)
    with pytest.raises(
        Error, match=r"column 'when': the day or the month may come first in '01/02/2022'; convert the"
    ):
        fitted(X.assign(when="01/02/2022"), y)


def test_the_order_of_day_and_month(tmp_path):
    X, y = table(when=[f"{1 + k % 9:02}/{1 + k % 12:02}/2021" for k in range(ROWS)])
    X.assign(label=y).to_csv(tmp_path / "t.csv", index=False)
    days = {}
    for order in ("day-first", "month-first"):
        classifier = fitted(X, y, dates=order)
        assert (
            command(
                tmp_path, "fit", "t.csv", "--dates", order, "--inducing=5", "--kernel=se", "--warp=none", "-o", order
            ).returncode
            == 0
        )
        days[order] = classifier.predict_proba(X)
        np.testing.assert_array_equal(
            GPClassifier.load(tmp_path / order).set_params(dates=order).predict_proba(X), days[order]
        )
        classifier.save(tmp_path / "m")
        np.testing.assert_array_equal(GPClassifier.load(tmp_path / "m").predict_proba(X), days[order])
    assert not np.array_equal(*days.values())
    with pytest.raises(
        Error,
        match="column 'when': the day or the month may come first in .*; convert the column to dates, "
        "or say dates='day-first' or dates='month-first'",
    ):
        fitted(X, y)
    with pytest.raises(Error, match="dates = 'year-first': must be None, 'day-first' or 'month-first'"):
        fitted(X, y, dates="year-first")


def test_unknown_levels(tmp_path):
    X, y = table(city=["Bern", "Rome", "Oslo"] * 20)
    new = X.assign(city=["Bern", "Paris", "Kiel", "Paris"] * 15)
    classifier = fitted(X, y)
    with pytest.warns(
        UserWarning, match="column 'city': 2 values are unknown to the model, the first 'Paris' in row 1"
    ):
        classifier.predict(new)
    X.assign(label=y).to_csv(tmp_path / "t.csv", index=False)
    new.to_csv(tmp_path / "new.csv", index=False)
    command(tmp_path, "fit", "t.csv", "--max-iter", 2, "-o", "m")
    said = command(tmp_path, "predict", "m", "new.csv").stderr
    assert "'city'): 2 values are unknown to the model, the first 'Paris' in line 3" in said


def test_equal_names(tmp_path):
    X, y = table()
    twice = pd.concat([X, X], axis=1)
    with pytest.raises(Error, match="two columns are called 'x'; names must differ"):
        fitted(twice, y)
    twice.assign(label=y).to_csv(tmp_path / "t.csv", index=False)
    done = command(tmp_path, "fit", "t.csv")
    assert done.returncode == 1
    assert "two columns are called 'x'; names must differ" in done.stderr


@pytest.mark.parametrize("kind", [object, "string", "category", float])
def test_missing_labels(kind, tmp_path):
    X, y = table()
    labels = pd.Series(y == "yes", dtype=float) if kind is float else pd.Series(y, dtype=kind)
    labels[[3, 5]] = np.nan if kind is float else None
    with pytest.raises(ValueError, match="Input y contains NaN: 2 of 60 rows have no label; leave them out"):
        fitted(X, labels)
    rows = pd.notna(labels)
    fitted(X[rows], labels[rows])
    X.assign(label=labels).to_csv(tmp_path / "t.csv", index=False)
    said = command(tmp_path, "fit", "t.csv", "--max-iter", 2, "-o", "m").stderr
    assert "2 rows have no label and are left out" in said
