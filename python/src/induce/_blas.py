"""Makes OpenBLAS use vector instructions on processors that are newer than it.

OpenBLAS chooses its kernels when it is loaded. Version 0.3.21 does not recognise Intel's processors from 2023 on and
falls back to kernels of 2004, several times slower. The variable OPENBLAS_CORETYPE overrides the choice.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VARIABLE = "OPENBLAS_CORETYPE"
FIRST_UNKNOWN_MODEL = 0xB8  # of Intel's family 6


def _unknown_to_openblas() -> bool:
    try:
        with Path("/proc/cpuinfo").open() as lines:
            first: dict[str, str] = {}
            for line in lines:
                if not line.strip():
                    break
                name, _, value = line.partition(":")
                first[name.strip()] = value.strip()
    except OSError:
        return False
    flags = first.get("flags", "").split()
    return (
        first.get("vendor_id") == "GenuineIntel"
        and first.get("cpu family") == "6"
        and int(first.get("model", "0")) >= FIRST_UNKNOWN_MODEL
        and "avx2" in flags
        and "fma" in flags
    )


@contextmanager
def vector_kernels() -> Iterator[None]:
    """OpenBLAS, if loaded within, uses vector kernels. Other libraries loaded later are not affected."""
    if VARIABLE in os.environ or not _unknown_to_openblas():
        yield
        return
    os.environ[VARIABLE] = "Haswell"
    try:
        yield
    finally:
        del os.environ[VARIABLE]
