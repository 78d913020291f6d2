"""Tables as people have them: what becomes of each column, without a fit."""

import datetime as dt
import decimal

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

from induce import Error, GPClassifier, _table
from induce._choices import Choices
from induce._frame import frame_of, frame_of_numbers

NAN = np.nan


def learned(X, **choices):
    return _table.learn(frame_of(X), Choices(**choices))


def described(table):
    return [(column.name, column.kind, column.levels) for column in table.columns]


def one(values, **choices):
    """Kind, levels and values of a column."""
    table = learned(values if isinstance(values, pd.DataFrame) else pd.DataFrame({"c": values}), **choices)
    (column,) = table.columns
    return column.kind, list(column.levels), table.X[:, 0].tolist()


def check(found, kind, levels, values):
    assert found[:2] == (kind, levels)
    np.testing.assert_array_equal(found[2], values)


DAY = 18_262  # 2020-01-01
COLUMNS = {  # pandas, kind, levels, values
    "int": ([3, 1, 2], "number", [], [3, 1, 2]),
    "float": ([0.5, NAN, 2], "number", [], [0.5, NAN, 2]),
    "small": (np.array([3, 1, 2], dtype=np.uint8), "number", [], [3, 1, 2]),
    "Int64": (pd.array([3, None, 2], dtype="Int64"), "number", [], [3, NAN, 2]),
    "Float32": (pd.array([0.5, None, 2], dtype="Float32"), "number", [], [0.5, NAN, 2]),
    "sparse": (pd.arrays.SparseArray([0.0, 0.0, 2.0]), "number", [], [0, 0, 2]),
    "decimal": ([decimal.Decimal("0.5"), None, decimal.Decimal(2)], "number", [], [0.5, NAN, 2]),
    "number objects": (np.array([1, 2.5, None], dtype=object), "number", [], [1, 2.5, NAN]),
    "bool": ([True, False, True], "boolean", ["false", "true"], [1, 0, 1]),
    "only true": ([True, True, True], "boolean", ["true"], [0, 0, 0]),
    "false and gaps": ([False, None, None], "boolean", ["false"], [0, NAN, NAN]),
    "boolean": (pd.array([True, None, False], dtype="boolean"), "boolean", ["false", "true"], [1, NAN, 0]),
    "bool objects": ([True, NAN, False], "boolean", ["false", "true"], [1, NAN, 0]),
    "texts": (["b", "a", "b"], "category", ["a", "b"], [1, 0, 1]),
    "string": (pd.array(["b", pd.NA, "a"], dtype="string"), "category", ["a", "b"], [1, NAN, 0]),
    "missing": (["b", None, NAN], "category", ["b"], [0, NAN, NAN]),
    "markers": (["b", "?", " n/a"], "category", ["b"], [0, NAN, NAN]),
    "blanks": (["b ", " b", "a"], "category", ["a", "b"], [1, 1, 0]),
    "case": (["b", "B", "a"], "category", ["B", "a", "b"], [2, 0, 1]),
    "mixture": ([1, "x", None], "category", ["1", "x"], [0, 1, NAN]),
    "decimal commas": (["3,5", "1.234,5", ""], "number", [], [3.5, 1234.5, NAN]),
    "thousands": (["1,234,567", "1,000", ""], "number", [], [1234567, 1000, NAN]),
    "numbers as texts": (["1", " 2.5", "NA"], "number", [], [1, 2.5, NAN]),
    "truth as texts": (["TRUE", "false", ""], "boolean", ["false", "true"], [1, 0, NAN]),
    "dates as texts": (["2020-01-02", "2020-01-01 06:00", "null"], "date", [], [DAY + 1, DAY + 0.25, NAN]),
    "category": (pd.Categorical(["b", None, "a"]), "category", ["a", "b"], [1, NAN, 0]),
    "numbered": (pd.Categorical([10, 9, None]), "category", ["10", "9"], [0, 1, NAN]),
    "cut": (pd.cut([1, 3, 2], [0, 2, 4]), "category", ["(0, 2]", "(2, 4]"], [0, 1, 0]),
    "datetime": (pd.to_datetime(["2020-01-02 00:00", "2020-01-01 06:00", None]), "date", [], [DAY + 1, DAY + 0.25, NAN]),
    "zone": (pd.to_datetime(["2020-01-01 02:00"] * 3).tz_localize("Asia/Tokyo"), "date", [], [DAY - 7 / 24] * 3),
    "date objects": ([dt.date(2020, 1, 1), None, dt.datetime(2020, 1, 1, 6)], "date", [], [DAY, NAN, DAY + 0.25]),
    "period": (pd.period_range("2020-01-01", periods=3), "date", [], [DAY, DAY + 1, DAY + 2]),
}


