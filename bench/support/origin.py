"""When, from which commit and on which machine records were made, in words for the pages."""

from __future__ import annotations

from bench.support.lines import Record


def days(records: list[Record]) -> str:
    every = sorted({record["when"][:10] for record in records})
    return " to ".join(dict.fromkeys((every[0], every[-1])))


def machine_of(record: Record) -> str:
    return f"{record['machine']['cores']} cores of {record['machine']['cpu']}"


def machines(records: list[Record]) -> str:
    return ", ".join(sorted({machine_of(record) for record in records}))


def origin(records: list[Record]) -> str:
    commits = sorted({record["commit"] for record in records if "commit" in record})
    return f"{days(records)}, commit {', '.join(commits)}, {machines(records)}"
