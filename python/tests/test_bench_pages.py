"""Pages and records of bench/: what pages show is what records say. Oracles: hand-computed cases."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from repository import ROOT, needs

needs("the benchmarks are")
sys.path.insert(0, str(ROOT))

from bench.answers import figures as answers  # noqa: E402
from bench.rank import figures as rank  # noqa: E402
from bench.results import pages, seeds  # noqa: E402
from bench.results import tables as results  # noqa: E402
from bench.results.seed_tables import fits_of, seeds_table  # noqa: E402
from bench.support import cells, lines, machine  # noqa: E402
from bench.tables import figures  # noqa: E402


@pytest.mark.parametrize("page", pages.PAGES, ids=lambda page: page.name)
def test_tables_of_the_pages_are_those_of_the_records(page: Path) -> None:
    for found in pages.BLOCK.finditer(page.read_text()):
        assert pages.COMMANDS[found[2]]().strip() in found[0], (
            f"{page.name}: {found[2]} prints another text: bench/results/pages"
        )
    assert pages.renewed(page) == page.read_text(), "bench/results/pages"


def test_every_table_is_in_one_page() -> None:
    assert sorted(name for page in pages.PAGES for name in pages.named(page)) == sorted(pages.COMMANDS)


def test_the_readme_shows_only_sets_with_five_seeds() -> None:
    text = (ROOT / "README.md").read_text()
    shown = re.findall(r"^\| ([\w-]+)(?:, [\w ]+)? \| [\d.]+", text, re.MULTILINE)
    assert shown
    assert set(shown) <= set(fits_of(lines.read(seeds.RECORD))), "bench/results/seeds"


def test_the_record_of_seeds_is_of_one_build() -> None:
    records = lines.read(seeds.RECORD)
    ours = [record for record in records if record["library"] == seeds.OURS]
    assert len({(record["build"], record["commit"]) for record in ours}) == 1
    assert len(lines.last_by(records, "library", "set", "seed")) == len(records), "a fit is there twice"
    fields = {"nll", "accuracy", "seconds", "processor_seconds", "m", "kernel", "warp", "version", "threads"}
    assert all(fields <= record.keys() for record in ours)


def cells_of_answers() -> set[tuple[str, int]]:
    return {(name, seed) for name, _, _ in answers.ROWS for seed in range(answers.SEEDS)}


def cells_of_rank() -> set[tuple[str, int]]:
    return {(name, start) for name in rank.TABLES for start in range(rank.STARTS)} | {
        (rank.POOL, k) for k in range(rank.POOLS)
    }


@pytest.mark.parametrize(
    ("path", "keys", "wanted"),
    [
        (answers.RECORD, ("problem", "seed"), cells_of_answers()),
        (rank.RECORD, ("table", "start"), cells_of_rank()),
    ],
    ids=["answers", "rank"],
)
def test_a_record_has_each_cell_once_and_says_of_what_it_is(
    path: Path, keys: tuple[str, str], wanted: set[tuple[str, int]]
) -> None:
    records = lines.read(path)
    found = lines.last_by(records, *keys)
    assert set(found) == wanted, "a cell lacks: bench/answers/run, bench/rank/run"
    assert len(found) == len(records), "a cell is there twice"
    assert len({(record["build"], record["commit"], record["version"]) for record in records}) == 1
    assert {record["threads"] for record in records} == {1}
    fields = {"machine", "when", "busy", "others_during", "processor_seconds"}
    assert all(fields <= record.keys() for record in records)


def test_figures_of_worked_pages_are_those_of_the_records() -> None:
    records = lines.read(answers.RECORD)
    inside = [record["inside"] for record in records if record["problem"] == "doubt"]
    wines = [record[f"auc_{k}"] for record in records if record["problem"] == "unseen_class" for k in answers.WINES]
    page = (ROOT / "docs" / "answers" / "unlike_rows.md").read_text()
    share = f"Of {len(inside)} made-up tables of 1,000 rows with known probabilities {np.mean(inside):.0%} lay between"
    assert share.replace("%", " %") in page
    assert f"in single tables {100 * min(inside):.0f} to {100 * max(inside):.0f} %" in page
    assert f"in {100 * np.mean(wines):.0f} % of the pairs (mean of {len(wines)} fits, the least {100 * min(wines):.0f} %" in page


def test_numbers_of_the_limits_are_figures_of_other_pages() -> None:
    """Those outside of tables that commands write. Whole numbers are sizes and limits, or in words that the page explains."""
    text = pages.BLOCK.sub("", (ROOT / "docs" / "limits.md").read_text())
    known = "".join((ROOT / "docs" / f"{name}.md").read_text() for name in ("results", "decisions", "performance"))
    numbers = {number.lstrip("0") for number in re.findall(r"(?<![\d-])\d*\.\d+", text)}
    assert len(numbers) > 20
    lost = {number for number in numbers if not re.search(rf"(?<![\d.])0?{re.escape(number)}(?!\d)", known)}
    assert not lost, "docs/limits.md has figures that no page measures"


def seed_record(name: str, seed: int, nll: float, **more: object) -> dict[str, object]:
    about = {"when": "2026-11-20T00:00:00Z", "machine": {"cores": 2, "cpu": "x"}, "commit": "c", "busy": False}
    figures = {"nll": nll, "accuracy": 0.75, "seconds": 2.0 + seed, "processor_seconds": 5.0}
    choice = {"m": 100 if seed else 200, "kernel": "se", "warp": "none"}
    return {"library": "induce", "set": name, "seed": seed, **figures, **choice, **about, **more}


def test_the_table_of_seeds() -> None:
    records = [seed_record("german", seed, 0.5 + 0.01 * seed) for seed in range(5)]
    records += [seed_record("skin_nonskin", seed, 0.002, busy=seed == 3) for seed in range(5)]
    records += [seed_record("magic", seed, 0.3) for seed in range(4)]  # one lacks
    table = seeds_table(records)
    # Oracle: mean and standard deviation of .50 .51 .52 .53 .54.
    assert "| german | 0.5200 ± 0.0158 | 3.0 % | 0.7500 | 4 s | 5 | 100 to 200 | the same |" in table
    assert "| skin_nonskin | 0.00200 ± 0.00000 | 0.0 % | 0.7500 | 4 s* |" in table
    assert "1 of 2 sets have it. The record lacks svmguide1, magic," in table
    assert "magic |" not in table
    assert "CatBoost" not in table
    trees = [seed_record("german", seed, 0.6, library="CatBoost") for seed in range(5)]
    assert "| the same | 0.6000 ± 0.0000 | 4 s |" in seeds_table([*records, *trees])
    later = [*records, seed_record("german", 4, 0.59)]
    assert "| german | 0.5300 ± " in seeds_table(later)


def test_the_table_of_the_readme_compares_with_the_mean() -> None:
    at = {"run": "2026-11-17T00:00:00Z", "machine": {"cores": 2, "cpu": "y"}, "seconds": 0.5}
    found = {
        ("german", "lightgbm"): {**at, "final": {"nll": 0.519}},
        ("german", "catboost"): {**at, "final": {"nll": 0.521}},
        ("german", "xgboost"): {**at, "final": {"nll": 0.51}},
        ("german", "gpflow-adam"): {**at, "peer": "gpflow-adam", "best": {"nll": 0.515, "seconds": 60.0}},
    }
    text = results.short(found, {}, [seed_record("german", seed, 0.5 + 0.01 * seed) for seed in range(5)])
    row = "| german | 0.5200 ± 0.0158 in 4 s | **0.5150** at 60 s (GPflow) | **0.5190** in 0.5 s | 0.5210 in 0.5 s |"
    assert row in text
    assert "So is XGBoost on german (0.5100)." in text
    assert "2026-11-20, commit c, 2 cores of x. Other columns: `bench/results/run`, 2026-11-17, 2 cores of y." in text


def test_the_table_of_public_tables() -> None:
    libraries = ["induce", *figures.PEERS]
    nll = {"induce": 0.3, "CatBoost": 0.2, "LightGBM": 0.4, "logistic": 0.5, "LightGBM, stopped": 0.4}
    records = [
        {"table": "t", "fold": fold, "library": name, "nll": x, "processor_seconds": 1.0}
        for fold in range(2)
        for name, x in nll.items()
    ]
    table = figures.page(figures.complete([*records, {**records[0], "fold": 2}], libraries), libraries)
    assert "| t | 2 | 0.3000 | **0.2000** |" in table
    assert "| CatBoost | 0 of 1 | 0 of 2, 0% | 1.500 | 1.500 | 1.00 |" in table
    assert "t 1.50. 1 tables, 2 pairs of table and fold, 2026-11-18" in table
    dated = [{**record, "when": "2026-11-20T00:00:00Z", "commit": "c"} for record in records]
    assert "2026-11-20, commit c." in figures.page(figures.complete(dated, libraries), libraries)


RUN = {"when": "2026-11-20T00:00:00Z", "machine": {"cores": 2, "cpu": "x"}, "commit": "c", "processor_seconds": 60.0}


def test_the_table_of_answers() -> None:
    stated = [0.5, 0.7, 0.3]
    records = [
        {"problem": "trials", "seed": seed, "stated": x, "new": 0.5, "true": 0.375, **RUN}
        for seed, x in enumerate(stated)
    ]
    text = answers.table([{**records[0], "stated": 9.0}, *records])
    # Oracle: mean 0, standard deviation .2 and its error .2/sqrt(3) of 0, .2 and -.2.
    row = "| trials | trials: stated NLL less that of new rows | 3 | 0.0000 (0.115) | -0.200 | 0.200 |"
    assert row in text
    assert "| 3 | 0.125 (0.0000) | 0.125 | 0.125 |" in text
    assert text.endswith("3 cells, 3 minutes of the processor, 2026-11-20, commit c, 2 cores of x.")
    panel = {"stated_groups": 0.625, "new_groups": 0.5, "error_groups": 0.0625}
    assert answers.z_squared("groups")(panel) == 4


def test_the_table_of_ranked_rows() -> None:
    def start(number: int, random: float, less: float) -> lines.Record:
        ranked = [random + 0.1 - 0.02 * k - less for k in range(11)]
        return {"table": "magic", "start": number, "random_300": 0.75, "random_500": random, "ranked": ranked, **RUN}

    pool = {"table": rank.POOL, "rows": 1000, "columns": 8, "m": 50, "predict_seconds": 0.25, **RUN}
    pools = [{**pool, "start": k, "rank_seconds": x} for k, x in enumerate((0.5, 0.75, 3.0))]
    text = rank.table([start(0, 0.5, 0.0), start(1, 0.4, 0.02), *pools])
    # Oracle: the mean is .54 - .02 k, and .45 of random ones after 50 + 5 * 25 = 175 labels; gains .1 and .12, .35 and .47.
    assert "| magic | 2 | 0.7500 | 0.4500 | 0.4400 | 0.3400 | +0.4100 (0.0600) | +0.1100 (0.0100) | 175 |" in text
    assert "1,000 rows of 8 columns in memory, m = 50: `predict_proba` takes 0.25 s" in text
    assert "predicts too, 0.75 s (medians of 3). All: 5 minutes of the processor, 2026-11-20" in text
    assert "**not by 300**" in rank.table([start(0, 0.5, -0.2)])


def test_cells_that_a_record_has_are_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "busy_cores", lambda *_: 0.0)
    parser = cells.parser("bench/some/run", "Some.", tmp_path / "some.jsonl")
    ran: list[tuple[str, int]] = []

    def measure(name: str, seed: int) -> lines.Record:
        ran.append((name, seed))
        return {"nll": np.float64(1 / 3), "curve": [2 / 3], "kernel": "se"}

    def run(*words: str, seeds: int) -> int:
        args = parser.parse_args(words)
        return cells.run(args, ("table", "seed"), [("a", seed) for seed in range(seeds)], measure)

    assert run(seeds=1) == 0
    assert run(seeds=2) == 0
    assert ran == [("a", 0), ("a", 1)]
    record = lines.read(tmp_path / "some.jsonl")[1]
    assert (record["table"], record["seed"], record["nll"], record["curve"]) == ("a", 1, 0.33333, [0.66667])
    assert {"machine", "commit", "build", "version", "when", "busy", "processor_seconds"} <= record.keys()
    monkeypatch.setattr(machine, "build_of", lambda _: "other")
    assert run(seeds=3) == 1
    assert run("--again", seeds=1) == 0
    assert [each["build"] for each in lines.read(tmp_path / "some.jsonl")] == ["other"]


def test_a_cell_of_the_results() -> None:
    ours = {"status": "done", "curve": [[1.0, 0.5], [2.0, 0.3]], "best": {"seconds": 2.0, "nll": 0.3},
            "final": {"seconds": 2.0, "nll": 0.3}, "seconds": 2.0}  # fmt: skip
    peer = {"status": "error", "best": {"seconds": 30.0, "nll": 0.4}}
    found = {("x", "induce"): ours, ("x", "induce-auto"): ours, ("x", "peer"): peer}
    assert results.gaussian_cell(found, "x", "peer") == "0.4000 at 30 s, then error (15x, 15x)"
    assert results.gaussian_cell(found, "x", "other") == "-"
    peer["best"] = {"seconds": 30.0, "nll": 0.2}
    assert results.gaussian_cell(found, "x", "peer") == "**0.2000** at 30 s, then error (never, never)"
    assert results.gaussian_cell({("x", "p"): {"status": "time limit"}}, "x", "p") == "none (time limit)"
    assert results.end_cell(ours, 0.31) == "**0.3000** in 2 s"
