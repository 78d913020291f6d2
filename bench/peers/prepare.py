"""Writes a Problem from two LIBSVM files and a briefly trained induce model.

    python -m bench.peers.prepare TRAIN TEST MODEL OUT.npz

The model is `induce fit --method vi-jj --fixed-inputs --max-iter 1`: its feature_shift and feature_scale are the
standardisation and its inducing_inputs the k-means centres, so that all peers have the same starting point as induce.
"""

from __future__ import annotations

import json
import lzma
import struct
import sys
from pathlib import Path

import numpy as np

from bench.peers.problem import Array, Problem


def read_libsvm(path: Path, features: int) -> tuple[Array, np.ndarray]:
    """Rows and labels 0 or 1. Columns beyond `features` are ignored; missing entries are 0."""
    text = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    lines = text.decode().splitlines()
    X = np.zeros((len(lines), features))
    y = np.zeros(len(lines), dtype=np.int64)
    for i, line in enumerate(lines):
        label, *entries = line.split()
        y[i] = float(label) > 0
        for entry in entries:
            column, _, value = entry.partition(":")
            if int(column) <= features:
                X[i, int(column) - 1] = float(value)
    return X, y


def read_tensors(path: Path) -> dict[str, Array]:
    """The tensors of a safetensors file with 64-bit floats only."""
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header, body = json.loads(raw[8 : 8 + length]), raw[8 + length :]
    header.pop("__metadata__", None)
    return {
        name: np.frombuffer(body[slice(*entry["data_offsets"])], dtype="<f8").reshape(entry["shape"])
        for name, entry in header.items()
    }


def main(train: str, test: str, model: str, out: str) -> None:
    frame = read_tensors(Path(model))
    shift, scale = frame["feature_shift"], frame["feature_scale"]
    X, y = read_libsvm(Path(train), len(shift))
    X_test, y_test = read_libsvm(Path(test), len(shift))
    Problem((X - shift) / scale, y, (X_test - shift) / scale, y_test, frame["inducing_inputs"]).save(Path(out))


if __name__ == "__main__":
    main(*sys.argv[1:])
