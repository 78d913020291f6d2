"""The report for people (its what-if: test_what_if.py)."""

import json
import os
import re
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from export_models import OLD_ADDITIVE, old_model
from report_pages import CLOSE, LARGEST, expect_same_predictions, opened, people, rows_like
from scipy import sparse

import induce
from induce import GPClassifier

SHARED = Path(os.environ.get("INDUCE_SHARED", Path(__file__).parents[2].parent / "shared")) / "data"


@pytest.fixture
def program():
    command = os.environ.get("INDUCE_COMMAND")
    if not command:
        pytest.skip("INDUCE_COMMAND is not set: ./go test sets it")
    return lambda *arguments: (
        subprocess.run([os.path.abspath(command), *map(str, arguments)], check=True, capture_output=True).stdout
    )


def test_controls_change_what_is_shown(browser, tmp_path):
    X, y = people(300)
    classifier = GPClassifier(inducing=20).fit(X, y)
    classifier.report(tmp_path / "page.html", X, y, held_out=True, rows=True)
    opened(browser, tmp_path / "page.html")
    set_value = """((id, property, value, event) => {
      const control = document.getElementById(id);
      control[property] = value;
      control.dispatchEvent(new Event(event));
      return document.getElementById("probability").textContent;
    })"""

    def shown(row):
        assert browser.evaluate("induce.row()") == [None if np.isnan(value) else value for value in row]
        chance = classifier.model_.predict(np.array([row]))[0][0, 1]
        return f"{100 * chance:.{1 if 0.001 < chance < 0.999 else 3}f} %"

    row = browser.evaluate("induce.typical")
    row[0] = 61.25
    assert browser.evaluate(f'{set_value}("value-0", "value", "61.25", "input")') == shown(row)
    row[2] = 18_300.0
    assert browser.evaluate(f'{set_value}("value-2", "value", "2020-02-08", "input")') == shown(row)
    row[3] = float(classifier.columns_[3].levels.index("pilot"))
    assert browser.evaluate(f'{set_value}("value-3", "value", "{row[3]:.0f}", "change")') == shown(row)
    row[1] = np.nan  # training had all of them: averaged
    assert browser.evaluate(f'{set_value}("value-1-missing", "checked", true, "change")') == shown(row)
    browser.evaluate("new Promise((done) => setTimeout(done, 100))")
    bars = browser.evaluate("[...document.querySelectorAll('#contributions > div')].map((each) => each.textContent)")
    assert len(bars) == 4
    first = browser.evaluate("document.querySelector('button.row[data-row]').click(); induce.row()")
    rows = classifier._read_columns(X)
    surprising = int(browser.evaluate("document.querySelector('button.row[data-row]').dataset.row"))
    np.testing.assert_array_equal(np.array(first, dtype=float), rows[surprising])
    truth = classifier.predict_proba(X)[np.arange(len(y)), (y == "yes").astype(int)]
    assert surprising == np.argmin(truth)
    # Every control has a label, every picture a description, and the result is announced.
    assert browser.evaluate(
        "[...document.querySelectorAll('input,select')].every((each) => each.labels.length || each.ariaLabel)"
    )
    assert browser.evaluate("[...document.querySelectorAll('svg')].every((each) => each.getAttribute('aria-label'))")
    assert browser.evaluate("document.getElementById('probability').closest('[aria-live]') !== null")


def expect_page_of_shared_data(browser, program, tmp_path, train, test, *options):
    program("fit", train, "--quiet", "--json", tmp_path / "fit.json", "-o", tmp_path / "m", *options)
    arguments = ("report", tmp_path / "m", test, "--held-out", "--summary", tmp_path / "fit.json", "-o")
    program(*arguments, tmp_path / "one.html")
    program(*arguments, tmp_path / "two.html", "--threads", 1)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    spec = opened(browser, tmp_path / "one.html")
    expect_same_predictions(browser, spec, induce._core.Model.load(str(tmp_path / "m")))
    assert "held-out rows" in (tmp_path / "one.html").read_text()


