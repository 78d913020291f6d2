"""Draws docs/pictures/report.png, the what-if of a report: python scripts/site/report_picture.py

Needs the Python package and Chromium. The table is that of the tutorial, with three values changed.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path

import pandas as pd

from induce import GPClassifier

ROOT = Path(__file__).parents[2]
sys.path += [str(ROOT / "python" / "tests"), str(ROOT / "examples")]

from chromium import Chromium  # noqa: E402
from people import make_people  # noqa: E402

SET_MENUS = """
for (const [name, value] of [["relation", "married"], ["job", "manager"], ["education", "master"]]) {
  const controls = [...document.querySelectorAll("#controls .control")];
  const menu = controls.find((each) => each.textContent.startsWith(name)).querySelector("select");
  menu.value = [...menu.options].find((option) => option.textContent === value).value;
  menu.dispatchEvent(new Event("input", {bubbles: true}));
  menu.dispatchEvent(new Event("change", {bubbles: true}));
}
const box = document.getElementById("what-if-panel").closest("section").getBoundingClientRect();
[box.x + scrollX, box.y + scrollY, box.width, box.height];
"""


def rows(count: int, seed: int) -> tuple[pd.DataFrame, pd.Series]:
    table = pd.DataFrame(make_people(count, seed)).drop(columns="id")
    return table.drop(columns="income"), table["income"]


def main(target: Path) -> None:
    classifier = GPClassifier().fit(*rows(1000, 1))
    browser = Chromium()
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        classifier.report(page, *rows(1000, 2), held_out=True)
        browser.call("Emulation.setDeviceMetricsOverride", width=1060, height=800, deviceScaleFactor=1, mobile=False)
        browser.open(page)
        x, y, width, height = browser.evaluate(SET_MENUS)
        clip = {"x": x - 20, "y": y - 15, "width": width + 40, "height": height + 30, "scale": 1}
        picture = browser.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
    browser.close()
    target.write_bytes(base64.b64decode(picture["data"]))


if __name__ == "__main__":
    main(ROOT / "docs" / "pictures" / "report.png")
