"""bench/compare: pairs of runs, their quartiles, limits. Oracles: hand-computed cases, programs that only say numbers."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from repository import ROOT, needs

needs("the benchmarks are")
sys.path.insert(0, str(ROOT))

from bench.budget import builds  # noqa: E402
from bench.budget.compare import BUDGET, MOST, Comparison, compare, main  # noqa: E402
from bench.budget.measures import MADE_UP, REAL, Measure, Sample, made_up_rows, measures  # noqa: E402
from bench.support.program import ProgramError  # noqa: E402

LIMITS = {"ratio": {"a": 1.05}, "nll": {"a": 0.3}}


def comparison(*ratios: float, nll: float | None = None) -> Comparison:
    before = [Sample(2.0, "2 s") for _ in ratios]
    after = [Sample(2 * ratio, f"{2 * ratio:g} s", nll) for ratio in ratios]
    return Comparison("a", 1.05, 0.3, before, after)


def fake(path: Path, *seconds: float, nll: float = 0.2) -> Path:
    """A program that takes the given seconds in turn; the last counts for all later runs."""
    answers = [json.dumps({"seconds": value, "test": {"nll": nll}}) for value in seconds]
    count = path.with_suffix(".count")
    lines = "\n".join(f"{i}) answer='{text}' ;;" for i, text in enumerate(answers))
    path.write_text(f"""#!/bin/sh
number=$(cat {count} 2>/dev/null || echo 0)
echo $((number + 1)) >{count}
answer='{answers[-1]}'
case $number in
{lines}
esac
for out; do :; done
echo "$answer" >"$out"
""")
    path.chmod(0o755)
    return path


def test_every_measure_has_a_limit(tmp_path: Path) -> None:
    budget = json.loads(BUDGET.read_text())
    names = {measure.name for measure in measures(tmp_path, tmp_path, quick=True)} | {f"fit-{name}" for name in REAL}
    assert names == set(budget["ratio"])
    assert set(budget["nll"]) == {f"fit-{name}" for name in (*REAL, *MADE_UP)}
    assert set(budget["reasons"]) <= set(budget["nll"]) | set(budget["ratio"])  # of limits that were raised


def test_quartiles_of_paired_ratios() -> None:
    found = comparison(1.0, 1.1, 1.2, 0.9, 1.3)
    assert found.quartiles == pytest.approx((1.0, 1.1, 1.2))
    assert found.undecided
    assert found.problems == ["a: 1.100 times the time, limit 1.05"]
    assert found.row() == "| a | 2 s | 1.8 s | 1.100 | 1.000 to 1.200 | 5 | 1.05 |  | 0.3 | EXCEEDED |"
    assert not comparison(1.06, 1.07, 1.08).undecided
    assert comparison(0.9, 1.04, 1.2).problems == []


def test_an_nll_above_its_limit_is_a_problem_at_any_speed() -> None:
    assert comparison(0.5, nll=0.31).problems == ["a: NLL 0.3100, limit 0.3"]
    assert comparison(0.5, nll=0.3).problems == []


def test_a_limit_that_some_rounds_exceed_is_decided_by_more(tmp_path: Path) -> None:
    old, noisy = fake(tmp_path / "old", 1.0), fake(tmp_path / "noisy", 1.0, 1.3, 1.0)
    found = compare([Measure("a", ("fit",))], LIMITS, (old, noisy), 2)[0]
    assert found.ratios == pytest.approx([1.0, 1.3, 1.0])
    assert found.problems == []
    quick = compare([Measure("a", ("fit",))], LIMITS, (old, fake(tmp_path / "quick", 0.5)), 2)[0]
    assert len(quick.ratios) == 2
    slow = compare([Measure("a", ("fit",))], LIMITS, (old, fake(tmp_path / "slow", 1.0, 1.3)), 2)[0]
    assert len(slow.ratios) == 2 * MOST
    assert slow.problems == ["a: 1.300 times the time, limit 1.05"]


def test_what_the_old_program_cannot_do_is_not_limited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken, works = tmp_path / "broken", fake(tmp_path / "works", 1.0)
    broken.write_text("#!/bin/sh\necho no such option >&2\nexit 2\n")
    broken.chmod(0o755)
    todo = [Measure("a", ("fit",))]
    found = compare(todo, LIMITS, (broken, works), 2)[0]
    assert (found.ratios, found.problems, len(found.after)) == ([], [], 2)
    assert found.row() == "| a | - | 1 s | - | - | 0 | 1.05 | 0.2000 | 0.3 | ok |"
    assert "no such option" in capsys.readouterr().err
    with pytest.raises(ProgramError, match="no such option"):
        compare(todo, LIMITS, (works, broken), 2)


def test_exit_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    budget = tmp_path / "budget.json"
    budget.write_text(json.dumps({"ratio": {"fit-made-up-small": 1.05}, "nll": {}}))
    old, slow = fake(tmp_path / "old", 1.0), fake(tmp_path / "slow", 1.2)
    more = ["--quick", "--only", "fit-made-up-small", "--budget", str(budget), "--data", str(tmp_path)]
    assert main([str(old), str(old), *more]) == 0
    assert main([str(old), str(slow), *more]) == 1
    assert "over budget: fit-made-up-small: 1.200 times the time, limit 1.05" in capsys.readouterr().err
    assert main([str(old), "no-such-commit", *more]) == 1
    assert "neither a program nor a commit" in capsys.readouterr().err


def test_made_up_tables_are_the_same_everywhere() -> None:
    rows = made_up_rows(3, 0)
    assert rows == made_up_rows(3, 0) != made_up_rows(3, 1)
    assert rows[1].split(",")[:2] == ["0.941715", "-1.396578"]
    assert {len(row.split(",")) for row in rows} == {9}


def test_a_program_is_used_as_it_is(tmp_path: Path) -> None:
    path = fake(tmp_path / "induce", 1.0)
    assert builds.program(str(path), 1) == path