ADVICE = "make it a missing value, or declare the column categorical or drop it"


@pytest.mark.parametrize("name", COLUMNS)
def test_pandas(name):
    values, *expected = COLUMNS[name]
    check(one(values), *expected)


MOMENTS = [dt.datetime(2020, 1, 1, 6), None, dt.datetime(1969, 12, 31)]
FRAME = pl.DataFrame(
    {
        "number": [0.5, None, 2],
        "integer": [1, None, 3],
        "decimal": pl.Series(["0.5", None, "2"]).cast(pl.Decimal(10, 2)),
        "text": ["b", None, "a"],
        "categorical": pl.Series(["b", None, "a"], dtype=pl.Categorical),
        "enum": pl.Series(["b", None, "a"], dtype=pl.Enum(["b", "a", "c"])),
        "boolean": [True, None, False],
        "date": pl.Series(MOMENTS).cast(pl.Date),
        "moment": MOMENTS,

    }
)
EXPECTED = {
    "number": ("number", (), [0.5, NAN, 2]),
    "integer": ("number", (), [1, NAN, 3]),
    "decimal": ("number", (), [0.5, NAN, 2]),
    "text": ("category", ("a", "b"), [1, NAN, 0]),
    "categorical": ("category", ("a", "b"), [1, NAN, 0]),
    "enum": ("category", ("a", "b"), [1, NAN, 0]),
    "boolean": ("boolean", ("false", "true"), [1, NAN, 0]),
    "date": ("date", (), [DAY, NAN, -1]),
    "moment": ("date", (), [DAY + 0.25, NAN, -1]),
}


class ArrowStream:
    """A table that only offers the Arrow interface."""

    def __arrow_c_stream__(self, requested_schema=None):
        return FRAME.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("convert", ["polars", "lazy", "pyarrow", "narwhals", "stream"])
def test_other_libraries_give_the_same_table(convert):
    if convert in ("pyarrow", "stream"):
        pytest.importorskip("pyarrow")
    X = {
        "polars": lambda: FRAME,
        "lazy": FRAME.lazy,
        "pyarrow": FRAME.to_arrow,  # text as large_string, categories as dictionaries
        "narwhals": lambda: nw.from_native(FRAME),
        "stream": ArrowStream,
    }[convert]()
    table = learned(X)
    assert described(table) == [(name, kind, levels) for name, (kind, levels, _) in EXPECTED.items()]
    np.testing.assert_array_equal(table.X, np.column_stack([values for *_, values in EXPECTED.values()]))
    assert table.X.flags.c_contiguous


def test_dask_is_computed():
    dask = pytest.importorskip("dask.dataframe")
    X = pd.DataFrame({"a": [1.0, NAN, 3.0, 4.0], "b": ["x", None, "y", "x"]})
    table = learned(dask.from_pandas(X, npartitions=2))
    assert described(table) == described(learned(X))
    np.testing.assert_array_equal(table.X, learned(X).X)


def test_arrays_and_lists_with_texts():
    rows = [[1, "a", True], [2.5, None, False]]
    for X in (rows, np.array(rows, dtype=object)):
        table = learned(X)
        assert described(table) == [
            ("feature 0", "number", ()),
            ("feature 1", "category", ("a",)),
            ("feature 2", "boolean", ("false", "true")),
        ]
        np.testing.assert_array_equal(table.X, [[1, 0, 1], [2.5, NAN, 0]])
    assert described(learned(np.array([["1", "a"], ["2", "b"]])))[0] == ("feature 0", "number", ())
    for X in ([[1, 2]], np.ones((2, 2)), np.array([[1, None]], dtype=object), pd.Series([1]), pl.Series(["a"])):
        assert frame_of(X) is None


