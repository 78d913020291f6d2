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


def _kernels_for_unknown_processor() -> str | None:
    """What to tell OpenBLAS; None if it recognises the processor, or if that has no vector instructions."""
    try:
        with Path("/proc/cpuinfo").open() as lines:
            first: dict[str, str] = {}
            for line in lines:
                if not line.strip():
                    break
                name, _, value = line.partition(":")
                first[name.strip()] = value.strip()
    except OSError:
        return None
    flags = set(first.get("flags", "").split())
    unknown = (
        first.get("vendor_id") == "GenuineIntel"
        and first.get("cpu family") == "6"
        and int(first.get("model", "0")) >= FIRST_UNKNOWN_MODEL
    )
    if not unknown or not {"avx2", "fma"} <= flags:
        return None
    return "SkylakeX" if {"avx512f", "avx512vl", "avx512bw", "avx512dq"} <= flags else "Haswell"


@contextmanager
def vector_kernels() -> Iterator[None]:
    """OpenBLAS, if loaded within, uses vector kernels. Other libraries loaded later are not affected."""
    kernels = _kernels_for_unknown_processor()
    if VARIABLE in os.environ or kernels is None:
        yield
        return
    os.environ[VARIABLE] = kernels
    try:
        yield
    finally:
        del os.environ[VARIABLE]
