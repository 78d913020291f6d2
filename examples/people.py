"""Makes a messy table: python examples/people.py [FOLDER] [ROWS]

Writes train.csv (1,000 rows), test.csv (1,000) and new.csv (5, without the answer). The columns resemble those of
the census table "adult": an id, numbers, texts, a date, gaps written as "?", an amount that is mostly 0, and an
answer that is ">50K" in one row of five. All is made up, always the same, and says nothing about people.
"""

import csv
import sys
from pathlib import Path

import numpy as np

LEVELS = {  # text -> its effect on the log odds
    "work": {"private": 0.0, "self-employed": 0.3, "government": 0.1, "family": -1.0},
    "education": {"school": -1.0, "college": 0.0, "bachelor": 0.9, "master": 1.4, "doctor": 2.0},
    "relation": {"married": 1.3, "single": -1.2, "divorced": -0.5, "widowed": -0.3},
    "job": {
        "manager": 0.9,
        "engineer": 0.8,
        "clerk": 0.0,
        "sales": 0.2,
        "cook": -0.9,
        "cleaner": -1.1,
        "driver": -0.4,
    },
    "country": {"A": 0.1, "B": 0.0, "C": 0.0, "D": -0.2, "E": 0.1, "F": 0.0, "G": -0.3, "H": 0.0},
}
SHARES = {
    "work": [0.70, 0.12, 0.14, 0.04],
    "education": [0.35, 0.33, 0.20, 0.09, 0.03],
    "relation": [0.46, 0.34, 0.16, 0.04],
    "job": [0.14, 0.12, 0.20, 0.16, 0.14, 0.10, 0.14],
    "country": [0.80, 0.06, 0.04, 0.03, 0.03, 0.02, 0.01, 0.01],
}


def make_people(rows: int, seed: int) -> dict[str, np.ndarray]:
    """The columns by name."""
    random = np.random.default_rng(seed)
    age = np.clip(random.gamma(8.0, 4.8, rows), 17, 90).round()
    hours = np.clip(random.normal(40, 11, rows), 3, 99).round()
    has_gain = random.random(rows) < 0.08
    gain = np.where(has_gain, random.choice([2174, 3103, 5178, 7688, 15024], rows), 0)
    since = np.datetime64("2005-01-01") + random.integers(0, 7000, rows)
    texts = {name: random.choice(list(levels), rows, p=SHARES[name]) for name, levels in LEVELS.items()}

    odds = -3.1 + sum(np.vectorize(LEVELS[name].get)(texts[name]) for name in LEVELS)
    odds += 1.6 * np.exp(-(((age - 48) / 16) ** 2)) + 0.03 * (hours - 40)  # income rises with age, then falls
    odds += np.where(gain >= 5000, 4.0, 0.0) + np.where(gain == 3103, 1.5, 0.0)
    odds += 0.5 * (texts["job"] == "manager") * (hours > 45)
    rich = random.random(rows) < 1 / (1 + np.exp(-1.3 * odds))

    table = {
        "id": np.array([f"P{number:07d}" for number in random.choice(10_000_000, rows, replace=False)]),
        "age": age.astype(int),
        **texts,
        "hours": hours.astype(int),
        "gain": gain,
        "since": since.astype(str),
        "income": np.where(rich, ">50K", "<=50K"),
    }
    for name, share in {"work": 0.06, "job": 0.06, "country": 0.02, "hours": 0.03}.items():
        table[name] = np.where(random.random(rows) < share, "?", table[name].astype(object))
    return table


def write(table: dict[str, np.ndarray], path: Path) -> None:
    with path.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(table)
        out.writerows(zip(*table.values(), strict=True))


def main(folder: Path, rows: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    new = make_people(5, seed=6)
    del new["income"]
    write(make_people(rows, seed=1), folder / "train.csv")
    write(make_people(1000, seed=2), folder / "test.csv")
    write(new, folder / "new.csv")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."), int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
