"""Line coverage of folders of src/ from the gcov data of a build with --coverage.

    coverage.py BUILD FOLDER...      fails if the coverage of a folder is less than 95 %
"""

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

REQUIRED = 95.0


def line_counts(build: Path) -> dict[Path, dict[int, int]]:
    """Execution counts by source file and line, summed over translation units and template instances."""
    counts: dict[Path, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for data in sorted(build.rglob("*.gcda")):
        output = subprocess.run(["gcov", "--json-format", "--stdout", data], cwd=build, capture_output=True, check=True)
        for report in filter(None, output.stdout.splitlines()):
            for file in json.loads(report)["files"]:
                for line in file["lines"]:
                    counts[(build / file["file"]).resolve()][line["line_number"]] += line["count"]
    return counts


def main(build: str, *folders: str) -> int:
    counts = line_counts(Path(build).resolve())
    failed = False
    for folder in folders:
        inside = Path(build).resolve().parent / "src" / folder
        files = {path: lines for path, lines in counts.items() if path.is_relative_to(inside)}
        total = sum(len(lines) for lines in files.values())
        run = sum(count > 0 for lines in files.values() for count in lines.values())
        share = 100 * run / max(total, 1)
        failed |= share < REQUIRED
        print(f"src/{folder}: {run} of {total} lines, {share:.1f} %")
        for path, lines in sorted(files.items()):
            missed = [str(number) for number, count in sorted(lines.items()) if count == 0]
            if missed:
                print(f"    {path.relative_to(inside)}: not run: {', '.join(missed)}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
