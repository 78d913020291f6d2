"""What seeds 0 to 4 of the default fit give: means, spreads and seconds, from docs/records/seeds.jsonl."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean, stdev

from bench.peers.tables import markdown, number
from bench.results.seeds import CATBOOST, OURS, SEEDS, SETS, whole
from bench.support import origin as made
from bench.support.lines import Record


def seconds(value: float) -> str:
    return f"{value:.0f} s" if value >= 10 else f"{value:.2g} s"


@dataclass(frozen=True)
class Fits:
    """The fits of a set with all seeds."""

    fits: list[Record]

    def mean(self, what: str) -> float:
        return mean(fit[what] for fit in self.fits)

    @property
    def deviation(self) -> float:
        return stdev(fit["nll"] for fit in self.fits)

    @property
    def busy(self) -> bool:
        return any(fit["busy"] for fit in self.fits)

    @property
    def nll(self) -> str:
        average = self.mean("nll")
        digits = 4 if average >= 0.01 else 5
        return f"{number(average, digits)} ± {number(self.deviation, digits)}"

    @property
    def spread(self) -> str:
        return f"{self.deviation / self.mean('nll'):.1%}".replace("%", " %")

    @property
    def seconds(self) -> str:
        return seconds(self.mean("seconds")) + ("*" if self.busy else "")

    @property
    def day(self) -> str:
        return max(fit["when"] for fit in self.fits)[:10]


def fits_of(records: list[Record], library: str = OURS) -> dict[str, Fits]:
    return {name: Fits(fits) for name, fits in whole(records, library).items()}


def between(values: list[float]) -> str:
    low, high = min(values), max(values)
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def origin(fits: dict[str, Fits]) -> str:
    """Days, build and machine of these fits, and whether their times can be quoted."""
    every = [fit for found in fits.values() for fit in found.fits]
    load = "; *: other work was running, so these times are upper limits" if any(fit["busy"] for fit in every) else ""
    return made.origin(every) + load


def seeds_table(records: list[Record]) -> str:
    """For docs/results.md. CatBoost where it ran with the same seeds."""
    ours, trees = fits_of(records), fits_of(records, CATBOOST)
    head = ["data", "NLL", "spread", "accuracy", "time", "processor seconds", "m", "kernels and warps"]
    head += ["CatBoost's NLL", "its time"] if trees else []
    body = []
    for name, own in ours.items():
        choices = {(fit["kernel"], fit["warp"]) for fit in own.fits}
        cells = [name, own.nll, own.spread, number(own.mean("accuracy")), own.seconds,
                 f"{own.mean('processor_seconds'):.3g}", between([fit["m"] for fit in own.fits]),
                 f"{len(choices)} different" if len(choices) > 1 else "the same"]  # fmt: skip
        other = trees.get(name)
        body.append(cells + ([other.nll if other else "-", other.seconds if other else "-"] if trees else []))
    steady = sum(own.deviation <= 0.01 * own.mean("nll") for own in ours.values())
    missing = [name for name in SETS if name not in ours]
    lacks = f" The record lacks {', '.join(missing)}." if missing else ""
    note = (
        f"Mean and standard deviation over seeds {SEEDS[0]} to {SEEDS[-1]}, the latter also as a share of the former;"
        f" the processor reads and tests too. {origin(ours)}. At most 1 % was wanted:"
        f" {steady} of {len(ours)} sets have it.{lacks}"
    )
    return f"{markdown(head, body)}\n\n{note}"
