"""A progress bar for one fit: tqdm's where it is installed (terminal and notebook), else one line on stderr."""

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
        return LineBar(name)
    return TqdmBar(tqdm(desc=name))


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
    """Drawn at most ten times a second: terminals are slow."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._next = 0.0
        self._text = ""

    def show(self, progress: Mapping[str, float]) -> None:
        self._text = (
            f"{self._name}: iteration {progress['iteration']:.0f} of at most {progress['max_iter']:.0f}"
            f", bound {progress['bound']:.2f}, {progress['seconds']:.1f} s"
        )
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.1
            self._draw()

    def close(self) -> None:
        if self._text:
            self._draw()
            print(file=sys.stderr, flush=True)

    def _draw(self) -> None:
        print(f"\r\x1b[K{self._text}", end="", file=sys.stderr, flush=True)
