"""Reports for people of real data sets, opened in headless Chromium (Markdown).

    bench/export/pages

german and adult with the library's own choices, satimage with 100 inducing inputs, and made-up rows, 1,000 and
1,000,000. The page is about all test rows. Opening is the best of three, from the start to the load event. The
what-if is compared with Model::predict on 200 test rows: the largest difference of a probability. Quiet: no message
and no request.
"""

from __future__ import annotations

import json
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from chromium import Chromium
from sklearn.datasets import make_moons

from bench.export.sets import SHARED, Table, read
from bench.support import machine
from induce import GPClassifier

ROWS = 200


def difference(browser: Chromium, model: GPClassifier, T: Table) -> float:
    cells = model._read_columns(T[:ROWS])
    values = [[None if np.isnan(value) else value for value in row] for row in cells]
    found = browser.evaluate(
        f"{json.dumps(values)}.map((row) => induce.predict(row.map((v) => v === null ? NaN : v)).probability)"
    )
    want = model.model_.predict(cells)[0]
    want = want[:, 1] if want.shape[1] == 2 else want  # as the page has them
    return float(np.abs(np.reshape(found, want.shape) - want).max())


def line(browser: Chromium, name: str, model: GPClassifier, T: Table, y: np.ndarray) -> str:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        begin = time.perf_counter()
        model.report(page, T, y, held_out=True)
        made = time.perf_counter() - begin
        opened = min(browser.open(page) for _ in range(3))
        quiet = browser.messages == [] and all(
            each.startswith("data:") or each == page.resolve().as_uri() for each in browser.requests
        )
        what_if = browser.evaluate("typeof induce !== 'undefined' && document.getElementById('model') !== null")
        off = f"{difference(browser, model, T):.0e}" if what_if else "left out"
        size = page.stat().st_size
    return (
        f"| {name} | {len(T):,} | {model.model_.inducing} | {size / 1e3:,.0f} | {made:.1f} | {opened:.2f} | {off} | "
        f"{'yes' if quiet else 'NO'} |"
    )


def main() -> None:
    browser = Chromium()
    print(f"{machine.cpu_model()}\n")
    print(
        "| rows of | rows | m | page, kB | made, s | opened, s | what-if, difference | quiet |\n" + "|---" * 8 + "|"
    )
    warnings.simplefilter("ignore")  # of gaps and levels that training did not have
    for name, inducing in (("german", "auto"), ("mixed/adult", "auto"), ("multiclass/satimage", 100)):
        X, y, T, labels = read(SHARED / name)
        model = GPClassifier(inducing=inducing).fit(X, y)
        print(line(browser, name, model, T, labels), flush=True)
    for rows in (1_000, 1_000_000):
        X, y = make_moons(rows, noise=0.3, random_state=0)
        model = GPClassifier(inducing=50).fit(X[:1000], y[:1000])
        print(line(browser, "made up", model, X, y), flush=True)
    browser.close()


if __name__ == "__main__":
    main()