def test_ids_are_left_out():
    rows = 40
    X = pd.DataFrame({"id": [f"row {k}" for k in range(rows)], "x": np.arange(rows) / 2})
    table = learned(X)
    assert [column.position for column in table.columns] == [1]
    assert table.warnings == [
        "column 'id' is text with a different value in nearly every row: an id, left out; "
        "to use it: categorical_features=['id']"
    ]
    kept = [X[:19], X.astype({"id": "category"}), X.assign(id=[f"row {k // 2}" for k in range(rows)])]
    for each in kept:
        assert described(learned(each))[0][:2] == ("id", "category")
    assert len(learned(X, categorical_features=["id"]).columns[0].levels) == rows
    with pytest.raises(Error, match="no columns are left of the 1 of X; column 'id' is text with a different"):
        learned(X[["id"]])


def test_choices_of_columns():
    X = pd.DataFrame({"a": [1, 2, 1], "b": ["10", "9", "?"], "c": [0.5, NAN, 1], "d": [True, False, True]})
    assert [kind for _, kind, _ in described(learned(X))] == ["number", "number", "number", "boolean"]
    mask = [True, True, False, False]
    for chosen in (["a", "b"], [0, 1], [-4, -3], mask, np.array([0, 1]), np.array(mask)):
        table = learned(X, categorical_features=chosen)
        assert [kind for _, kind, _ in described(table)] == ["category", "category", "number", "boolean"]
        assert [column.levels for column in table.columns[:2]] == [("1", "2"), ("10", "9")]
        np.testing.assert_array_equal(table.X[:, 1], [0, 1, NAN])
    check(one([1.0, 2.5, NAN], categorical_features="c"), "category", ["1", "2.5"], [0, 1, NAN])
    check(one(pd.Categorical(["1", "x"]), drop=[]), "category", ["1", "x"], [0, 1])
    check(one(pd.Categorical(["1", "2"]), numeric_features=["c"]), "number", [], [1, 2])
    assert {kind for _, kind, _ in described(learned(X, categorical_features=None))} == {"number"}
    assert [name for name, *_ in described(learned(X, drop=["a", "d"]))] == ["b", "c"]
    assert [name for name, *_ in described(learned(X, only=["c", "a"], drop="a"))] == ["c"]
    numbers = _table.learn(frame_of_numbers(np.array([[1.0, 7], [2, NAN]])), Choices(categorical_features=[1]))
    assert described(numbers) == [("feature 0", "number", ()), ("feature 1", "category", ("7",))]


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"drop": ["z"]}, "drop has 'z': X has no such column"),
        ({"only": [2]}, "only has 2: an index of a column must be between -2 and 1"),
        ({"only": [1.5]}, "only has 1.5: must be a column name or index"),
        ({"categorical_features": [True]}, "categorical_features is a mask of 1 values: X has 2 columns"),
        ({"categorical_features": 1.5}, "categorical_features = 1.5: must be column names, indices or a mask"),
        (
            {"categorical_features": ["a"], "numeric_features": ["a"]},
            "column 'a' is in categorical_features and in numeric_features: it can be only one of them",
        ),
        ({"numeric_features": ["b"]}, f"column 'b': 'x' is not a number; {ADVICE}"),
        ({"categorical_features": None}, f"column 'b': 'x' is not a number; {ADVICE}"),
        ({"drop": ["a", "b"]}, "no columns are left of the 2 of X"),
    ],
)
def test_choices_that_cannot_be(choices, message):
    with pytest.raises(Error, match=f"^{message}$"):
        learned(pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}), **choices)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([1.0, np.inf], "column 'c': 'inf' is infinite; values must be finite"),
        (["1,234", "2,345"], "column 'c': the separators in '1,234' may be for decimals or for thousands; convert .*"),
        ([[1], [2]], r"column 'c' holds \[1\], of type list: must be numbers, texts, .*"),
        ([1j, "x"], "column 'c' holds 1j, of type complex: must be .*"),
        (pd.to_timedelta([1, 2]), r"column 'c' has the type timedelta64\[.*\]: must be numbers, texts, .*"),
    ],
)
def test_columns_that_cannot_be_read(column, message):
    with pytest.raises(Error, match=message):
        learned(pd.DataFrame({"c": column}))
    assert learned(pd.DataFrame({"c": column, "x": [1, 2]}), drop=["c"]).X.tolist() == [[1], [2]]


