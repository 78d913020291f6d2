"""OpenBLAS is told which kernels to use only while the extension is loaded, and only where it needs to be told."""

from __future__ import annotations

import os

import pytest

from induce import _blas


def test_the_variable_is_set_only_within(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(_blas.VARIABLE, raising=False)
    monkeypatch.setattr(_blas, "_kernels_for_unknown_processor", lambda: "Haswell")
    with _blas.vector_kernels():
        assert os.environ[_blas.VARIABLE] == "Haswell"
    assert _blas.VARIABLE not in os.environ


def test_the_users_choice_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(_blas.VARIABLE, "Zen")
    with _blas.vector_kernels():
        assert os.environ[_blas.VARIABLE] == "Zen"
    assert os.environ[_blas.VARIABLE] == "Zen"


def test_known_processors_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(_blas.VARIABLE, raising=False)
    monkeypatch.setattr(_blas, "_kernels_for_unknown_processor", lambda: None)
    with _blas.vector_kernels():
        assert _blas.VARIABLE not in os.environ
