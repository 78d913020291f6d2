"""Makes docs/api/python.md from the docstrings of the installed package: python scripts/site/python_reference.py"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HEAD = """# Python reference
Made from the docstrings by `python scripts/site/python_reference.py`; a test fails if it is stale.
[The Python package](../python.md) explains how the parts work together and has examples.
"""


def page() -> str:
    import induce.dask
    from induce import GPClassifier, _answers, _columns, _effects, active, plot

    own = [
        name
        for name in (*vars(GPClassifier), *vars(_answers.Answers))
        if not name.startswith("_") and callable(getattr(GPClassifier, name))
    ]
    parts = [
        "\n## induce.GPClassifier\n",
        _docstring(GPClassifier),
        "".join(_function(f"GPClassifier.{name}", getattr(GPClassifier, name)) for name in own),
        "\nFrom scikit-learn: `score`, `get_params`, `set_params`, `set_fit_request`, `set_score_request`.\n",
        "\n### Effect\nAn entry of `effects()`.\n\n",
        _docstring(_effects.Effect),
        "\n### PairEffect\nAn entry of `pair_effects()`.\n\n",
        _docstring(_effects.PairEffect),
        "\n### Column\nAn entry of `columns_`.\n\n",
        _docstring(_columns.Column),
        "\n## induce.to_onnx\n",
        _function(None, induce.to_onnx),
        "\n## induce.Error\nA `ValueError`. The message names the argument, its value and the limit.\n",
        f"\n## induce.plot\n{_text(inspect.getdoc(plot))}\n",
        "".join(_function(f"plot.{name}", getattr(plot, name)) for name in sorted(plot.__all__)),
        f"\n## induce.active\n{_text(inspect.getdoc(active))}\n",
        _function("active.modal_query", active.modal_query),
        "\n### active.GainSampling\n",
        _docstring(active.GainSampling),
        _function("active.GainSampling.query", active.GainSampling.query),
        "\n## induce.dask.GPClassifier\n",
        _docstring(induce.dask.GPClassifier, known=GPClassifier),
        f"\n## induce.dask.WorkerLost\n{_text(inspect.getdoc(induce.dask.WorkerLost))}\n",
    ]
    return HEAD + re.sub(r"\n{3,}", "\n\n", "".join(parts))


def _docstring(thing: Any, known: Any = None) -> str:
    """A docstring with sections as numpydoc has them; `known` has parameters that need no second description."""
    sections = re.split(r"^(\w+)\n-+\n", inspect.cleandoc(thing.__doc__), flags=re.MULTILINE)
    text = _text(sections[0]) + "\n"
    old = {name for name, _, _ in _entries(known, "Parameters")} if known else set()
    for title in sections[1::2]:
        if title in ("Parameters", "Attributes"):
            entries = [entry for entry in _entries(thing, title) if entry[0] not in old]
            if entries:
                text += f"\n**{title}**\n\n" + "".join(_entry(*entry) for entry in entries)
            if known:
                text += f"\nAll other {title.lower()} are those of `induce.GPClassifier`.\n"
        elif not known:
            text += f"\n**{title}**\n\n{_text(sections[sections.index(title) + 1])}\n"
    return text


def _entries(thing: Any, title: str) -> list[tuple[str, str, str]]:
    """Name, type and text of the entries of a section."""
    sections = re.split(r"^(\w+)\n-+\n", inspect.cleandoc(thing.__doc__), flags=re.MULTILINE)
    if title not in sections:
        return []
    found = re.findall(
        r"^(\w+) : (.*)\n((?:    .*\n|\n)*)", sections[sections.index(title) + 1].strip() + "\n", re.MULTILINE
    )
    return [(name, kind, " ".join(text.split())) for name, kind, text in found]


def _entry(name: str, kind: str, text: str) -> str:
    return f"- `{name}`: {_escaped(kind)}" + (f". {_escaped(text)}" if text else "") + "\n"


def _function(name: str | None, function: Any) -> str:
    signature = str(inspect.signature(function)).replace("(self, ", "(").replace("(self)", "()").replace("'", "")
    title = f"\n### {name}\n" if name else ""
    call = (name or function.__name__).rpartition(".")[2]
    return f"{title}`{call}{signature}`\n\n{_text(inspect.getdoc(function))}\n"


def _text(docstring: str | None) -> str:
    """Paragraphs, each in one line, with links to the pages that are named. Examples (>>>) become code."""
    paragraphs = (docstring or "").strip().split("\n\n")
    examples = "text"  # they need names that the docstring does not define
    return "\n\n".join(
        f"```{examples}\n{each}\n```" if each.startswith(">>>") else _escaped(" ".join(each.split()))
        for each in paragraphs
    )


def _escaped(text: str) -> str:
    text = re.sub(r"docs/(\w+)\.md", r"[\1.md](../\1.md)", text)
    return text.replace("<", "&lt;").replace("*", "\\*")


if __name__ == "__main__":
    target = ROOT / "docs" / "api" / "python.md"
    target.parent.mkdir(exist_ok=True)
    target.write_text(page())
