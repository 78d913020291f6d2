"""The data sets and numbers of inducing inputs, shared by all comparisons."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"  # default of --data; bench/get_data creates such a folder
INDUCE = ROOT / "build" / "induce"

# The paper's sets.
INDUCING = {
    "german": 20,
    "svmguide1": 25,
    "magic": 50,
    "ijcnn1": 100,
    "cod-rna": 400,
    "skin_nonskin": 20,
    "a8a": 500,
}

# Sets with many classes, below `multiclass` in the data folder.
CLASSES_INDUCING = {"satimage": 100, "usps": 100}
EVERY_INDUCING = INDUCING | CLASSES_INDUCING

# Training time limit per set in seconds. In trial runs the GP libraries reached their best results within it.
BUDGET = {
    "german": 60,
    "svmguide1": 60,
    "magic": 60,
    "ijcnn1": 100,
    "cod-rna": 130,
    "skin_nonskin": 100,
    "a8a": 130,
    "satimage": 110,
    "usps": 300,
}


def files(data: Path, name: str) -> tuple[Path, Path]:
    """The train and test file of a set, compressed or not."""
    found = []
    for part in ("train", "test"):
        packed, plain = data / f"{name}.{part}.svm.xz", data / f"{name}.{part}.svm"
        if not packed.exists() and not plain.exists():
            raise FileNotFoundError(f"{packed}: no such file; set --data, or download the data with bench/get_data")
        found.append(packed if packed.exists() else plain)
    return found[0], found[1]
