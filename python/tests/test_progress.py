import io
import sys
from contextlib import redirect_stderr

import pytest

from induce import GPClassifier
from induce._progress import LineBar, PlainLines, progress_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def step(iteration):
    return {"iteration": iteration, "max_iter": 9, "bound": -3.0, "seconds": 0.1}


def test_terminal_shows_a_bar(banana, capsys):
    with redirect_stderr(Terminal()) as terminal:
        GPClassifier(verbose=1).fit(*banana)
    assert capsys.readouterr() == ("", "")
    assert "GPClassifier" in terminal.getvalue()
    assert "bound=" in terminal.getvalue()


def test_without_tqdm_a_terminal_shows_one_line(banana, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with redirect_stderr(Terminal()) as terminal:
        classifier = GPClassifier(verbose=1).fit(*banana)
    last = terminal.getvalue().split("\r")[-1]
    assert f"iteration {classifier.n_iter_} of at most" in last
    assert last.endswith("s\n")


@pytest.mark.parametrize("tqdm", [True, False])
def test_files_get_plain_lines(banana, capsys, monkeypatch, tqdm):
    if not tqdm:
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    classifier = GPClassifier(verbose=1).fit(*banana)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "\r" not in shown.err
    assert "\x1b" not in shown.err
    assert shown.err.startswith("GPClassifier: iteration ")
    assert f"iteration {classifier.n_iter_} of at most" in shown.err.splitlines()[-1]


def test_speed_and_shards_are_shown(capsys):
    lines = PlainLines("name")
    lines.show({**step(1), "rows_per_second": 1234567.0, "shards": 4, "shard_imbalance": 1.25})
    lines.close()
    assert capsys.readouterr().err.endswith("0.1 s, 1,200,000 rows/s, 4 shards, imbalance 1.25\n")


def test_plain_lines_appear_at_intervals_and_at_the_end(capsys, monkeypatch):
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    lines = PlainLines("name")
    for iteration in range(1, 15):
        lines.show(step(iteration))
        now += 1.0
    lines.close()
    shown = capsys.readouterr().err.splitlines()
    assert [int(line.split()[2]) for line in shown] == [6, 11, 14]


def test_notebooks_show_a_bar(monkeypatch, capsys):
    drawn = []

    class tqdm_notebook:  # noqa: N801, as tqdm calls it
        n = 0

        def __init__(self, desc):
            drawn.append(desc)

        def set_postfix(self, **_): ...
        def update(self, _): ...
        def close(self): ...

    monkeypatch.setattr("tqdm.auto.tqdm", tqdm_notebook)
    with progress_bar("name") as bar:
        bar.show(step(1))
    assert drawn == ["name"]
    assert capsys.readouterr() == ("", "")


def test_silent_by_default(banana, capfd):
    GPClassifier().fit(*banana)
    assert capfd.readouterr() == ("", "")


def test_bar_is_closed_when_the_fit_fails(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)

    def fail():
        with progress_bar("name") as bar:
            assert isinstance(bar, LineBar)
            bar.show(step(1))
            raise LookupError

    with redirect_stderr(Terminal()) as terminal, pytest.raises(LookupError):
        fail()
    assert terminal.getvalue().endswith("\n")
