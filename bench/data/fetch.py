"""Fills a folder with the paper's seven data sets from their public homes, for bench/paper, bench/peers and others.

    bench/get_data FOLDER                            download all, check, write SET.train.svm.xz and SET.test.svm.xz
    bench/get_data FOLDER --sets magic a8a           some of them
    bench/get_data FOLDER --from PLACE               read downloaded files from a folder instead
    bench/get_data --checksums FOLDER                print the checksums of a filled folder

The downloads themselves have not been tried: where this was written there is no network. The reading, splitting and
checking has, with --from. german, magic and skin_nonskin have no published split: 20% of the rows, drawn with seed 0
from the sorted rows, become the test file. The figures in docs/ were measured on another draw of the same size, so
theirs differ a little from what this split gives.
"""

from __future__ import annotations

import argparse
import bz2
import io
import random
import sys
import urllib.request
import zipfile
from pathlib import Path

from bench.data import rows
from bench.data.homes import HOMES, Home

TEST = 0.2  # of the rows, where there is no published split


def load(address: str, place: Path | None) -> bytes:
    if place is not None:
        return (place / address.rpartition("/")[2]).read_bytes()
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.read()


def text_of(raw: bytes, address: str, home: Home) -> str:
    if home.member:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            return packed.read(home.member).decode()
    return (bz2.decompress(raw) if address.endswith(".bz2") else raw).decode()


def read_home(home: Home, place: Path | None) -> list[list[str]]:
    """The rows of each of its files."""
    texts = [text_of(load(address, place), address, home) for address in home.addresses]
    if home.separator == "":
        return [rows.from_libsvm(text, home.positive) for text in texts]
    return [rows.from_table(text, home.separator, home.positive) for text in texts]


def split(every: list[str]) -> tuple[list[str], list[str]]:
    shuffled = sorted(every)
    random.Random(0).shuffle(shuffled)
    test = round(TEST * len(shuffled))
    return shuffled[test:], shuffled[:test]


def fill(name: str, folder: Path, place: Path | None) -> bool:
    """Writes both files of a set; whether the rows are those the checksums are of."""
    home = HOMES[name]
    parts = read_home(home, place)
    found = [rows.checksum(sorted(part) if len(parts) == 1 else part) for part in parts]
    train, test = parts if len(parts) == 2 else split(parts[0])
    rows.write(folder / f"{name}.train.svm.xz", train)
    rows.write(folder / f"{name}.test.svm.xz", test)
    same = tuple(found) == home.checksums
    print(f"{name}: {len(train)} + {len(test)} rows, {'checked' if same else 'OTHER ROWS THAN EXPECTED'}")
    return same


def print_checksums(folder: Path) -> None:
    for name, home in HOMES.items():
        parts = [rows.read(folder / f"{name}.{part}.svm.xz") for part in ("train", "test")]
        if len(home.addresses) == 1:
            parts = [sorted(parts[0] + parts[1])]
        print(name, *(rows.checksum(part) for part in parts))


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/get_data", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--sets", nargs="+", default=list(HOMES), choices=list(HOMES), metavar="SET")
    parser.add_argument("--from", dest="place", type=Path, metavar="PLACE")
    parser.add_argument("--checksums", action="store_true")
    args = parser.parse_args()
    if args.checksums:
        print_checksums(args.folder)
        return 0
    wrong = 0
    for name in args.sets:
        try:
            wrong += not fill(name, args.folder, args.place)
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            print(f"{name}: {error}", file=sys.stderr)
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
