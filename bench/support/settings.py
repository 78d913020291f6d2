"""The data sets of the paper with its number of inducing inputs, for every benchmark that compares."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"  # or what bench/get_data filled
INDUCE = ROOT / "build" / "induce"

INDUCING = {
    "german": 20,
    "svmguide1": 25,
    "magic": 50,
    "ijcnn1": 100,
    "cod-rna": 400,
    "skin_nonskin": 20,
    "a8a": 500,
}

# Seconds of training that every library may have on a set: the GP libraries' best was seen within them.
BUDGET = {
    "german": 60,
    "svmguide1": 60,
    "magic": 60,
    "ijcnn1": 100,
    "cod-rna": 130,
    "skin_nonskin": 100,
    "a8a": 130,
}


def files(data: Path, name: str) -> tuple[Path, Path]:
    """The train and test file of a set, packed or not."""
    found = []
    for part in ("train", "test"):
        packed, plain = data / f"{name}.{part}.svm.xz", data / f"{name}.{part}.svm"
        if not packed.exists() and not plain.exists():
            raise FileNotFoundError(f"{packed}: no such file; --data names the folder, bench/get_data fills one")
        found.append(packed if packed.exists() else plain)
    return found[0], found[1]
