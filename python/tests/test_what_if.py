"""The what-if of a page, in a browser, predicts what the library predicts."""

import re

import numpy as np
import pandas as pd
import pytest
from export_models import OLD_ADDITIVE, old_model
from report_pages import CLOSE, expect_same_predictions, opened, people, rows_like

from induce import GPClassifier


@pytest.mark.parametrize("likelihood", ["logistic", "probit"])
@pytest.mark.parametrize(
    "kernel",
    [
        "se",
        "matern12",
        "matern32",
        "matern52",
        "matern:0.3",
        "matern:3.7",
        "matern:1.2",
        "se+linear",
        "mains",
        "mains+pairs:0*3,1*2",
        "se+mains+pairs:0*1,3*4",
    ],
)
def test_what_if_of_every_kernel(browser, tmp_path, kernel, likelihood):
    X, y = people(120)
    options = {} if kernel.startswith("mains") else {"inducing": 15}
    classifier = GPClassifier(kernel=kernel, likelihood=likelihood, max_iter=3, **options)
    with pytest.warns(UserWarning, match="converge"):
        classifier.fit(X, y)
    classifier.report(tmp_path / "page.html")
    expect_same_predictions(browser, opened(browser, tmp_path / "page.html"), classifier.model_)


@pytest.mark.parametrize("name", OLD_ADDITIVE[1:])  # those that predict gaps
def test_what_if_of_additive_parts(browser, tmp_path, name):
    _, classifier, _ = old_model(name)
    classifier.report(tmp_path / "page.html")
    expect_same_predictions(browser, opened(browser, tmp_path / "page.html"), classifier.model_)


@pytest.mark.parametrize("options", [{}, {"method": "vi-jj"}, {"standardize": False}, {"noise": True}])
def test_what_if_of_other_fits(browser, tmp_path, options):
    X, y = people(200)
    classifier = GPClassifier(inducing=20, **options).fit(X, y)
    classifier.report(tmp_path / "page.html")
    expect_same_predictions(browser, opened(browser, tmp_path / "page.html"), classifier.model_)


@pytest.mark.parametrize(
    "options", [{"inducing": 20}, {"kernel": "mains+pairs"}, {"kernel": "se+mains+pairs:0*1", "inducing": 20}]
)
def test_many_classes(browser, tmp_path, options):
    X, y = people(300, classes=3)
    classifier = GPClassifier(**options).fit(X, y)
    classifier.report(tmp_path / "page.html", X, y)
    spec = opened(browser, tmp_path / "page.html")
    expect_same_predictions(browser, spec, classifier.model_)
    assert browser.evaluate("document.querySelectorAll('.matrix tbody tr').length") == 3
    assert browser.evaluate("document.querySelectorAll('#all-classes tbody tr').length") == 3


@pytest.mark.parametrize("options", [{"kernel": "se", "inducing": 20}, {"kernel": "mains+pairs"}])
def test_ordered_classes(browser, tmp_path, options):
    X, y = people(300, classes=3)
    grade = pd.Categorical(y, categories=["no", "perhaps", "yes"], ordered=True)
    classifier = GPClassifier(likelihood="ordinal", **options).fit(X, grade)
    classifier.report(tmp_path / "page.html", X, y)
    spec = opened(browser, tmp_path / "page.html")
    expect_same_predictions(browser, spec, classifier.model_)
    assert browser.evaluate("document.querySelectorAll('#all-classes tbody tr').length") == 3
    assert "Expected level: " in browser.evaluate("document.getElementById('doubt').textContent")


def test_many_terms_say_how_close_they_are(browser, tmp_path):
    random = np.random.default_rng(0)
    X = random.normal(size=(4000, 8))
    y = np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * random.normal(size=4000) > 0
    pairs = ",".join(f"{i}*{j}" for j in range(1, 7) for i in range(j))
    classifier = GPClassifier(kernel=f"mains+pairs:{pairs}", max_iter=2)
    with pytest.warns(UserWarning, match="converge"):
        classifier.fit(X, y)
    page = tmp_path / "page.html"
    classifier.report(page)
    opened(browser, page)
    said = float(re.search(r"differs by at most ([\d.]+)", page.read_text())[1]) / 100
    found = browser.evaluate(f"{X[:200].tolist()}.map((row) => induce.predict(row).probability[0])")
    assert 0 < np.abs(found - classifier.predict_proba(X[:200])[:, 1]).max() < said < 1e-4


def test_many_functions_have_a_stand_in(browser, tmp_path):
    random = np.random.default_rng(0)
    X = random.normal(size=(700, 12))
    y = (2 * X @ random.normal(size=(12, 8)) + random.gumbel(size=(700, 8))).argmax(1)
    classifier = GPClassifier(kernel="se", warp="none", inducing=400, learn_inputs=False, max_iter=4)
    with pytest.warns(UserWarning, match="converge"):
        classifier.fit(X, y)
    page = tmp_path / "page.html"
    classifier.report(page)
    spec = opened(browser, page)
    assert spec["m"] == 400 > spec["variance_inputs"] > 100
    said = re.search(r"variances by (\d+) of its 400 inducing inputs: .* differs by at most ([\d.]+)", page.read_text())
    assert int(said[1]) == spec["variance_inputs"]
    rows = rows_like(spec, 200)[:100]
    found = browser.evaluate(f"{rows.tolist()}.map((row) => induce.predict(row))")
    probability, mean, variance = classifier.model_.predict(rows)
    assert np.abs(np.array([each["mean"] for each in found]) - mean).max() < CLOSE * (1 + variance.max())
    difference = np.abs(np.array([each["probability"] for each in found]) - probability).max()
    assert 1e-6 < difference < 1.5 * float(said[2]) / 100  # other rows than those that the page was judged on
