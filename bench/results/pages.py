"""Writes what commands print from docs/records into the pages, between <!-- made by COMMAND --> and <!-- end -->.

bench/results/pages            all blocks
bench/results/pages --check    only says which are stale, with status 1
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.answers import figures as answers
from bench.peers.tables import by_set_and_peer
from bench.rank import figures as rank
from bench.results import limits, tables
from bench.results.seed_tables import seeds_table
from bench.results.seeds import RECORD
from bench.support import lines
from bench.support.settings import ROOT
from bench.tables import figures

PAGES = [ROOT / "README.md", ROOT / "docs" / "results.md", ROOT / "docs" / "limits.md"]
BLOCK = re.compile(r"(<!-- made by (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def short() -> str:
    sets, adult = tables.records()
    return tables.short(by_set_and_peer(sets), adult, lines.read(RECORD))


def public_tables() -> str:
    libraries = ["induce", *figures.PEERS]
    return figures.page(figures.complete(lines.read(figures.RECORD), libraries), libraries)


COMMANDS: dict[str, Callable[[], str]] = {
    "bench/results/table": lambda: tables.first(*tables.records()),
    "bench/results/table --short": short,
    "bench/results/table --seeds": lambda: seeds_table(lines.read(RECORD)),
    "bench/tables/table": public_tables,
    "bench/rank/table": lambda: rank.table(lines.read(rank.RECORD)),
    "bench/answers/table": lambda: answers.table(lines.read(answers.RECORD)),
    **{
        f"bench/results/limits {part}": (lambda make=make: make(limits.Figures()))
        for part, make in limits.PARTS.items()
    },
}


def renewed(page: Path) -> str:
    """The text of a page with all blocks made anew."""
    return BLOCK.sub(lambda found: f"{found[1]}\n{COMMANDS[found[2]]()}\n\n{found[3]}", page.read_text())


def named(page: Path) -> Iterator[str]:
    """The commands of the blocks of a page."""
    return (found[2] for found in BLOCK.finditer(page.read_text()))


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/results/pages", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = [page for page in PAGES if renewed(page) != page.read_text()]
    for page in stale:
        print(f"{page.relative_to(ROOT)}: {'is stale' if check else 'written'}")
        if not check:
            page.write_text(renewed(page))
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
