"""Reads the Markdown pages of the project and runs the code in them.

python python/tests/documentation.py PAGE...         writes what the code prints into the blocks that show it
python python/tests/documentation.py --run PAGE...   runs them as a reader would, and prints each with its seconds
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import sklearn.ensemble  # noqa: F401  loaded now, so that its threads can be limited
from threadpoolctl import threadpool_limits

ROOT = Path(__file__).parents[2]
LANGUAGES = ("python", "sh", "c", "cpp", "text", "json")
MARK = re.compile(r"^\s*<!-- (not run|needs adult): (.*) -->\s*$")
ADULT = ROOT.parent / "shared" / "data" / "mixed"  # adult.train.csv.xz and adult.test.csv.xz, where there are any
NUMBER = re.compile(r"(-?(?:\d[\d,]*)?\.?\d+(?:e[-+]?\d+)?)( (?:s|ms|kB|MB)\b)?")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page. `line` is that of its first line of code, from 1."""

    page: Path
    line: int
    language: str
    text: str
    not_run: str | None  # the reason; None: no mark
    follows: bool  # only blank lines are between this block and the one before

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    top = [ROOT / name for name in ("README.md", "HACKING.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")]
    folders = {page for pattern in ("*/README.md", "src/*/README.md", "docs/**/*.md") for page in ROOT.glob(pattern)}
    return [*top, *sorted(folders)]


def blocks_of(page: Path) -> list[Block]:
    found: list[Block] = []
    mark, between, fence = None, "text", None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if fence is not None:
            if line.strip() == fence:
                found.append(Block(page, start, language, "\n".join([*code, ""]), mark, not between))
                mark, between, fence = None, "", None
            else:
                code.append(line)
        elif match := re.match(r"\s*(```+)\s*(\w*)", line):
            fence, language = match.groups()
            start, code = number + 1, []
        elif match := MARK.match(line):
            mark = None if match.group(1) == "needs adult" and ADULT.is_dir() else match.group(2).strip()
        elif line.strip():
            mark, between = None, "text"
    if fence is not None:
        raise ValueError(f"{page}: a block has no end")
    return found


class Session:
    """Runs the blocks of one page in order: Python in one namespace, the shell with `induce` on its path.

    The working folder must be `folder`. It is empty, but for links to examples/ of the repository and to adult.
    """

    def __init__(self, folder: Path):
        self.folder = folder / "page"
        self.folder.mkdir()
        (self.folder / "examples").symlink_to(ROOT / "examples")
        for file in ADULT.glob("adult.*"):
            (self.folder / file.name).symlink_to(file)
        self.names: dict[str, object] = {"__name__": "__documentation__"}
        commands = folder / "commands"
        commands.mkdir()
        for name, command in {"python": f'"{sys.executable}"', "induce": f'"{sys.executable}" -m induce'}.items():
            (commands / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n')
            (commands / name).chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{commands}:{os.environ['PATH']}", "MPLBACKEND": "Agg"}

    def run(self, block: Block) -> str:
        """What the block writes to standard output."""
        return getattr(self, f"_run_{block.language}")(block)

    def _run_python(self, block: Block) -> str:
        output = io.StringIO()
        code = compile("\n" * (block.line - 1) + block.text, block.page, "exec")  # so that errors name the line
        with contextlib.redirect_stdout(output), threadpool_limits(1, "openmp"):  # scikit-learn's spin on busy machines
            exec(code, self.names)
        return output.getvalue()

    def _run_sh(self, block: Block) -> str:
        return self._command(block, "sh", "-e", "-c", block.text)

    def _run_c(self, block: Block) -> str:
        compiler = shutil.which("cc") or shutil.which("gcc")
        assert compiler, "no C compiler (cc or gcc)"
        Path("block.c").write_text(block.text)
        self._command(block, compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "block.c", "-o", "block", "-lm")
        return self._command(block, "./block")

    def _command(self, block: Block, *command: str) -> str:
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, f"{block.place}: status {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout


def differences(shown: str, output: str) -> str | None:
    """How the output differs from what a page shows; None: it does not.

    "..." stands for anything. Times and sizes (with s, ms, kB or MB) may be anything. Other numbers may differ by a
    tenth, because another processor rounds otherwise, and less than half of them by more, because a rounding may lead
    a fit to another number of inducing inputs.
    """
    shown_numbers, output_numbers = NUMBER.findall(shown), NUMBER.findall(output)
    pattern = re.escape(_squeezed(NUMBER.sub("#", shown))).replace(re.escape("..."), "(?s:.*?)")
    if not re.fullmatch(pattern, _squeezed(NUMBER.sub("#", output))):
        return f"shown:\n{shown}\nfound:\n{output}"
    if "..." in shown:
        return None
    pairs = [
        (float(one.replace(",", "")), float(other.replace(",", "")))
        for (one, unit), (other, _) in zip(shown_numbers, output_numbers, strict=True)
        if not unit
    ]
    far = [(a, b) for a, b in pairs if abs(a - b) > 0.1 * max(abs(a), abs(b)) + 0.01]
    return f"shown and found: {far}, of {len(pairs)} numbers:\n{output}" if 2 * len(far) > len(pairs) else None


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def outputs_of(page: Path) -> Iterator[tuple[Block, str, float, Block | None]]:
    """Runs a page: each block with what it prints, its seconds, and the block that shows what it prints."""
    blocks = blocks_of(page)
    with tempfile.TemporaryDirectory() as folder:
        session = Session(Path(folder))
        os.chdir(session.folder)
        for block, after in zip(blocks, [*blocks[1:], None], strict=True):
            if block.not_run is None and block.language in ("python", "sh", "c"):
                begun = time.perf_counter()
                output = session.run(block)
                shown = after if after and after.language == "text" and after.follows else None
                yield block, output, time.perf_counter() - begun, shown
        os.chdir(ROOT)


def update(page: Path) -> None:
    """Runs a page and replaces what it shows, but where "..." stands for a part of it."""
    text = page.read_text()
    for _, output, _, shown in outputs_of(page):
        if shown and "..." not in shown.text:
            text = text.replace(f"```text\n{shown.text}```", f"```text\n{output}```", 1)
    page.write_text(text)


def show(page: Path) -> None:
    """Runs a page, prints each block with its seconds, and fails if one prints something else than the page shows."""
    for block, output, seconds, shown in outputs_of(page):
        difference = differences(shown.text, output) if shown else None
        assert difference is None, f"{block.place}: {difference}"
        print(f"{block.text.rstrip()}\n  {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "Agg"
    use, names = (show, sys.argv[2:]) if sys.argv[1:2] == ["--run"] else (update, sys.argv[1:])
    for name in names:
        use(Path(name).resolve())
