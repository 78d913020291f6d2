"""The C header of a model. Oracles: the predictions of the library; compilers, which must be silent."""

import ctypes
import itertools
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from export_models import (
    BESSEL,
    HOSTILE,
    KERNELS,
    LIKELIHOODS,
    MIXED_TERMS,
    OLD_ADDITIVE,
    TERMS,
    fitted,
    labels_of,
    mixed_model,
    mixed_table,
    numbers,
    old_model,
    quick,
    small_model,
    with_new_gaps,
)
from scipy import sparse

import induce

FLAGS = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
C_COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
pytestmark = [
    pytest.mark.skipif(not C_COMPILERS, reason="no C compiler (gcc or clang)"),
    # Rows are extreme on purpose.
    pytest.mark.filterwarnings("ignore:.*(far above|far below|unknown to the model)"),
]

MANY = """#include "model.h"
int many(const double *X, long n, double *P, int *status) {
  long i;
  for (i = 0; i < n; ++i) status[i] = induce_predict(X + i * INDUCE_FEATURES, P + i * INDUCE_CLASSES);
  return INDUCE_CLASSES;
}
const char *class_name(int c) { return induce_class_name(c); }
"""
numbers_of_libraries = itertools.count()  # a name that is loaded once would not be loaded again


def build(folder: Path, header: str, program: str = MANY, compiler: str | None = None) -> ctypes.CDLL:
    (folder / "model.h").write_text(header)
    (folder / "many.c").write_text(program)
    library = folder / f"model{next(numbers_of_libraries)}.so"
    command = [
        compiler or C_COMPILERS[0],
        "-std=c99",
        *FLAGS,
        "-O1",
        "-fPIC",
        "-shared",
        "many.c",
        "-o",
        library,
        "-lm",
    ]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[:2000]
    assert run.stderr == ""
    return ctypes.CDLL(str(library))


def predict(library: ctypes.CDLL, X: np.ndarray, classes: int) -> tuple[np.ndarray, np.ndarray]:
    X, P, status = np.ascontiguousarray(X), np.full((len(X), classes), np.nan), np.zeros(len(X), dtype=np.intc)
    at = [each.ctypes.data_as(ctypes.c_void_p) for each in (X, P, status)]
    assert library.many(at[0], ctypes.c_long(len(X)), at[1], at[2]) == classes
    return P, status


EVERY = [*itertools.product(KERNELS + TERMS, LIKELIHOODS), *((kernel, "logistic") for kernel in BESSEL)]


