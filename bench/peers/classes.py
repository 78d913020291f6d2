"""The files of the sets with many classes, below `multiclass` in the data folder.

    python -m bench.peers.classes WHOLE TRAIN TEST

satimage has no published split: its lines in the order of numpy.random.default_rng(0).permutation, 80 % for training.
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

FOLDER = "multiclass"
TRAIN = 0.8


def read_lines(path: Path) -> list[str]:
    text = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    return text.decode().splitlines()


def split(lines: list[str]) -> tuple[list[str], list[str]]:
    import numpy as np  # not in the interpreter that starts the runs

    order = np.random.default_rng(0).permutation(len(lines))
    shuffled, train = [lines[i] for i in order], int(TRAIN * len(lines))
    return shuffled[:train], shuffled[train:]


def main(whole: str, train: str, test: str) -> None:
    for path, lines in zip((train, test), split(read_lines(Path(whole))), strict=True):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
