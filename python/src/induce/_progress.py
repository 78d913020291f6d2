"""Fit progress on stderr: a bar on terminals and in notebooks (tqdm's if it is installed), otherwise plain lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol


class Bar(Protocol):
    def show(self, progress: Mapping[str, float]) -> None: ...
    def close(self) -> None: ...


@contextmanager
def progress_bar(name: str) -> Iterator[Bar]:
    bar = _make(name)
    try:
        yield bar
    finally:
        bar.close()


def _make(name: str) -> Bar:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        tqdm = None
    terminal = sys.stderr.isatty()
    if tqdm is not None and (terminal or _draws_in_notebook(tqdm)):
        return TqdmBar(tqdm(desc=name))
    return LineBar(name) if terminal else PlainLines(name)


def _draws_in_notebook(tqdm: type) -> bool:
    return any(base.__name__ == "tqdm_notebook" for base in tqdm.__mro__)


def _text(name: str, progress: Mapping[str, float]) -> str:
    text = (
        f"{name}: iteration {progress['iteration']:.0f} of at most {progress['max_iter']:.0f}"
        f", bound {progress['bound']:.2f}, {progress['seconds']:.1f} s"
    )
    if progress.get("rows_per_second"):
        text += f", {float(format(progress['rows_per_second'], '.2g')):,.0f} rows/s"
    if progress.get("shards", 0) > 1:
        text += f", {progress['shards']:.0f} shards, imbalance {progress['shard_imbalance']:.2f}"
    return text


class TqdmBar:
    def __init__(self, bar) -> None:
        self._bar = bar

    def show(self, progress: Mapping[str, float]) -> None:
        self._bar.total = int(progress["max_iter"]) or None
        self._bar.set_postfix(bound=f"{progress['bound']:.2f}", refresh=False)
        self._bar.update(int(progress["iteration"]) - self._bar.n)

    def close(self) -> None:
        self._bar.close()


class LineBar:
    """A single line, redrawn at most ten times a second because terminals are slow."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._next = 0.0
        self._text = ""

    def show(self, progress: Mapping[str, float]) -> None:
        self._text = _text(self._name, progress)
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.1
            self._draw()

    def close(self) -> None:
        if self._text:
            self._draw()
            print(file=sys.stderr, flush=True)

    def _draw(self) -> None:
        print(f"\r\x1b[K{self._text}", end="", file=sys.stderr, flush=True)


class PlainLines:
    """For files and pipes: a line every few seconds and one at the end."""

    every = 5.0  # seconds

    def __init__(self, name: str) -> None:
        self._name = name
        self._next = time.monotonic() + self.every
        self._pending = ""

    def show(self, progress: Mapping[str, float]) -> None:
        self._pending = _text(self._name, progress)
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self.every
            self._print()

    def close(self) -> None:
        if self._pending:
            self._print()

    def _print(self) -> None:
        print(self._pending, file=sys.stderr, flush=True)
        self._pending = ""
