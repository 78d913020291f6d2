"""Makes OpenBLAS use vector instructions on processors that are newer than it.

OpenBLAS chooses its kernels when it is loaded. Version 0.3.21 does not recognise Intel's processors from 2023 on and
falls back to kernels of 2004, several times slower. The variable OPENBLAS_CORETYPE overrides the choice. Later
versions know better, so on such a processor another process asks OpenBLAS what it would choose. (The command line
asks its own and starts again.)
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

VARIABLE = "OPENBLAS_CORETYPE"
FIRST_NEW_MODEL = 0xB8  # of Intel's family 6
FALLBACK = "Prescott"
ASK = """
import ctypes, sys
ask = ctypes.CDLL(sys.argv[1]).openblas_get_corename
ask.restype = ctypes.c_char_p
print(ask().decode())
"""


def _kernels_of_new_processor() -> str | None:
    """The best kernels; None if any OpenBLAS recognises the processor, or if that has no vector instructions."""
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
    new = (
        first.get("vendor_id") == "GenuineIntel"
        and first.get("cpu family") == "6"
        and int(first.get("model", "0")) >= FIRST_NEW_MODEL
    )
    if not new or not {"avx2", "fma"} <= flags:
        return None
    return "SkylakeX" if {"avx512f", "avx512vl", "avx512bw", "avx512dq"} <= flags else "Haswell"


def _own_choice() -> str | None:
    """The kernels that OpenBLAS chooses by itself; None if it cannot be asked."""
    spec = find_spec("._core", __package__)
    if spec is None or spec.origin is None or not Path(sys.executable or "").name.startswith("python"):
        return None
    try:
        asked = subprocess.run(
            [sys.executable, "-I", "-S", "-c", ASK, spec.origin], capture_output=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return asked.stdout.decode().strip()


@contextmanager
def vector_kernels() -> Iterator[None]:
    """OpenBLAS, if loaded within, uses vector kernels. Other libraries loaded later are not affected."""
    kernels = None if VARIABLE in os.environ else _kernels_of_new_processor()
    if kernels is None or _own_choice() != FALLBACK:
        yield
        return
    os.environ[VARIABLE] = kernels
    try:
        yield
    finally:
        del os.environ[VARIABLE]