def test_names_of_columns():
    with pytest.raises(Error, match="two columns are called 'a'; names must differ"):
        frame_of(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(TypeError, match="column names of X must be all texts or no texts: 7 is a int"):
        frame_of(pd.DataFrame([[1, 2]], columns=["a", 7]))
    assert frame_of(pd.DataFrame([[1, 2]])).names is None


FITTED = pd.DataFrame(
    {
        "age": [30, 40, 50],
        "job": ["cook", "nurse", "?"],
        "rank": pd.Categorical([1, 2, 2]),
        "free": [True, False, True],
        "since": pd.to_datetime(["2020-01-01", "2020-01-02", None]),
    }
)


def read(X, fitted=FITTED, label="answer"):
    return _table.read(frame_of(X), learned(fitted).columns, list(fitted.columns), len(fitted.columns), label)


def test_columns_are_found_by_name():
    X = FITTED[::-1].assign(answer=1)[["since", "answer", "rank", "age", "free", "job"]]
    table = read(X)
    np.testing.assert_array_equal(table.X, learned(FITTED).X[::-1])
    assert table.warnings == []  # the label may stay
    assert read(X.assign(note="x", other=[[1]] * 3)).warnings == [
        "X has columns 'note', 'other', which the model was not fitted with: ignored"
    ]
    with pytest.raises(Error, match="X lacks columns 'age', 'job', which the model was fitted with; it has columns 'rank'"):
        read(FITTED[["rank", "free", "since"]])


def test_other_spellings_of_the_same_values():
    X = pl.DataFrame(
        {
            "age": ["30", " 4e1", "NA"],
            "job": ["nurse ", "pilot", None],  # pilot is a level that was not seen
            "rank": [2.0, 3.0, None],
            "free": [1, 0, None],
            "since": ["2020-01-02", "2020-01-01T12:00Z", "?"],
        }
    )
    expected = [[30, 1, 1, 1, DAY + 1], [40, 2, 2, 0, DAY + 0.5], [NAN] * 5]
    np.testing.assert_array_equal(read(X).X, expected)


def test_a_column_that_is_all_missing():
    X = FITTED.assign(**{name: None for name in FITTED})
    assert np.isnan(read(X).X).all()
    assert np.isnan(read(X.astype(float)).X).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"age": ["30", "old", "50"]}, "column 'age': 'old' is not a number"),
        ({"age": FITTED["since"]}, "column 'age' has dates: it must have numbers"),
        ({"since": [2020, 2021, 2022]}, "column 'since' has numbers: it must have dates"),
        ({"since": ["2020-01-01", "2020-02-30", None]}, "column 'since': '2020-02-30' is not a date such as 2023-01-05"),
    ],
)
def test_columns_of_another_kind(change, message):
    with pytest.raises(Error, match=message):
        read(FITTED.assign(**change))


@pytest.mark.parametrize("nothing", [[None, None], [NAN, NAN], ["", "?"], pd.to_datetime([None, None])])
def test_a_column_without_values_is_left_out(nothing):
    table = learned(pd.DataFrame({"nothing": nothing, "x": [1, 2]}))
    assert described(table) == [("x", "number", ())]
    assert table.warnings == ["column 'nothing' has no values and is left out"]


def test_a_few_texts_among_numbers_are_pointed_out():
    table = learned(pd.DataFrame({"pay": ["10", "12", "?", "much"], "x": [1, 2, 3, 4]}))
    assert described(table)[0] == ("pay", "category", ("10", "12", "much"))
    assert table.warnings == [
        "column 'pay' is a category because not all of its values are numbers: 'much'; "
        "if it is a quantity, make it a missing value"
    ]
    assert learned(pd.DataFrame({"pay": ["10", "12", "?", "much"]}), categorical_features="pay").warnings == []


@pytest.mark.parametrize("method", ["predict", "predict_proba", "predict_doubt", "predict_set", "rank_rows", "update", "fit"])
@pytest.mark.parametrize("kind", ["pandas", "polars", "numbers"])
def test_tables_without_rows_are_an_error(kind, method):
    X = pd.DataFrame({"a": np.arange(20) / 3, "job": ["cook", "smith"] * 10})
    X = {"pandas": X, "polars": pl.from_pandas(X), "numbers": X[["a"]].to_numpy()}[kind]
    y = np.arange(20) > 9
    classifier = GPClassifier(kernel="se", inducing=5).fit(X, y)
    arguments = (y[:0],) if method in ("update", "fit") else ()
    with pytest.raises(ValueError, match=r"Found array with 0 sample\(s\)"):
        getattr(classifier, method)(X[:0], *arguments)
