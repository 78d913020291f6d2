"""A model has the same bytes wherever its rows are. Oracle: `induce fit` of one file in one process.

One process with other threads, files that are cut differently, files in place of memory, ranks of an MPI job that
are handed their rows, workers of a Dask cluster, DataFrames and streams of any library, Parquet, Feather and Arrow
files. A rank that dies leaves a checkpoint, and the fit goes on to the same bytes.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

pd = pytest.importorskip("pandas")

if "INDUCE_COMMAND" not in os.environ:
    pytest.skip("INDUCE_COMMAND is not set: ./go test sets it", allow_module_level=True)

COMMAND = Path(os.environ["INDUCE_COMMAND"]).resolve()
MPI_COMMAND = COMMAND.with_name("induce-mpi")
ROWS = 1500
SAMPLE_ROWS = {"small": 100_000, "large": 1000}  # more rows are a large table
FIT = {"inducing": 12, "max_iter": 20}

needs_mpi = pytest.mark.skipif(
    not MPI_COMMAND.exists() or shutil.which("mpirun") is None,
    reason="there is no induce-mpi beside INDUCE_COMMAND, or no mpirun: install libopenmpi-dev and openmpi-bin",
)


def mpirun(ranks: int) -> list[str]:
    as_root = ["--allow-run-as-root"] if os.getuid() == 0 else []
    return ["mpirun", *as_root, "--oversubscribe", "-n", str(ranks), str(MPI_COMMAND)]


def ranks_of(job: int) -> list[int]:
    """Of an mpirun: its children."""
    ranks = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            parent = re.search(r"^PPid:\s*(\d+)", (process / "status").read_text(), re.MULTILINE)
            if parent and int(parent[1]) == job and b"induce-mpi" in (process / "cmdline").read_bytes():
                ranks.append(int(process.name))
    return sorted(ranks)


@contextlib.contextmanager
def started(command, *arguments, **options):
    """A process that is gone afterwards with all that it started: ranks outlive an mpirun that is killed."""
    job = subprocess.Popen(
        [*map(str, command), *map(str, arguments)],
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )
    try:
        yield job
    finally:
        for process in [*ranks_of(job.pid), job.pid] if job.poll() is None else []:
            os.kill(process, signal.SIGKILL)
        job.communicate()


def run(command, *arguments, **options):
    with started(command, *arguments, **options) as job:
        out, messages = job.communicate(timeout=300)
    return subprocess.CompletedProcess(job.args, job.returncode, out, messages)


def mixed() -> "pd.DataFrame":
    """Two classes; numbers with gaps, texts, rows that occur twice, and weights."""
    random = np.random.default_rng(1)
    first = np.round(random.normal(size=ROWS), 1)
    second = random.normal(size=ROWS)
    job = random.choice(["cook", "smith", "clerk"], ROWS)
    f = 2 * np.sin(2 * first) + second * (job == "smith") - second * (job == "clerk") + random.normal(size=ROWS) / 2
    table = pd.DataFrame({"b": first, "a": np.where(random.random(ROWS) < 0.05, np.nan, second), "job": job})
    table["answer"] = np.where(f > 0.5, "yes", "no")
    table["w"] = np.where(random.random(ROWS) < 0.3, 0.3, 1.1)
    table.iloc[-100:, :4] = table.iloc[:100, :4].to_numpy()
    return table


def three_classes() -> "pd.DataFrame":
    random = np.random.default_rng(2)
    X = random.normal(size=(ROWS, 3))
    f = 2 * np.sin(2 * X[:, 0]) + X[:, 1] + random.normal(size=ROWS) / 2
    table = pd.DataFrame(np.where(random.random(X.shape) < 0.03, np.nan, X), columns=["x", "y", "z"])
    table["answer"] = np.array(["low", "middle", "high"])[np.clip(np.floor(f + 1.5), 0, 2).astype(int)]
    table["w"] = random.uniform(0.1, 2, ROWS)
    return table


TABLES = {"mixed": mixed, "three classes": three_classes}


@pytest.fixture(scope="module", params=TABLES)
def table(request, tmp_path_factory):
    """A folder with the table as one file and cut into files of very different sizes, and the table."""
    folder = tmp_path_factory.mktemp("table")
    frame = TABLES[request.param]()
    frame.to_csv(folder / "one.csv", index=False)
    for k, (begin, end) in enumerate(((0, 10), (10, 11), (11, 900), (900, 1400), (1400, ROWS))):
        frame[begin:end].to_csv(folder / f"part-{k}.csv", index=False)
    return folder, frame


@pytest.fixture(scope="module", params=SAMPLE_ROWS)
def case(request, table):
    """(folder, frame, sample_rows, the bytes of one process in memory)"""
    folder, frame = table
    sample_rows = SAMPLE_ROWS[request.param]
    return folder, frame, sample_rows, fitted([COMMAND], folder, ["one.csv"], sample_rows, "--threads", 1)


def fitted(command, folder, files, sample_rows, *more) -> bytes:
    options = [f"--{name.replace('_', '-')}={value}" for name, value in {**FIT, "sample_rows": sample_rows}.items()]
    given = ["--label=answer", "--weight=w", "--balanced", "--quiet", *options, *more]
    done = run(command, "fit", *files, *given, "-o", "model", "--json", "summary.json", cwd=folder)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert not (folder / "model.checkpoint").exists()
    return (folder / "model").read_bytes()


def cut(folder) -> list[str]:
    return sorted(path.name for path in folder.glob("part-*.csv"))


def test_threads(case):
    folder, _, sample_rows, want = case
    assert fitted([COMMAND], folder, ["one.csv"], sample_rows, "--threads", 2) == want


def test_rows_in_several_files(case):
    folder, _, sample_rows, want = case
    assert fitted([COMMAND], folder, cut(folder), sample_rows) == want


@pytest.mark.parametrize("ranks", [None, pytest.param(3, marks=needs_mpi)])
@pytest.mark.parametrize("case", ["large"], indirect=True)
def test_larger_than_memory(case, ranks):
    """Long texts that are left out make the file large for 200 MB. Ranks get rows from a scratch file of rank 0."""
    folder, frame, sample_rows, want = case
    padded = frame.assign(long="x" * 50_000)
    padded.to_csv(folder / "long.csv", index=False)
    assert (folder / "long.csv").stat().st_size * 3 > 200e6
    try:
        command = mpirun(ranks) if ranks else [COMMAND]
        assert fitted(command, folder, ["long.csv"], sample_rows, "--drop=long", "--memory=200MB") == want
    finally:
        (folder / "long.csv").unlink()


@needs_mpi
@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_mpi(case, ranks):
    folder, _, sample_rows, want = case
    files = ["one.csv"] if ranks in (1, 4) else cut(folder)
    assert fitted(mpirun(ranks), folder, files, sample_rows) == want
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["shards"] == ranks
    assert summary["n"] == ROWS


@needs_mpi
@pytest.mark.parametrize("table", ["mixed"], indirect=True)
def test_mpi_summary_is_that_of_one_process(table):
    """But for what depends on time and place; of a large table training metrics are those of its first rows."""
    folder, _ = table
    place = {"shards", "bytes_moved", "shard_imbalance", "kept_mb", "peak_rss_mb", "passes_per_second"}

    def timeless(value):
        if isinstance(value, dict):
            return {k: timeless(v) for k, v in value.items() if "seconds" not in k and k not in place}
        return [timeless(each) for each in value] if isinstance(value, list) else value

    summaries = []
    for command in ([COMMAND], mpirun(3)):
        fitted(command, folder, ["one.csv"], SAMPLE_ROWS["small"])
        summaries.append(timeless(json.loads((folder / "summary.json").read_text())))
    assert summaries[0] == summaries[1]


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip(
        "distributed", reason="distributed is not installed: pip install 'induce[dask]'"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = distributed.LocalCluster(
            n_workers=4, threads_per_worker=1, memory_limit=0, dashboard_address=":0", silence_logs=50
        )
        client = distributed.Client(cluster)
    yield client
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        client.close()
        cluster.close()


def without_weight_name(model: bytes) -> tuple[dict, dict, bytes]:
    """A model of Python does not know the name of a weight column, and has no note of the rows."""
    size = struct.unpack("<Q", model[:8])[0]
    header = json.loads(model[8 : 8 + size])
    metadata = header.pop("__metadata__")
    facts = {
        "rows": None,
        "content_hash": None,
        **metadata,
        "model": {"weight": None, **json.loads(metadata["model"])},
    }
    facts["rows"] = facts["options"] = facts["content_hash"] = facts["model"]["weight"] = None
    return header, facts, model[8 + size :]


def write_arrow(frame, path):
    ipc = pytest.importorskip("pyarrow.ipc")
    table = arrow(frame)
    with ipc.new_file(path, table.schema) as file:
        file.write_table(table, max_chunksize=ROWS // 7)


@pytest.mark.parametrize("ending", ["parquet", "feather", "arrow"])
def test_files_with_types(case, ending):
    pytest.importorskip("pyarrow")
    folder, frame, sample_rows, want = case
    write = {"parquet": pd.DataFrame.to_parquet, "feather": pd.DataFrame.to_feather, "arrow": write_arrow}[ending]
    write(frame, folder / f"one.{ending}")
    assert fitted([sys.executable, "-m", "induce"], folder, [f"one.{ending}"], sample_rows) == want


@pytest.mark.parametrize("case", ["large"], indirect=True)
def test_parquet_larger_than_memory(case):
    pytest.importorskip("pyarrow")
    folder, frame, sample_rows, want = case
    padded = frame.assign(long=[f"{k:05}" * 10_000 for k in range(len(frame))])
    padded.to_parquet(folder / "long.parquet", compression=None)
    assert (folder / "long.parquet").stat().st_size * 3 > 200e6
    try:
        given = ["--drop=long", "--memory=200MB"]
        assert fitted([sys.executable, "-m", "induce"], folder, ["long.parquet"], sample_rows, *given) == want
    finally:
        (folder / "long.parquet").unlink()


def arrow(frame):
    return pytest.importorskip("pyarrow").Table.from_pandas(frame, preserve_index=False)


def relation(frame):
    return pytest.importorskip("duckdb").from_df(frame)


FRAMES = {
    "pandas": lambda frame: frame,
    "pandas of objects": lambda frame: frame.astype(object),
    "pandas of pyarrow": lambda frame: arrow(frame).to_pandas(types_mapper=pd.ArrowDtype),
    "pyarrow": arrow,
    "record batches": lambda frame: arrow(frame).to_reader(max_chunksize=ROWS // 7),
    "polars": lambda frame: pytest.importorskip("polars").from_pandas(frame),
    "lazy": lambda frame: pytest.importorskip("polars").from_pandas(frame).lazy(),
    "duckdb": relation,
    "result of duckdb": lambda frame: relation(frame).arrow(),
}


@pytest.mark.parametrize("with_label", [False, True], ids=["labels apart", "labels inside"])
@pytest.mark.parametrize("library", FRAMES)
def test_tables_in_memory(case, library, with_label):
    from induce import GPClassifier

    _, frame, sample_rows, want = case
    X = FRAMES[library](frame.drop(columns=["w"] if with_label else ["answer", "w"]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit ends on max_iter
        classifier = GPClassifier(class_weight="balanced", sample_rows=sample_rows, **FIT)
        classifier.fit(X, "answer" if with_label else frame["answer"], frame["w"])
    assert without_weight_name(classifier.model_.__getstate__()) == without_weight_name(want)


def test_tables_in_memory_without_pyarrow(case, tmp_path):
    """pyarrow is optional: with pandas alone, and for arrays of objects."""
    folder, frame, sample_rows, want = case
    (tmp_path / "pyarrow.py").write_text("raise ImportError")
    script = f"""
