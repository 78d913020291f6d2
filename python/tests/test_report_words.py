"""What the page says about a model is so: its base rate, the levels it names, the columns it calls important."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss
from test_report import program  # noqa: F401, a fixture

from induce import GPClassifier

LEVELS = 30


def jobs(rows, seed=0):
    """A category of many levels, most of them far below the frequent one, and a column that hardly matters."""
    random = np.random.default_rng(seed)
    job = np.where(random.random(rows) < 0.5, "most", [f"job {k:02}" for k in random.integers(1, LEVELS, rows)])
    effect = np.where(job == "most", 1.0, -2.0)
    table = pd.DataFrame({"job": job, "age": random.normal(size=rows), "noise": random.normal(size=rows)})
    table.loc[:2, "job"] = ["one", "two", "three"]  # too rare for a line of their own
    y = np.where(random.random(rows) < 1 / (1 + np.exp(-effect - 3 * table["age"])), "yes", "no")
    return table, y


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    X, y = jobs(1500)
    path = tmp_path_factory.mktemp("report") / "page.html"
    classifier = GPClassifier(inducing=40, kernel="se", warp="none").fit(X, y)
    classifier.report(path, *jobs(300, seed=1), held_out=True)
    return path.read_text()


def figure(page, column):
    (own,) = (each for each in page.split('<figure class="card">') if f"<strong><bdi>{column}</bdi></strong>" in each)
    return own.split("</figure>")[0]


def test_levels_that_are_named_are_drawn(page):
    own = figure(page, "job")
    caption, rest = own.split("</figcaption>")
    drawn = set(re.findall(r"<text[^>]*>([^<]+)</text>", rest.split("</svg>")[0]))
    table = set(re.findall(r'<th scope="row"><bdi>([^<]+)</bdi>', rest))
    named = re.findall(r"at <bdi>([^<]+)</bdi>", caption)
    assert len(named) == 2
    assert set(named) <= drawn
    assert table <= drawn
    assert len(table) == 12


def test_levels_that_are_not_drawn_are_counted(page):
    assert f"{LEVELS + 3 - 12} more levels are not shown" in figure(page, "job")


def test_a_column_of_0_percent_has_no_direction(page):
    own = figure(page, "noise").split("</figcaption>")[0]
    assert "0\u00a0% of the variation" in own
    assert "next to nothing" in own
    assert "likely" not in own


def test_explain_says_nothing_about_a_column_of_0_percent(program, tmp_path):  # noqa: F811
    X, y = jobs(1500)
    X.assign(label=y).to_csv(tmp_path / "train.csv", index=False)
    program("fit", tmp_path / "train.csv", "--inducing", 40, "--kernel", "se", "--warp", "none", "-o", tmp_path / "m")
    lines = {line.split()[0]: line for line in program("explain", tmp_path / "m").decode().splitlines()}
    assert lines["noise"].endswith("next to nothing")
    assert "rises from" in lines["age"]


def test_the_base_rate_is_that_of_training_in_the_page_and_the_summary(program, tmp_path):  # noqa: F811
    frames = {}
    for name, seed, rows in (("train", 0, 400), ("test", 1, 150)):
        X, y = jobs(rows, seed)
        frames[name] = X.assign(label=y)
        frames[name].to_csv(tmp_path / f"{name}.csv", index=False)
    test = tmp_path / "test.csv"
    fit = (
        "fit",
        tmp_path / "train.csv",
        "--test",
        test,
        "--inducing",
        10,
        "--kernel",
        "se",
        "--json",
        tmp_path / "j",
    )
    text = program(*fit, "-o", tmp_path / "m").decode()
    rate = (frames["train"]["label"] == "yes").mean()
    want = log_loss(frames["test"]["label"], np.full(150, rate), labels=["no", "yes"])
    assert f"nll of the base rate {want:.4f}" in text
    summary = json.loads((tmp_path / "j").read_text())
    assert summary["calibration"]["base_nll"] == pytest.approx(want, abs=1e-12)
    count = round(400 * rate)
    assert summary["class_counts"][1] == {"name": "yes", "count": count, "weight": count}
    pages = {}
    for name, more in (("known", ["--summary", tmp_path / "j"]), ("unknown", [])):
        program("report", tmp_path / "m", test, *more, "-o", tmp_path / name)
        pages[name] = (tmp_path / name).read_text()
    assert (
        f"{want:.4f} by giving every row the class frequencies of the training rows (the base rate)" in pages["known"]
    )
    assert "by giving every row the class frequencies of these rows" in pages["unknown"]
    assert "base rate" not in pages["unknown"]

    classifier = GPClassifier(inducing=10, kernel="se").fit(
        frames["train"].drop(columns="label"), frames["train"]["label"]
    )
    classifier.save(tmp_path / "saved")
    for each in (classifier, GPClassifier.load(tmp_path / "saved")):
        each.report(tmp_path / "page", frames["test"].drop(columns="label"), frames["test"]["label"])
        assert (
            f"{want:.4f} by giving every row the class frequencies of the training rows"
            in (tmp_path / "page").read_text()
        )


@pytest.mark.parametrize(
    ("rows", "reason"),
    [(600, "highest bound over all rows"), (4500, r"by [\d,]+ rows of the training table that were held out")],
)
def test_choices_name_their_rule(rows, reason, tmp_path):
    GPClassifier(inducing=20).fit(*jobs(rows)).report(tmp_path / "page")
    assert re.search(reason, (tmp_path / "page").read_text())
