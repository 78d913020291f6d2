"""URLs of the paper's seven data sets, how to read their files, and the checksums of their rows.

A checksum is the SHA-256 of canonical lines (rows.py), so it does not depend on number formatting. Sets with a
published split have one checksum per part, in file order. german, magic and skin_nonskin have no published split:
their checksum covers all rows in sorted order, and get_data makes its own split.

The checksums were computed from the data used for the figures in docs/, which came from the same sources, not from a
new download. If a source publishes different numbers, get_data reports a mismatch and keeps the file.
To compute them again: `bench/get_data --checksums FOLDER`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/"
UCI = "https://archive.ics.uci.edu/static/public/"


@dataclass(frozen=True)
class Source:
    urls: tuple[str, ...]  # train and test, or one file with all rows
    checksums: tuple[str, ...]
    positive: Callable[[str], bool]  # whether a label is +1
    member: str = ""  # file name inside a zip archive
    separator: str | None = ""  # of a table with the label last; "": LIBSVM text


def _libsvm(train: str, test: str, *checksums: str) -> Source:
    return Source((LIBSVM + train, LIBSVM + test), checksums, lambda label: float(label) > 0)


SOURCES = {
    "german": Source(
        (UCI + "144/statlog+german+credit+data.zip",),
        ("b28c760c0e574252e897b05a224f6da510c848291f3dc594d4f4d85d3538bfd3",),
        lambda label: label == "2", "german.data-numeric", None),  # 2: bad credit
    "svmguide1": _libsvm(
        "svmguide1", "svmguide1.t",
        "e0f97afd57c700011bbf35b75ea8ac5fa89b35633775916ca4c97623a9ff7aaf",
        "58da9d379830bb0420e51591186c5d506f3936020622310c908c52c8f91010c5"),
    "magic": Source(
        (UCI + "159/magic+gamma+telescope.zip",),
        ("340fb55fcfd49672063117353ad097de36ce993bc3c658493085092f0bbf7602",),
        lambda label: label == "g", "magic04.data", ","),  # g: gamma
    "ijcnn1": _libsvm(
        "ijcnn1.bz2", "ijcnn1.t.bz2",
        "020d7c364da052ab1f5b2b78d7f77f2cf422e1f58a440d7e100d8d782c32b0c9",
        "2c75519e532a043679e177bfd07dfa525f4e5e65b95960360737809ead16f95a"),
    "cod-rna": _libsvm(
        "cod-rna", "cod-rna.t",
        "ffee7e9e2834c6a5dda0321d323e7108ccaa64c18b705785d171301abb7455df",
        "e1490a5b0fbd333c9f9e99ca2be285439753d6a2d4188fff1c9c0dd4928897d4"),
    "skin_nonskin": Source(
        (UCI + "229/skin+segmentation.zip",),
        ("e5224ff0f4bc2f83011dcc58a75d94d52d440c973c5b2588d5bf90c55a460d42",),
        lambda label: label == "1", "Skin_NonSkin.txt", None),  # 1: skin
    "a8a": _libsvm(
        "a8a", "a8a.t",
        "6257660caadce840799bf14b992c4ed0fafcb29c0959f12373d8c02a7f2c3b2f",
        "c90772554ca3f7bb9dde86596aa067f84565bb8593a9e93f068fe9199c7fa22a"),
}  # fmt: skip
