"""docs/glossary.md: its words are the ones in use, and the words that it rules out are not."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs" / "glossary.md"


def rows(head: str) -> list[tuple[str, str]]:
    """The rows of the table with this head."""
    lines = GLOSSARY.read_text().split(f"| {head} |\n", 1)[1].splitlines()[1:]
    table = lines[: next(k for k, line in enumerate(lines) if not line.startswith("|"))]
    return [tuple(cell.strip() for cell in line.strip("|").split(" | ", 1)) for line in table]


def pages() -> dict[str, str]:
    """Pages for people, and public headers. docs/decisions.md is a diary, and quotes."""
    files = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("include/induce/*.hpp"))]
    return {
        str(file.relative_to(ROOT)): file.read_text()
        for file in files
        if file.name not in {"glossary.md", "decisions.md"}
    }


def code() -> dict[str, str]:
    """The code with its names and comments, but for lines that still know an old name."""
    folders = ("src", "cli", "mpi", "python/bindings", "python/src")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.*")]
    return {
        str(file.relative_to(ROOT)): re.sub(r".*# its name in .*", "", file.read_text()).replace("_", " ")
        for file in files
        if file.suffix in {".cpp", ".hpp", ".py"}
    }


def help_texts() -> dict[str, str]:
    """What the program says about itself."""
    command = [sys.executable, "-m", "induce"]
    first = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  (\w+) {2,}", first, re.MULTILINE)
    assert "fit" in commands, first
    pages = {
        each: subprocess.run([*command, each, "--help"], capture_output=True, text=True, check=True).stdout
        for each in commands
    }
    return pages | {"induce": first}


def pattern(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(word)}(?:s|es)?(?![\w-])", re.IGNORECASE)


def test_words_are_in_use() -> None:
    words = [re.sub(r"\*", "", word) for word, _ in rows("word | meaning")]
    assert len(words) > 40
    assert words == sorted(words, key=str.lower)
    everything = "\n".join(pages().values())
    unused = [
        word
        for word in words
        if not pattern(re.sub(r"y$", "ie", word)).search(everything) and not pattern(word).search(everything)
    ]
    assert not unused


@pytest.mark.parametrize("source", [pages, code, help_texts])
def test_other_words_are_not(source) -> None:
    ruled_out = [word for words, _ in rows("not | but") for word in words.split(", ")]
    assert len(ruled_out) > 10
    found = [f"{name}: {word}" for name, text in source().items() for word in ruled_out if pattern(word).search(text)]
    assert not found