def test_german(browser, program, tmp_path):
    if not SHARED.exists():
        pytest.skip(f"{SHARED} is not there: data sets are not part of the project")
    train, test = SHARED / "german.train.svm.xz", SHARED / "german.test.svm.xz"
    expect_page_of_shared_data(browser, program, tmp_path, train, test)


def test_adult(browser, program, tmp_path):
    if not SHARED.exists():
        pytest.skip(f"{SHARED} is not there: data sets are not part of the project")
    pd.read_csv(SHARED / "mixed" / "adult.train.csv.xz").head(3000).to_csv(tmp_path / "train.csv", index=False)
    test = SHARED / "mixed" / "adult.test.csv.xz"
    options = ("--label", "income", "--inducing", 60, "--kernel", "se")
    expect_page_of_shared_data(browser, program, tmp_path, tmp_path / "train.csv", test, *options)


def test_satimage(browser, program, tmp_path):
    if not SHARED.exists():
        pytest.skip(f"{SHARED} is not there: data sets are not part of the project")
    data = SHARED / "multiclass" / "satimage.svm.xz"
    options = ("--inducing", 100, "--kernel", "se", "--max-iter", 10)
    expect_page_of_shared_data(browser, program, tmp_path, data, data, *options)


HOSTILE = [
    "<script>document.title='taken'</script>",
    "</script><img src=x onerror=\"document.title='taken'\">",
    "\"'&amp;<!-- {{script}} {{parts}}",
    "x" * 10_000,
    "\u202eabc \u05d0\u05d1\u05d2",
    "${alert(1)} \\u003c \\",
]


def test_hostile_names_are_text(browser, program, tmp_path):
    random = np.random.default_rng(0)
    names = [*HOSTILE, "\ufffd\ufffd that were not UTF-8", HOSTILE[0] + " label"]
    lines = [b",".join(b'"' + name.encode().replace(b'"', b'""') + b'"' for name in names)]
    for _ in range(150):
        number, level = random.normal(size=6), HOSTILE[random.integers(0, 4)]
        label = HOSTILE[1] if number[0] > 0 else HOSTILE[3]
        cells = [*(f"{value:.3f}" for value in number), level, label]
        lines.append(b",".join(b'"' + cell.encode().replace(b'"', b'""') + b'"' for cell in cells))
    (tmp_path / "train.csv").write_bytes(b"\n".join(lines) + b"\n")
    program("fit", tmp_path / "train.csv", "--label=-1", "--quiet", "--inducing", 15, "-o", tmp_path / "m")
    program("report", tmp_path / "m", tmp_path / "train.csv", "--rows", "-o", tmp_path / "page.html")
    (tmp_path / "page.html").read_bytes().decode("utf-8")  # no error
    spec = opened(browser, tmp_path / "page.html")
    assert browser.evaluate("document.title").startswith("<script>")
    assert browser.evaluate("document.images.length") == 0
    assert browser.evaluate("document.scripts.length") == 2
    names = [column["name"] for column in spec["columns"]]
    assert names[0] == HOSTILE[0]
    assert names[3] == "x" * 39 + "…"
    shown = browser.evaluate("[...document.querySelectorAll('#controls label')].map((each) => each.textContent)")
    assert set(names) <= set(shown)
    expect_same_predictions(browser, spec, induce._core.Model.load(str(tmp_path / "m")))


def test_no_rows_unless_asked(tmp_path):
    X, y = people(300)
    classifier = GPClassifier(inducing=20).fit(X, y)
    classifier.report(tmp_path / "page.html", X, y)
    page = (tmp_path / "page.html").read_text()
    assert "astronaut" not in page
    assert 'data-row="' not in page
    assert "too good" in page  # not said to be held-out
    classifier.report(tmp_path / "again.html", X, y)
    assert page == (tmp_path / "again.html").read_text()
    assert re.search(r"Content-Security-Policy\" content=\"default-src 'none'", page)
    assert not re.search(r"https?://", page)


