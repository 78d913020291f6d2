"""Pages of reports, for tests that open them."""

import json

import numpy as np
import pandas as pd

LARGEST = 1_500_000
CLOSE = 1e-9


def people(rows=300, seed=0, classes=2):
    """Numbers with and without gaps, a date, a category with a rare level, a boolean."""
    random = np.random.default_rng(seed)
    age, income = random.normal(40, 12, rows), random.lognormal(3, 1, rows)
    job, member = random.choice(["cook", "clerk", "pilot", "nurse"], rows), random.random(rows) < 0.5
    score = 0.1 * (age - 40) + (job == "pilot") - member + 0.3 * random.normal(size=rows)
    frame = pd.DataFrame(
        {
            "age": np.where(random.random(rows) < 0.1, np.nan, age),
            "income": income,
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 1000, rows), unit="D"),
            "job": np.where(random.random(rows) < 0.05, None, job),
            "member": member,
        }
    )
    frame.loc[0, "job"] = "astronaut-of-one"
    y = np.digitize(score, [0] if classes == 2 else [-0.5, 0.7])
    return frame, np.array(["no", "yes", "perhaps"])[y]


def opened(browser, page):
    """Open a page that must be quiet, small, quick and alone; return the description of its model."""
    assert page.stat().st_size <= LARGEST
    seconds = min(browser.open(page) for _ in range(3))
    assert seconds < 1
    assert browser.messages == []
    # Chromium's own icon of a date field is a data: address.
    assert [each for each in browser.requests if not each.startswith("data:")] == [page.resolve().as_uri()]
    text = browser.evaluate("(document.getElementById('model') || {}).textContent")
    return json.loads(text) if text else None


def rows_like(spec, count=25):
    """Rows within and beyond the ranges of the controls, with gaps and unknown levels."""
    random = np.random.default_rng(1)
    rows = np.empty((count, len(spec["columns"])))
    for c, column in enumerate(spec["columns"]):
        if "low" in column:
            rows[:, c] = random.normal((column["low"] + column["high"]) / 2, column["high"] - column["low"], count)
            if column["whole"]:
                rows[:, c] = rows[:, c].round()
        else:
            rows[:, c] = random.integers(0, column["unknown"] + 2, count)
    rows[:2] = [column["typical"] for column in spec["columns"]]
    rows[-8:][random.random((8, rows.shape[1])) < 0.3] = np.nan
    rows[-1] = np.nan
    return rows


def expect_same_predictions(browser, spec, model):
    rows = rows_like(spec)
    values = [[None if np.isnan(value) else value for value in row] for row in rows]
    found = browser.evaluate(
        f"{json.dumps(values)}.map((row) => induce.predict(row.map((v) => v === null ? NaN : v)))"
    )
    probability, mean, variance = model.predict(rows)
    if probability.shape[1] == 2:
        probability = probability[:, 1]  # as the page has them
    for name, want in (("probability", probability), ("mean", mean), ("variance", variance)):
        got = np.reshape([each[name] for each in found], want.shape)
        scale = 1 if name == "probability" else 1 + variance
        assert np.max(np.abs(got - want) / scale) < CLOSE, name
