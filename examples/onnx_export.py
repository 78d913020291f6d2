"""A model as an ONNX file, run by onnxruntime without induce: pip install 'induce[onnx]' onnxruntime"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
import onnxruntime
import pandas as pd

from induce import GPClassifier


def main(folder: Path) -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame({"age": random.uniform(18, 80, 600), "job": random.choice(["cook", "clerk", "driver"], 600)})
    y = np.where(random.random(600) < 1 / (1 + np.exp(-(table["age"] - 45) / 10)), "yes", "no")
    classifier = GPClassifier().fit(table, y)
    onnx.save(classifier.to_onnx(), folder / "my.onnx")

    session = onnxruntime.InferenceSession(folder / "my.onnx")
    new = pd.DataFrame(
        {"age": [30.0, 45.0, np.nan], "job": ["cook", "pilot", "clerk"]}
    )  # a gap, and a job never seen
    inputs = {
        "age": new[["age"]].to_numpy(),
        "job": new[["job"]].to_numpy(object),
    }
    label, probabilities = session.run(None, inputs)
    for row, name, p in zip(new.itertuples(), label, probabilities, strict=True):
        print(f"age {row.age:4.0f}, {row.job:6}: {name}, probability of yes {p[1]:.3f}")
    test = table.sample(200, random_state=0)
    _, p = session.run(None, {"age": test[["age"]].to_numpy(), "job": test[["job"]].to_numpy(object)})
    difference = abs(p - classifier.predict_proba(test)).max()
    print(f"largest difference to the library: {'below 1e-12' if difference < 1e-12 else difference}")
    print(f"size of the file: {(folder / 'my.onnx').stat().st_size // 1000} kB")


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        main(Path(folder))
