"""Makes docs/api/cpp.md from the headers of include/induce: python scripts/site/cpp_reference.py

A comment above a declaration becomes text, the declaration with the comments inside it a block of code.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ORDER = [
    "fit",
    "options",
    "table",
    "columns",
    "model",
    "report",
    "metrics",
    "doubt",
    "rank",
    "costs",
    "explain",
    "export",
    "far_values",
    "page",
    "error",
    "version",
]
HEAD = """# C++ reference
Made from the headers in `include/induce` by `python scripts/site/cpp_reference.py`; a test fails if it is stale.
[For C++ engineers](../guides/cpp.md) has a complete program. Everything is in the namespace `induce`. Options and the
fields of a report are explained in [options and results](../reference.md).
"""


def page() -> str:
    found = {path.stem for path in (ROOT / "include" / "induce").glob("*.hpp")} - {"api"}
    headers = ORDER + sorted(found - set(ORDER))
    return HEAD + "".join(_section(name) for name in headers)


def _section(name: str) -> str:
    lines = (ROOT / "include" / "induce" / f"{name}.hpp").read_text().splitlines()
    intro = []
    while lines[0].startswith("//"):
        intro.append(lines.pop(0))
    text = re.sub(r"^INDUCE_API ([^;]*)", _without_macro, "\n".join(lines), flags=re.MULTILINE)
    text = text.replace(" INDUCE_API ", " ")
    text = re.sub(r"\n private:\n.*?\n};", "\n};", text, flags=re.DOTALL).replace("\n\n};", "\n};")
    if "namespace induce {" not in text:  # macros only
        macros = text.partition("#pragma once")[2].strip()
        return f"\n## induce/{name}.hpp\n{_prose(intro)}\n\n```cpp\n{macros}\n```\n"
    body = text[text.index("namespace induce {") :].partition("\n")[2].rpartition("\n}")[0]
    parts = [_entity(chunk) for chunk in _chunks(body)]
    return f"\n## induce/{name}.hpp\n{_prose(intro)}\n" + "".join(parts)


def _without_macro(declaration: re.Match[str]) -> str:
    """Lines that continue a declaration are aligned with its first one."""
    return declaration.group(1).replace("\n" + len("INDUCE_API ") * " ", "\n")


def _chunks(body: str) -> list[str]:
    """Declarations with the comments above them: what blank lines outside of braces separate."""
    chunks, current, depth = [], [], 0
    for line in [*body.splitlines(), ""]:
        code = line.partition("//")[0]
        depth += code.count("{") - code.count("}")
        if line.strip() or depth:
            current.append(line)
        elif current:
            chunks.append("\n".join(current))
            current = []
    return chunks


def _entity(chunk: str) -> str:
    lines = chunk.splitlines()
    comment = []
    while lines and lines[0].startswith("//"):
        comment.append(lines.pop(0))
    code = "\n".join(lines).strip()
    if re.fullmatch(r"(?:(?:class|struct) \w+;\s*)+", code) or code.startswith("namespace detail"):
        return ""
    declared = re.match(r"(?:class|struct|enum class) (\w+)", code)
    names = (
        [declared.group(1)] if declared else dict.fromkeys(re.findall(r"^[\w:<>,&* ]*?\b(\w+)\(", code, re.MULTILINE))
    )
    title = f"\n### {', '.join(names)}\n" if names else "\n"
    prose = f"{_prose(comment)}\n\n" if comment else ""
    return f"{title}{prose}```cpp\n{code}\n```\n" if code else f"\n{prose}"


def _prose(comment: list[str]) -> str:
    """The text of a comment, each paragraph in one line. Indented lines become a list."""
    blocks: list[str] = [""]
    for line in (line.removeprefix("//").rstrip() for line in comment):
        is_item, was_item = line.startswith("   "), blocks[-1].startswith("- ")
        if is_item or was_item or not line:
            blocks.append("- " if is_item else "")
        blocks[-1] = (
            f"{blocks[-1]} {' '.join(line.split())}".strip() if not is_item else f"- {' '.join(line.split())}"
        )
    text = "\n\n".join(block for block in blocks if block).replace("\n\n- ", "\n- ")
    text = re.sub(r"docs/(\w+)\.md", r"[\1.md](../\1.md)", text)
    return text.replace("<", "&lt;").replace("*", "\\*")


if __name__ == "__main__":
    target = ROOT / "docs" / "api" / "cpp.md"
    target.parent.mkdir(exist_ok=True)
    target.write_text(page())
