import sys

import pytest

from induce import GPClassifier
from induce._progress import LineBar, progress_bar


def test_verbose_shows_a_bar(banana, capsys):
    GPClassifier(verbose=1).fit(*banana)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "GPClassifier" in shown.err
    assert "bound=" in shown.err


def test_without_tqdm_there_is_one_line(banana, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    classifier = GPClassifier(verbose=1).fit(*banana)
    last = capsys.readouterr().err.split("\r")[-1]
    assert f"iteration {classifier.n_iter_} of at most" in last
    assert last.endswith("s\n")


def test_silent_by_default(banana, capfd):
    GPClassifier().fit(*banana)
    assert capfd.readouterr() == ("", "")


def test_bar_is_closed_when_the_fit_fails(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)

    def fail():
        with progress_bar("name") as bar:
            assert isinstance(bar, LineBar)
            bar.show({"iteration": 1, "max_iter": 2, "bound": -3.0, "seconds": 0.1})
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert capsys.readouterr().err.endswith("\n")
