"""Parquet, Feather and Arrow files on the command line of the package."""

import datetime as dt
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from induce import Error
from induce._formats import as_csv, needs_conversion

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
    assert needs_conversion(["fit", str(folder)])
    assert not needs_conversion(["fit", str(tmp_path)])
    model = tmp_path / "m"
    assert induce("fit", tmp_path / "all.csv", "-o", model).returncode == 0
    whole = induce("predict", model, tmp_path / "all.csv")
    for data in (folder, folder / "part-*"):
        parts = induce("predict", model, data)
        assert (parts.stdout, parts.stderr, parts.returncode) == (whole.stdout, whole.stderr, 0)


def csv_of(table, tmp_path):
    parquet.write_table(table, tmp_path / "t.parquet")
    with as_csv(["fit", str(tmp_path / "t.parquet")]) as (_, name):
        assert name.endswith("/t.parquet.csv")
        return Path(name).read_text()


def test_columns_of_all_kinds(tmp_path):
    table = pa.table(
        {
            "single": pa.array([0.1, None], pa.float32()),
            "decimal": pa.array(["0.5", None]).cast(pa.decimal128(5, 2)),
            "whole": pa.array([2**60, None]),
            "truth": [True, None],
            "text": ['a,"b"', None],
            "category": pa.array(["x", None]).dictionary_encode(),
            "day": [dt.date(2020, 1, 1), None],
            "moment": [dt.datetime(2020, 1, 1, 6), None],
        }
    )
    header, first, second = csv_of(table, tmp_path).splitlines()
    assert header.replace('"', "") == ",".join(table.column_names)
    assert first == (
        '0.10000000149011612,0.5,1152921504606846976,true,"a,""b""","x",2020-01-01,2020-01-01 06:00:00.000000'
    )
    assert second == ",,,,,,,"


def test_the_index_of_a_data_frame_is_not_data(tmp_path):
    frame = pd.DataFrame({"x": [1, 2, 3]}, index=[7, 8, 9])
    table = pa.Table.from_pandas(frame)
    assert len(table.column_names) == 2
    assert csv_of(table, tmp_path).split() == ['"x"', "1", "2", "3"]


def test_types_of_written_columns(tmp_path):
    with as_csv(["predict", "m", "d.csv", "-o", str(tmp_path / "p.parquet")]) as (*_, name), open(name, "w") as file:
        file.write("id,code,label,p_0,p_1\n7,007,1,0.25,0.75\n8,008,0,0.5,0.5\n")
    table = parquet.read_table(tmp_path / "p.parquet")
    assert table.schema.types == [pa.int64(), pa.string(), pa.int64(), pa.float64(), pa.float64()]
    assert table["code"].to_pylist() == ["007", "008"]


def test_messages(tmp_path):
    assert not needs_conversion(["fit", "table.csv", "-o", "parquet"])
    broken, nested = tmp_path / "broken.parquet", tmp_path / "nested.parquet"
    broken.write_bytes(b"PAR1 and nothing else")
    parquet.write_table(pa.table({"x": [[1], [2]], "label": [0, 1]}), nested)
    done = induce("fit", broken)
    assert done.returncode == 1
    assert done.stderr.startswith(f"induce: {broken}: ")
    assert done.stderr.count("\n") == 1
    done = induce("fit", nested)
    assert done.returncode == 1
    assert f"{nested}: column 'x' has the type list<" in done.stderr
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
    left = scratch / "induce-csv-999999999-abc"  # of a process that is gone
    left.mkdir(parents=True)
    same = ["--inducing", 20, "--max-iter", 5, "--sample-rows", 2_000]
    assert induce("fit", tmp_path / "t.csv", "-o", tmp_path / "a.model", *same).returncode == 0
    fitted = induce(
        "fit", tmp_path / "t.parquet", "-o", tmp_path / "b.model", *same, "--memory", "150MB", "--scratch", scratch
    )
    assert fitted.returncode == 0, fitted.stderr
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
    assert list(scratch.iterdir()) == []


def test_room_is_checked(table, tmp_path, monkeypatch):
    parquet.write_table(table, tmp_path / "t.parquet")
    monkeypatch.setattr("induce._formats.disk_usage", lambda folder: SimpleNamespace(free=1_000))
    with (
        pytest.raises(Error, match="as CSV it needs about 0 MB in .*, which has 0 MB; choose another folder"),
        as_csv(["fit", str(tmp_path / "t.parquet"), f"--scratch={tmp_path}"]),
    ):
        pass
