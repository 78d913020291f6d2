"""Parquet, Feather and Arrow files on the command line of the package."""

import datetime as dt
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

pa = pytest.importorskip("pyarrow")
csv = pytest.importorskip("pyarrow.csv")
feather = pytest.importorskip("pyarrow.feather")
parquet = pytest.importorskip("pyarrow.parquet")


def induce(*arguments, **options):
    command = [sys.executable, "-m", "induce", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, **options)


@pytest.fixture
def table(banana):
    X, y = banana
    return pa.table({"east": X[:, 0], "north": X[:, 1], "label": np.array(["no", "yes"])[y]})


def test_any_format_gives_the_same_predictions(table, tmp_path):
    csv.write_csv(table, tmp_path / "t.csv")
    parquet.write_table(table, tmp_path / "t.parquet")
    feather.write_feather(table, tmp_path / "t.feather")
    written = {}
    for name in ("t.csv", "t.parquet", "t.feather"):
        model, data = tmp_path / f"{name}.model", tmp_path / name
        fitted = induce("fit", data, "-o", model)
        assert fitted.returncode == 0, fitted.stderr
        assert induce("eval", model, data).returncode == 0
        written[name] = induce("predict", model, data).stdout
    assert "is also given as DATA" in induce("fit", data, "--test", data).stderr
    assert written["t.csv"].startswith("label,p_no,p_yes")
    assert len(set(written.values())) == 1
    for ending, read in ((".parquet", parquet.read_table), (".FEATHER", feather.read_table)):
        output = tmp_path / f"out{ending}"
        done = induce("predict", model, tmp_path / "t.csv", f"--output={output}")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert "\n".join(map(str, read(output)["p_yes"].to_pylist())) == "\n".join(
            line.split(",")[2] for line in written["t.csv"].splitlines()[1:]
        )


