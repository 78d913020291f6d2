"""Groups and times of rows. Oracle: the same fit with codes instead of names, and what the core reports."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.model_selection import GroupKFold, cross_validate

from induce import Error, GPClassifier

QUICK = {"inducing": 10}


@pytest.fixture(scope="module")
def panel():
    rng = np.random.default_rng(0)
    person = np.repeat(np.arange(40), 8)
    age, effect = rng.normal(size=40)[person], rng.normal(size=40)[person]
    b = rng.normal(size=len(person))
    y = (effect + 2 * b + rng.normal(size=len(person)) > 0).astype(int)
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(len(person)) // 16, unit="D")
    return pd.DataFrame({"age": age, "b": b, "person": [f"p{k:02}" for k in person], "day": day}), y


def test_arrays_and_columns_are_the_same(panel):
    X, y = panel
    features = X[["age", "b"]]
    by_array = GPClassifier(**QUICK).fit(features, y, groups=X["person"])
    by_column = GPClassifier(**QUICK).fit(X.drop(columns="day"), y, groups="person")
    assert by_array.report_["held_out_by"] == by_column.report_["held_out_by"] == "groups"
    left_out = pytest.approx(by_array.report_["leave_one_out"], rel=0, abs=0, nan_ok=True)
    assert by_column.report_["leave_one_out"] == left_out
    np.testing.assert_array_equal(by_column.feature_names_in_, ["age", "b"])
    plain = GPClassifier(**QUICK).fit(features, y)
    assert plain.report_["held_out_by"] == "rows"
    assert plain.report_["leave_one_out"]["nll"] < by_array.report_["leave_one_out"]["nll"]
    timed = GPClassifier(**QUICK).fit(X.drop(columns="person"), y, time="day")
    assert timed.report_["held_out_by"] == "time"
    assert timed.report_["leave_one_out"]["n"] == 64


def test_metadata_routing(panel):
    X, y = panel
    with sklearn.config_context(enable_metadata_routing=True):
        classifier = GPClassifier(**QUICK).set_fit_request(groups=True)
        found = cross_validate(
            classifier,
            X[["age", "b"]],
            y,
            params={"groups": X["person"].to_numpy()},
            cv=GroupKFold(2),
            return_estimator=True,
        )
    assert {each.report_["held_out_by"] for each in found["estimator"]} == {"groups"}


def test_times_that_are_texts_are_read_like_columns(panel):
    X, y = panel
    features = X[["age", "b"]]

    def fitted(time, **parameters):
        return GPClassifier(**QUICK, **parameters).fit(features, y, time=time).report_["leave_one_out"]

    wanted = pytest.approx(fitted(X["day"]), rel=0, abs=0, nan_ok=True)
    assert fitted(X["day"].dt.strftime("%Y-%m-%d")) == wanted
    assert fitted(X["day"].dt.strftime("%d.%m.%Y")) == wanted
    assert fitted((X["day"] - X["day"][0]).dt.days.astype(str)) == wanted  # 2 is before 10
    year = X["day"] - pd.Timedelta(days=10)  # from December to January
    assert fitted(year.dt.strftime("%d/%m/%Y").to_numpy(), dates="day-first") == wanted
    with pytest.raises(Error, match="column 'time'.*day"):
        fitted(pd.Series(np.where(y, "01/02/2022", "03/04/2022")))
    with pytest.raises(Error, match="time has texts such as 'p00': must be numbers or dates"):
        fitted(X["person"])
    with pytest.raises(Error, match="time has texts such as"):
        fitted([f"name {k}" for k in range(len(y))])


def test_a_fold_with_all_rows_of_a_class_is_a_warning(panel):
    X, y = panel
    with pytest.warns(UserWarning, match="fit without this class"):
        GPClassifier(**QUICK).fit(X[["age", "b"]], y, groups=y)


def test_errors(panel):
    X, y = panel
    for given, text in [
        ({"groups": "person", "time": "day"}, "groups and time cannot be used together"),
        ({"groups": "who"}, "groups = 'who': X has no such column"),
        ({"groups": np.r_[[np.nan], np.ones(len(y) - 1)]}, "groups has no value in row 0"),
        ({"groups": np.ones(len(y))}, "all rows are of one group"),
        ({"time": np.ones(3)}, "rows but 3 groups"),
    ]:
        with pytest.raises(Error, match=text):
            GPClassifier(**QUICK).fit(X, y, **given)
