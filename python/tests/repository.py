"""Tests of files that the repository has and the source package leaves out."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def needs(what: str) -> None:
    """Skip the module in an unpacked source package, which has PKG-INFO. In a clone a missing file is a failure."""
    if (ROOT / "PKG-INFO").is_file():
        pytest.skip(f"{what} not part of the source package", allow_module_level=True)
