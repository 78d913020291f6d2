"""OpenBLAS is told which kernels to use only while the extension is loaded, and only where it needs to be told."""

from __future__ import annotations

import os

import pytest

from induce import _blas


def _set_within(monkeypatch: pytest.MonkeyPatch, best: str | None, own: str | None) -> str | None:
    monkeypatch.setattr(_blas, "_kernels_of_new_processor", lambda: best)
    monkeypatch.setattr(_blas, "_own_choice", lambda: own)
    with _blas.vector_kernels():
        return os.environ.get(_blas.VARIABLE)


def test_the_variable_is_set_only_within(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(_blas.VARIABLE, raising=False)
    assert _set_within(monkeypatch, "Haswell", "Prescott") == "Haswell"
    assert _blas.VARIABLE not in os.environ


def test_the_users_choice_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(_blas.VARIABLE, "Zen")
    assert _set_within(monkeypatch, "Haswell", "Prescott") == "Zen"
    assert os.environ[_blas.VARIABLE] == "Zen"


def test_a_known_processor_needs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(_blas.VARIABLE, raising=False)
    assert _set_within(monkeypatch, None, "Prescott") is None


@pytest.mark.parametrize("own", ["SapphireRapids", "SkylakeX", None], ids=str)
def test_an_openblas_that_knows_the_processor_chooses_itself(
    monkeypatch: pytest.MonkeyPatch, own: str | None
) -> None:
    monkeypatch.delenv(_blas.VARIABLE, raising=False)
    assert _set_within(monkeypatch, "Haswell", own) is None


def test_openblas_is_asked_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(_blas.VARIABLE, "Nehalem")  # what the other process then has
    assert _blas._own_choice() == "Nehalem"


def test_only_python_is_started_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/opt/application")
    assert _blas._own_choice() is None
