"""Downloads the paper's seven data sets into a folder, for bench/paper, bench/peers and other benchmarks.

    bench/get_data FOLDER                            download all, check, write SET.train.svm.xz and SET.test.svm.xz
    bench/get_data FOLDER --sets magic a8a           only these sets
    bench/get_data FOLDER --from SOURCE              read previously downloaded files from the folder SOURCE
    bench/get_data --checksums FOLDER                print the checksums of an existing folder

The downloads themselves are untested, because this was developed without network access. Reading, splitting and
checking are tested with --from. german, magic and skin_nonskin have no published split: 20% of the rows, drawn with
seed 0 from the sorted rows, become the test file. The figures in docs/ were measured on a different split of the same
size, so results differ slightly.
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
from bench.data.sources import SOURCES, Source

TEST = 0.2  # fraction of the rows, for sets without a published split


def load(url: str, folder: Path | None) -> bytes:
    if folder is not None:
        return (folder / url.rpartition("/")[2]).read_bytes()
    with urllib.request.urlopen(url, timeout=60) as response:
        return response.read()


def text_of(raw: bytes, url: str, source: Source) -> str:
    if source.member:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return archive.read(source.member).decode()
    return (bz2.decompress(raw) if url.endswith(".bz2") else raw).decode()


def read_source(source: Source, folder: Path | None) -> list[list[str]]:
    """The rows of each file of a source."""
    texts = [text_of(load(url, folder), url, source) for url in source.urls]
    if source.separator == "":
        return [rows.from_libsvm(text, source.positive) for text in texts]
    return [rows.from_table(text, source.separator, source.positive) for text in texts]


def split(every: list[str]) -> tuple[list[str], list[str]]:
    shuffled = sorted(every)
    random.Random(0).shuffle(shuffled)
    test = round(TEST * len(shuffled))
    return shuffled[test:], shuffled[:test]


def fetch_set(name: str, folder: Path, source_folder: Path | None) -> bool:
    """Writes both files of a set. Returns whether the rows match the checksums."""
    source = SOURCES[name]
    parts = read_source(source, source_folder)
    found = [rows.checksum(sorted(part) if len(parts) == 1 else part) for part in parts]
    train, test = parts if len(parts) == 2 else split(parts[0])
    rows.write(folder / f"{name}.train.svm.xz", train)
    rows.write(folder / f"{name}.test.svm.xz", test)
    same = tuple(found) == source.checksums
    print(f"{name}: {len(train)} + {len(test)} rows, {'checksum ok' if same else 'CHECKSUM MISMATCH'}")
    return same


def print_checksums(folder: Path) -> None:
    for name, source in SOURCES.items():
        parts = [rows.read(folder / f"{name}.{part}.svm.xz") for part in ("train", "test")]
        if len(source.urls) == 1:
            parts = [sorted(parts[0] + parts[1])]
        print(name, *(rows.checksum(part) for part in parts))


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/get_data", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--sets", nargs="+", default=list(SOURCES), choices=list(SOURCES), metavar="SET")
    parser.add_argument("--from", dest="source", type=Path, metavar="SOURCE")
    parser.add_argument("--checksums", action="store_true")
    args = parser.parse_args()
    if args.checksums:
        print_checksums(args.folder)
        return 0
    failures = 0
    for name in args.sets:
        try:
            failures += not fetch_set(name, args.folder, args.source)
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            print(f"{name}: {error}", file=sys.stderr)
            failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
