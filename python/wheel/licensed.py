"""Checks that a wheel has the license of every library it carries:   licensed.py WHEEL"""

from __future__ import annotations

import re
import sys
import zipfile
from pathlib import PurePosixPath

NOTE = "python/wheel/licenses/README.txt"


def problems(names: list[str], note: str) -> list[str]:
    """What is missing in a wheel with these files, whose note names libraries and the files of their licenses."""
    files = {PurePosixPath(name).name for name in names if ".dist-info/licenses/" in name}
    texts = dict(re.findall(r"^(\S+) +(\S+\.txt) ", note, flags=re.MULTILINE))
    found = [f"{name} is missing" for name in sorted({*texts.values(), "LICENSE"}) if name not in files]
    libraries = [PurePosixPath(name).name for name in names if re.match(r"induce\.libs/.*\.so", name)]
    if not libraries:
        found.append("no libraries: not repaired by auditwheel")
    return found + [f"{name} is not in {NOTE}" for name in libraries if not name.startswith(tuple(texts))]


def main(path: str) -> int:
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        notes = [name for name in names if name.endswith(f".dist-info/licenses/{NOTE}")]
        found = problems(names, wheel.read(notes[0]).decode()) if notes else [f"{NOTE} is missing"]
    for line in found:
        print(f"{path}: {line}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