@pytest.mark.parametrize(("kernel", "likelihood"), EVERY)
def test_predicts_like_the_library(kernel, likelihood, tmp_path):
    model = small_model(kernel, likelihood, **({"max_iter": 2} if kernel in BESSEL else {}))
    T = numbers(1_000 if kernel in BESSEL else 10_000, seed=5, spread=1.5)  # the library's Bessel functions are slow
    expected = model.predict_proba(T)
    P, status = predict(build(tmp_path, model.to_c()), T, expected.shape[1])
    assert not status.any()
    np.testing.assert_allclose(P, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("compiler", C_COMPILERS)
def test_header_alone_gives_no_warning(compiler, tmp_path):
    (tmp_path / "model.h").write_text(small_model("se", "logistic").to_c())
    for language in (["-x", "c", "-std=c99"], ["-x", "c++", "-std=c++11"]):
        command = [compiler, *language, *FLAGS, "-fsyntax-only", "model.h"]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("kernel", ["se", *MIXED_TERMS])
@pytest.mark.parametrize("classes", [2, 3])
def test_columns_of_all_kinds_and_gaps(classes, kernel, tmp_path):
    model, table = mixed_model(classes, kernel), with_new_gaps(mixed_table(500, 1)[0])
    X = model._read_columns(table)
    assert model.model_.rows_with_new_gaps(X) > 100
    with pytest.warns(UserWarning, match="gaps unlike|not in"):
        expected = model.predict_proba(table)
    library = build(
        tmp_path, model.to_c(), MANY + "double level(int c, const char *t) { return induce_level(c, t); }\n"
    )
    P, status = predict(library, X, classes)
    assert not status.any()
    np.testing.assert_allclose(P, expected, rtol=0, atol=1e-12)
    library.level.restype = ctypes.c_double
    levels = model.columns_[2].levels
    assert [library.level(2, level.encode()) for level in [*levels, "no such", ""]] == [0, 1, 2, 3, 4, 5, 5]
    assert library.level(0, b"40") == library.level(-1, b"") == library.level(99, b"") == -1


def test_gaps_of_a_table_of_numbers(tmp_path):
    model = small_model("se", "softmax")
    T = numbers(200, seed=5)
    T[np.random.default_rng(0).random(T.shape) < 0.2] = np.nan
    with pytest.warns(UserWarning, match="gaps unlike"):
        expected = model.predict_proba(T)
    P, status = predict(build(tmp_path, model.to_c()), T, 3)
    assert not status.any()
    np.testing.assert_allclose(P, expected, rtol=0, atol=1e-12)


def test_sparse_models_take_all_columns(tmp_path):
    random = np.random.default_rng(0)
    X = sparse.random(300, 2000, density=0.02, random_state=0, format="csr")
    y = (X @ random.normal(size=2000) > 0).astype(int)
    model = fitted(quick(), X, y)
    assert model.model_.sparse
    dense = X[:50].toarray()
    library = build(tmp_path, model.to_c())
    P, status = predict(library, dense, 2)
    assert not status.any()
    np.testing.assert_allclose(P, model.predict_proba(X[:50]), rtol=0, atol=1e-12)
    dense[0, 7], dense[1, 7] = np.nan, -np.inf
    assert predict(library, dense[:2], 2)[1].tolist() == [2, 1]  # INDUCE_MISSING_VALUE, INDUCE_INFINITE_VALUE


def test_infinite_values_are_refused_and_nothing_is_written(tmp_path):
    T = numbers(3, seed=5)
    T[1, 2] = np.inf
    P, status = predict(build(tmp_path, small_model("se", "logistic").to_c()), T, 2)
    assert status.tolist() == [0, 1, 0]
    assert np.isnan(P[1]).all()
    assert np.isfinite(P[[0, 2]]).all()


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
@pytest.mark.parametrize("kernel", ["se+linear", TERMS[0], TERMS[-1]])
def test_compiles_everywhere_and_allocates_nothing(kernel, likelihood, tmp_path):
    (tmp_path / "model.h").write_text(small_model(kernel, likelihood).to_c())
    # Twice in one file, and in a file that does not use it.
    program = '#include "model.h"\n#include "model.h"\nint f(const double *x, double *p);\n'
    program += "int f(const double *x, double *p) { return induce_predict(x, p); }\n"
    for compiler, plus in (("gcc", "g++"), ("clang", "clang++")):
        for command in ([compiler, "-x", "c", "-std=c99"], [plus, "-x", "c++", "-std=c++11"]):
            if not shutil.which(command[0]):
                continue
            (tmp_path / "a.c").write_text(program)
            (tmp_path / "unused.c").write_text('#include "model.h"\n')
            run = subprocess.run(
                [*command, *FLAGS, "-c", "a.c", "unused.c"], cwd=tmp_path, capture_output=True, text=True
            )
            assert (run.returncode, run.stderr) == (0, "")
            symbols = subprocess.run(["nm", "a.o"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
            wanted = {line.split()[-1] for line in symbols.splitlines() if " U " in line}
            math = {"exp", "sqrt", "log", "log1p", "expm1", "erfc", "floor", "ceil", "fabs", "pow", "cosh"}
            tables = {"_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail", "memset", "memcpy"}
            assert wanted <= math | tables, wanted
            kinds = {line.split()[-2] for line in symbols.splitlines()}
            assert not kinds & set("BbDdCS"), symbols  # no data that could change


def test_hostile_names_are_harmless_text(tmp_path):
    X = numbers(300)[:, [0, 1]]
    table = {name: X[:, k % 2] + k * np.arange(300) for k, name in enumerate(HOSTILE)}
    frame = pd.DataFrame(table)
    frame["*/ int x;"] = np.array(HOSTILE)[np.arange(300) % len(HOSTILE)]
    y = np.array(HOSTILE[:3])[labels_of(numbers(300), 3)]
    model = fitted(quick(kernel="se", categorical_features=["*/ int x;"]), frame, y)
    header = model.to_c(tmp_path / "hostile.h")
    assert header == (tmp_path / "hostile.h").read_text()
    assert header.isascii()
    assert header.count("*/") == header.count("/*")
    assert "<script" not in header
    assert "??" not in header
    assert max(map(len, header.splitlines())) < 4200  # a literal of 1,000 bytes, all escaped
    library = build(tmp_path, header)
    library.class_name.restype = ctypes.c_char_p
    assert [library.class_name(c) for c in range(-1, 4)] == [None, *(str(c).encode() for c in model.classes_), None]
    P, status = predict(library, model._read_columns(frame), 3)
    assert not status.any()
    np.testing.assert_allclose(P, model.predict_proba(frame), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["version1", "version4_probit", *OLD_ADDITIVE])
def test_models_of_older_versions(name, tmp_path):
    _, model, X = old_model(name)
    p = model.model_.predict(X)[0]
    P, status = predict(build(tmp_path, model.to_c()), X, len(model.classes_))
    assert not status.any()
    np.testing.assert_allclose(P, p, rtol=0, atol=1e-12)
    if not model.columns_[0].levels:  # before, a missing value had no prediction
        X[0, 0] = np.nan
        with pytest.raises(induce.Error, match="cannot be predicted"):
            model.model_.predict(X)
        assert predict(build(tmp_path, model.to_c()), X, len(model.classes_))[1].tolist() == [3] + [0] * 199


def test_the_comment_tells_what_it_is():
    model = small_model("se+linear", "softmax")
    header = model.to_c()
    rows = f"to {model.report_['rows']} different rows"
    for text in ("kernel se+linear, softmax likelihood, 20 inducing inputs", rows, "INDUCE_FEATURES 4"):
        assert text in header
    assert f"written by induce {induce.__version__}" in header


def test_the_command_writes_the_same(tmp_path):
    command = os.environ.get("INDUCE_COMMAND")
    if not command:
        pytest.skip("INDUCE_COMMAND is not set")
    model = small_model("se", "logistic")
    model.save(tmp_path / "my.model")
    subprocess.run([command, "export", tmp_path / "my.model", "--c", tmp_path / "my.h"], check=True)
    assert (tmp_path / "my.h").read_text() == model.to_c()
