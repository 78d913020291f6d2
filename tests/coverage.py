"""Which lines of some folders of src/ have been run by the tests of a build with --coverage, by gcov's own count.

    coverage.py BUILD FOLDER...      fails if a folder has less than 95 % of its lines
"""

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

LEAST = 95.0


def lines_run(build: Path) -> dict[Path, dict[int, int]]:
    """For each source file how often each line was run, all translation units and template instances together."""
    counts: dict[Path, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for data in sorted(build.rglob("*.gcda")):
        told = subprocess.run(["gcov", "--json-format", "--stdout", data], cwd=build, capture_output=True, check=True)
        for report in filter(None, told.stdout.splitlines()):
            for file in json.loads(report)["files"]:
                for line in file["lines"]:
                    counts[(build / file["file"]).resolve()][line["line_number"]] += line["count"]
    return counts


def main(build: str, *folders: str) -> int:
    counts = lines_run(Path(build).resolve())
    failed = False
    for folder in folders:
        inside = Path(build).resolve().parent / "src" / folder
        files = {path: lines for path, lines in counts.items() if path.is_relative_to(inside)}
        total = sum(len(lines) for lines in files.values())
        run = sum(count > 0 for lines in files.values() for count in lines.values())
        share = 100 * run / max(total, 1)
        failed |= share < LEAST
        print(f"src/{folder}: {run} of {total} lines, {share:.1f} %")
        for path, lines in sorted(files.items()):
            missed = [str(number) for number, count in sorted(lines.items()) if count == 0]
            if missed:
                print(f"    {path.relative_to(inside)}: not run: {', '.join(missed)}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