def test_a_million_rows(browser, tmp_path, banana):
    classifier = GPClassifier(inducing=10, kernel="se").fit(*banana)
    random = np.random.default_rng(0)
    sizes = []
    for rows in (1000, 1_000_000):
        X = random.normal(size=(rows, 2))
        classifier.report(tmp_path / "page.html", X, (X[:, 0] > 0).astype(int), held_out=True)
        assert opened(browser, tmp_path / "page.html") is not None
        sizes.append((tmp_path / "page.html").stat().st_size)
    assert sizes[1] < 1.1 * sizes[0]


def test_a_model_that_is_too_large_says_so(browser, tmp_path):
    random = np.random.default_rng(0)
    X = random.normal(size=(110, 2100))
    y = (X[:, 0] > 0).astype(int)
    classifier = GPClassifier(inducing=100, kernel="se", warp="none", max_iter=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it does not converge, nor learn much
        classifier.fit(X, y)
    classifier.report(tmp_path / "page.html", X, y)
    assert opened(browser, tmp_path / "page.html") is None
    assert "do not fit into a page of 1.5 MB" in (tmp_path / "page.html").read_text()


def test_sparse_model(tmp_path):
    X = sparse.random(300, 1500, density=0.02, format="csr", random_state=0)
    y = (np.asarray(X[:, :40].sum(axis=1)).ravel() > 0.4).astype(int)
    classifier = GPClassifier(inducing=10).fit(X, y)
    classifier.report(tmp_path / "page.html", X, y)
    page = (tmp_path / "page.html").read_text()
    assert "fitted to a sparse table" in page
    assert 'id="model"' not in page


def test_errors(tmp_path, banana):
    X, y = banana
    classifier = GPClassifier(inducing=10, kernel="se").fit(X, y)
    with pytest.raises(induce.Error, match="both X and y"):
        classifier.report(tmp_path / "page.html", X)
    with pytest.raises(induce.Error, match="label 3 is '7'"):
        classifier.report(tmp_path / "page.html", X[:4], [0, 1, 0, 7])
    assert not (tmp_path / "page.html").exists()


def test_facts_of_the_fit_are_shown(tmp_path, banana):
    classifier = GPClassifier(inducing=10, kernel="se").fit(*banana)
    classifier.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "Leave-one-out" in page
    assert "<dd>300</dd>" in page


def test_costs_of_decisions(tmp_path):
    X, y = people()
    y = np.where(y == "no", "ok", "fraud")
    costs = {"fraud": {"ok": 30}, "ok": {"fraud": 2}}
    classifier = GPClassifier(kernel="se", inducing=10).fit(X, y)
    page = tmp_path / "page.html"
    classifier.report(page, X, y)
    assert "cost per row" not in page.read_text()
    classifier.report(page, X, y, decision_costs=costs)
    text = page.read_text()
    # The second class is "ok": of least expected cost from 30 / 32 on.
    assert "label of least expected cost is chosen: <bdi>ok</bdi> from 93.8" in text
    p = classifier.predict_proba(X)[:, 1]
    table = re.search("What each threshold does.*?</table>", text, re.DOTALL)[0]
    shown = re.findall("<td>([^<]*)</td></tr>", table)
    assert len(shown) == 9
    for k, cost in enumerate(shown):
        says_ok = p >= 0.1 * (9 - k)
        expected = np.where(y == "fraud", 30 * says_ok, 2 * ~says_ok).mean()
        assert float(cost) == pytest.approx(expected, rel=1e-3, abs=1e-3)
    costly = classifier.set_params(decision_costs=costs)
    costly.report(tmp_path / "own.html", X, y)
    assert (tmp_path / "own.html").read_text() == text
    rows = np.where(y == "fraud", 30 * (costly.predict(X) == "ok"), 2 * (costly.predict(X) == "fraud"))
    stated = float(re.search(r"On these rows that costs ([\d.]+) per row", text)[1])
    assert stated == pytest.approx(rows.mean(), rel=1e-3)
