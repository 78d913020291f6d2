"""Makes the notebooks from the scripts of the same name: python examples/make_notebooks.py

Cells begin with "# %%" or "# %% [markdown]". The cells are run, and the notebooks have what they print and draw.
"""

import base64
import contextlib
import io
import json
import re
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
SCRIPTS = ["churn.py", "fraud.py"]


def cells_of(script: Path) -> list[tuple[str, str]]:
    """Kind ("code" or "markdown") and text of each cell."""
    parts = re.split(r"^# %%(.*)\n", script.read_text(), flags=re.MULTILINE)[1:]
    cells = []
    for kind, text in zip(parts[::2], parts[1::2], strict=True):
        if "[markdown]" in kind:
            cells.append(("markdown", re.sub(r"^# ?", "", text.strip(), flags=re.MULTILINE)))
        else:
            cells.append(("code", text.strip()))
    return cells


def run(code: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """The outputs of a cell: what it prints, and its figures."""
    import matplotlib.pyplot as plt

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        lines = printed.getvalue().splitlines(keepends=True)
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines})
    for number in plt.get_fignums():
        picture = io.BytesIO()
        plt.figure(number).savefig(picture, format="png", dpi=60, metadata={"Software": None})
        data = {"image/png": base64.b64encode(picture.getvalue()).decode()}
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    plt.close("all")
    return outputs


def notebook(script: Path) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "__notebook__"}
    cells = []
    for number, (kind, text) in enumerate(cells_of(script)):
        cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
        if kind == "code":
            cell |= {"execution_count": None, "outputs": run(text, names)}
        cells.append(cell)
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}


if __name__ == "__main__":
    import matplotlib

    matplotlib.use("Agg")
    for name in SCRIPTS:
        target = FOLDER / Path(name).with_suffix(".ipynb")
        target.write_text(json.dumps(notebook(FOLDER / name), indent=1) + "\n")
