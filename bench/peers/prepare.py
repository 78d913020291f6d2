"""Writes a Problem from two LIBSVM files and a briefly trained induce model.

    python -m bench.peers.prepare TRAIN TEST MODEL OUT.npz

The model is `induce fit --method vi-jj --fixed-inputs --max-iter 1` (many classes: `--kernel se --warp none` for the
method): its feature_shift and feature_scale are the
standardisation and its inducing_inputs the k-means centres, so that all peers have the same starting point as induce.
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import numpy as np

from bench.peers.classes import read_lines
from bench.peers.problem import Array, Problem


def read_libsvm(path: Path, features: int) -> tuple[Array, Array]:
    """Rows and labels as numbers. Columns beyond `features` are ignored; missing entries are 0."""
    lines = read_lines(path)
    X = np.zeros((len(lines), features))
    labels = np.zeros(len(lines))
    for i, line in enumerate(lines):
        label, *entries = line.split()
        labels[i] = float(label)
        for entry in entries:
            column, _, value = entry.partition(":")
            if int(column) <= features:
                X[i, int(column) - 1] = float(value)
    return X, labels


def class_indices(train: Array, test: Array) -> tuple[np.ndarray, np.ndarray]:
    """Labels as 0 to C - 1, in ascending order of the labels of the training rows."""
    names = np.unique(train)
    if not np.isin(test, names).all():
        raise ValueError("a test label does not occur in the training rows")
    return np.searchsorted(names, train), np.searchsorted(names, test)


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
    X, labels = read_libsvm(Path(train), len(shift))
    X_test, labels_test = read_libsvm(Path(test), len(shift))
    y, y_test = class_indices(labels, labels_test)
    Problem((X - shift) / scale, y, (X_test - shift) / scale, y_test, frame["inducing_inputs"]).save(Path(out))


if __name__ == "__main__":
    main(*sys.argv[1:])