def test_folders_and_patterns_are_one_table(table, tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    parquet.write_table(table[:150], folder / "part-0.parquet")
    csv.write_csv(table[150:250], folder / "part-1.csv")
    feather.write_feather(table[250:], folder / "part-2.feather")
    (folder / "_SUCCESS").touch()
    csv.write_csv(table, tmp_path / "all.csv")
    model = tmp_path / "m"
    assert induce("fit", tmp_path / "all.csv", "-o", model).returncode == 0
    whole = induce("predict", model, tmp_path / "all.csv")
    for data in (folder, folder / "part-*"):
        parts = induce("predict", model, data)
        assert (parts.stdout, parts.stderr, parts.returncode) == (whole.stdout, whole.stderr, 0)


def model_of(data, tmp_path):
    done = induce("fit", data, "-o", tmp_path / "m", "--inducing", 5, "--max-iter", 3)
    assert done.returncode == 0, done.stderr
    return (tmp_path / "m").read_bytes()


@pytest.fixture
def all_kinds():
    """Columns of all types that have a text for the same value, half of which are missing somewhere."""
    random = np.random.default_rng(0)
    n = 120
    x = random.normal(size=n).round(2)
    day = [dt.date(2020, 1, 1) + dt.timedelta(int(k)) for k in random.integers(0, 900, n)]
    gaps = lambda values, share=0.1: [None if random.random() < share else value for value in values]  # noqa: E731
    names = random.choice(["red", "green", "a rather long name"], n).tolist()
    return pa.table(
        {
            "single": pa.array(gaps(x), pa.float32()),
            "double": pa.array(gaps(x.tolist()), pa.float64()),
            "decimal": pa.array([None if v is None else str(v) for v in gaps(x.tolist())]).cast(pa.decimal128(9, 2)),
            **{
                str(kind): pa.array(gaps(random.integers(0, 100, n).tolist()), kind)
                for kind in (pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64())
            },
            "truth": gaps((random.random(n) < 0.5).tolist()),
            "text": gaps(names),
            "large": pa.array(gaps(names), pa.large_string()),
            "category": pa.array(gaps(names)).dictionary_encode(),
            "day": gaps(day),
            "moment": pa.array(
                gaps([dt.datetime(2020, 1, 1) + dt.timedelta(0, int(s), 250_000) for s in random.integers(0, 1e7, n)]),
                pa.timestamp("us"),
            ),
            "label": np.where(x + random.normal(size=n) > 0, 'says "yes"', "no"),
        }
    )


def test_columns_of_all_kinds(all_kinds, tmp_path):
    texts = {"single": pa.float64(), "decimal": pa.string(), "category": pa.string()}
    as_texts = pa.schema([(each.name, texts.get(each.name, each.type)) for each in all_kinds.schema])
    csv.write_csv(all_kinds.cast(as_texts), tmp_path / "t.csv")
    parquet.write_table(all_kinds, tmp_path / "t.parquet", row_group_size=50)
    feather.write_feather(all_kinds, tmp_path / "t.feather", chunksize=7)
    want = model_of(tmp_path / "t.csv", tmp_path)
    assert model_of(tmp_path / "t.parquet", tmp_path) == want
    assert model_of(tmp_path / "t.feather", tmp_path) == want


def test_categories_stay_categories(tmp_path):
    random = np.random.default_rng(1)
    code = random.integers(1, 4, 200)
    label = np.where(random.random(200) < code / 4, "yes", "no")
    table = pa.table({"code": pa.array(code.astype(str)).dictionary_encode(), "x": random.normal(size=200), "label": label})
    parquet.write_table(table, tmp_path / "t.parquet")
    csv.write_csv(table.set_column(0, "code", [code]), tmp_path / "t.csv")
    declared = induce("fit", tmp_path / "t.csv", "--categorical", "code", "-o", tmp_path / "c", "--inducing=5", "--max-iter=3")
    assert declared.returncode == 0, declared.stderr
    tensors = [each[8 + int.from_bytes(each[:8], "little") :] for each in (model_of(tmp_path / "t.parquet", tmp_path), (tmp_path / "c").read_bytes())]
    assert tensors[0] == tensors[1]


def test_the_index_of_a_data_frame_is_not_data(table, tmp_path):
    frame = table.to_pandas()
    parquet.write_table(pa.Table.from_pandas(frame, preserve_index=False), tmp_path / "without.parquet")
    parquet.write_table(pa.Table.from_pandas(frame.set_index(frame.index * 2 + 7)), tmp_path / "with.parquet")
    assert model_of(tmp_path / "with.parquet", tmp_path) == model_of(tmp_path / "without.parquet", tmp_path)


def test_types_of_written_columns(banana, tmp_path):
    X, y = banana
    ids = {"number": range(len(y)), "code": [f"{k:03}" for k in range(len(y))]}
    pd.DataFrame({"east": X[:, 0], "label": y, **ids}).to_csv(tmp_path / "t.csv", index=False)
    fit = ["fit", "t.csv", "-o", "m", "--drop=number", "--drop=code", "--inducing=5", "--max-iter=3"]
    assert induce(*fit, cwd=tmp_path).returncode == 0
    written = {}
    for output, name in (("p.parquet", "number"), ("p.ARROW", "code"), ("p.csv", "number")):
        done = induce("predict", "m", "t.csv", "--id", name, "-o", output, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        read = {"p.parquet": parquet.read_table, "p.ARROW": feather.read_table, "p.csv": csv.read_csv}[output]
        written[output] = read(tmp_path / output)
    assert written["p.parquet"].schema.types == [pa.int64(), pa.int64(), *[pa.float64()] * 4]
    assert written["p.parquet"].equals(written["p.csv"])  # to the last digit
    assert written["p.ARROW"]["code"].to_pylist() == ids["code"]
    assert written["p.ARROW"].drop(["code"]).equals(written["p.csv"].drop(["number"]))


def test_effects_as_a_table(table, tmp_path):
    parquet.write_table(table, tmp_path / "t.parquet")
    model_of(tmp_path / "t.parquet", tmp_path)
    for output in ("e.parquet", "e.csv"):
        done = induce("explain", "m", "-o", output, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    effects = parquet.read_table(tmp_path / "e.parquet")
    assert effects.column_names == ["feature", "value", "effect", "lower", "upper"]
    want = csv.read_csv(tmp_path / "e.csv", convert_options=csv.ConvertOptions(column_types={"value": pa.string()}))
    assert effects.equals(want)


def test_columns_that_are_left_out_may_hold_anything(table, tmp_path):
    parquet.write_table(table, tmp_path / "t.parquet")
    want = model_of(tmp_path / "t.parquet", tmp_path)
    parquet.write_table(table.append_column("lists", [[[1, 2]] * len(table)]), tmp_path / "n.parquet")
    assert "column 'lists' has the type list" in induce("fit", "n.parquet", cwd=tmp_path).stderr
    given = ["fit", "n.parquet", "--drop=lists", "-o", "n", "--inducing=5", "--max-iter=3"]
    assert induce(*given, cwd=tmp_path).returncode == 0
    tensors = [each[8 + int.from_bytes(each[:8], "little") :] for each in (want, (tmp_path / "n").read_bytes())]
    assert tensors[0] == tensors[1]


def test_messages(tmp_path):
    broken, nested = tmp_path / "broken.parquet", tmp_path / "nested.parquet"
    broken.write_bytes(b"PAR1 and nothing else")
    parquet.write_table(pa.table({"x": [[1], [2]], "label": [0, 1]}), nested)
    done = induce("fit", broken)
    assert done.returncode == 1
    assert done.stderr.startswith(f"induce: {broken}: ")
    assert done.stderr.count("\n") == 1
    done = induce("fit", nested)
    assert done.returncode == 1
    assert f"'{nested}': column 'x' has the type list: must be numbers" in done.stderr
    assert "is no text" in induce("fit", nested, "--encoding", "latin-1").stderr
    absent = induce("fit", tmp_path / "absent.parquet")
    assert absent.returncode == 1
    assert "absent.parquet" in absent.stderr


def test_without_pyarrow_it_says_what_to_install(table, tmp_path):
    parquet.write_table(table, tmp_path / "t.parquet")
    (tmp_path / "pyarrow.py").write_text("raise ImportError")
    for arguments in (["fit", "t.parquet"], ["predict", "m.model", "t.csv", "-o", "p.feather"]):
        done = induce(*arguments, cwd=tmp_path)
        assert done.returncode == 1
        assert done.stderr == (
            f"induce: {arguments[-1]}: Parquet, Feather and Arrow files need pyarrow (pip install pyarrow)\n"
        )


def test_larger_than_memory(tmp_path):
    random = np.random.default_rng(3)
    X = random.normal(size=(6_000, 3)).round(3)
    label = np.where(np.sin(2 * X[:, 0]) + X[:, 1] > 0, "yes", "no")
    table = pa.table({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "label": label})
    csv.write_csv(table, tmp_path / "t.csv")
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=1_000)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    same = ["--inducing", 20, "--max-iter", 5, "--sample-rows", 2_000]
    assert induce("fit", tmp_path / "t.csv", "-o", tmp_path / "a.model", *same).returncode == 0
    fitted = induce(
        "fit", tmp_path / "t.parquet", "-o", tmp_path / "b.model", *same, "--memory", "150MB", "--scratch", scratch
    )
    assert fitted.returncode == 0, fitted.stderr
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
    assert list(scratch.iterdir()) == []