import warnings, pandas as pd
from induce import GPClassifier
warnings.simplefilter("ignore")
frame = pd.read_csv({str(folder / "one.csv")!r})
X, y, w = frame.drop(columns=["answer", "w"]), frame["answer"], frame["w"]
given = dict(class_weight="balanced", sample_rows={sample_rows}, **{FIT})
models = [GPClassifier(**given).fit(X, y, w).model_, GPClassifier(**given).fit(X.to_numpy(dtype=object), y, w).model_]
assert models[0].columns == models[1].columns
open("model", "wb").write(models[0].__getstate__())
"""
    done = run([sys.executable, "-c", script], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert without_weight_name((tmp_path / "model").read_bytes()) == without_weight_name(want)


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_dask(case, client, workers):
    dd = pytest.importorskip("dask.dataframe")
    from induce.dask import GPClassifier

    _, frame, sample_rows, want = case
    x = dd.from_pandas(frame, npartitions=2 * workers + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit ends on max_iter, and Dask warns about itself
        classifier = GPClassifier(client, n_workers=workers, class_weight="balanced", sample_rows=sample_rows, **FIT)
        classifier.fit(x.drop(columns=["answer", "w"]), x["answer"], x["w"])
    assert without_weight_name(classifier.model_.__getstate__()) == without_weight_name(want)


@needs_mpi
@pytest.mark.parametrize("table", ["mixed"], indirect=True)
def test_errors_of_a_job_are_those_of_one_process(table):
    folder, frame = table
    text = frame.to_csv(index=False).splitlines(keepends=True)
    (folder / "broken.csv").write_text("".join([*text[:1200], "1,2\n", *text[1200:]]))
    messages = []
    for command in ([COMMAND], mpirun(3)):
        done = run(command, "fit", "broken.csv", "--label=answer", "-o", "broken.model", cwd=folder)
        assert done.returncode == 1
        messages.append([line for line in done.stderr.splitlines() if line.startswith("induce: ")])
    assert messages[0] == messages[1] == ["induce: 'broken.csv', line 1201: the row has 2 columns, expected 5"]
    assert not (folder / "broken.model").exists()


@needs_mpi
@pytest.mark.parametrize(("size", "ranks_then"), [("small", [None, 2]), ("large", [1, 4])], ids=SAMPLE_ROWS)
def test_a_dead_rank_ends_the_job_and_leaves_a_checkpoint(size, ranks_then, tmp_path):
    random = np.random.default_rng(3)
    X = random.normal(size=(20_000, 4))  # long enough for a checkpoint
    f = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + random.normal(size=len(X)) / 2
    pd.DataFrame(X).assign(y=f > 0).to_csv(tmp_path / "table.csv", index=False)
    arguments = ["fit", "table.csv", "--inducing=80", "--sample-rows", str(SAMPLE_ROWS[size])]
    assert run([COMMAND], *arguments, "-o", "whole", cwd=tmp_path).returncode == 0
    state = tmp_path / "model.checkpoint"
    with started(mpirun(3), *arguments, "-o", "model", cwd=tmp_path) as job:
        deadline = time.monotonic() + 30
        while not state.exists() and time.monotonic() < deadline and job.poll() is None:
            time.sleep(0.01)
        processes = ranks_of(job.pid)
        assert len(processes) == 3
        os.kill(processes[-1], signal.SIGKILL)
        killed = time.monotonic()
        _, messages = job.communicate(timeout=20)
    assert job.returncode != 0
    assert time.monotonic() - killed < 15
    assert "induce: if one of the 3 ranks dies, continue with: induce fit --resume model.checkpoint" in messages
    assert "signal 9" in messages  # mpirun says which rank
    kept = state.read_bytes()
    for ranks in ranks_then:
        state.write_bytes(kept)
        done = run(
            mpirun(ranks) if ranks else [COMMAND], "fit", "--resume", "model.checkpoint", "--quiet", cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "model").read_bytes() == (tmp_path / "whole").read_bytes(), ranks
        assert not state.exists()
