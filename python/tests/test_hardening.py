"""The program and the extension have the protections that SECURITY.md promises, and scripts/hardened sees when they lack."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from repository import ROOT, needs

import induce

needs("scripts/hardened is")
if sys.platform != "linux":
    pytest.skip("the protections are those of Linux", allow_module_level=True)

EXTENSION = Path(str(induce._core.__file__))
# Where headers have them; see scripts/hardened.
DYNAMIC, STACK, RELRO = struct.pack("<I", 2), struct.pack("<I", 0x6474E551), struct.pack("<I", 0x6474E552)


def hardened(*paths: Path | str) -> tuple[int, str]:
    script = ROOT / "scripts" / "hardened"
    done = subprocess.run([sys.executable, script, *paths], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_the_extension() -> None:
    assert hardened(EXTENSION) == (0, "")


def test_the_program() -> None:
    program = os.environ.get("INDUCE_COMMAND")
    if not program:
        pytest.skip("INDUCE_COMMAND is not set: ./go test sets it")
    assert hardened(program) == (0, "")


def with_segment(data: bytes, kind: bytes, at: int, value: bytes) -> bytes:
    """The file with other bytes in the first program header of a kind."""
    (first,), (size, count) = struct.unpack_from("<Q", data, 32), struct.unpack_from("<HH", data, 54)
    places = [first + k * size for k in range(count)]
    place = next(each for each in places if data[each : each + 4] == kind) + at
    return data[:place] + value + data[place + len(value) :]


def without_flags(data: bytes) -> bytes:
    """The file whose dynamic section has no DT_FLAGS and no DT_FLAGS_1."""
    flags = [struct.pack("<Q", tag) for tag in (30, 0x6FFFFFFB)]
    header = with_segment(data, DYNAMIC, 0, DYNAMIC)
    (first,), (size, count) = struct.unpack_from("<Q", header, 32), struct.unpack_from("<HH", header, 54)
    place = next(first + k * size for k in range(count) if header[first + k * size :][:4] == DYNAMIC)
    begin, length = struct.unpack_from("<Q16xQ", header, place + 8)
    section = header[begin : begin + length]
    entries = [section[k : k + 16] for k in range(0, length, 16)]
    kept = [entry if entry[:8] not in flags else entry[:8] + bytes(8) for entry in entries]
    return header[:begin] + b"".join(kept) + header[begin + length :]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda data: data[:16] + b"\2" + data[17:], "is not position-independent"),
        (lambda data: with_segment(data, RELRO, 0, bytes(4)), "has no read-only relocations"),
        (without_flags, "binds functions late"),
        (lambda data: with_segment(data, STACK, 4, b"\7"), "has an executable stack"),
        (lambda data: data.replace(b"\0__stack_chk_fail\0", b"\0__stack_chk_none\0"), "has no stack protector"),
        (lambda data: data.replace(b"_chk\0", b"_not\0"), "has no checked C functions"),
        (lambda data: b"#!/bin/sh\n" + data, "not an ELF file"),
    ],
)
def test_what_is_missing_is_named(tmp_path: Path, spoil, words: str) -> None:
    spoiled = tmp_path / "spoiled.so"
    spoiled.write_bytes(spoil(EXTENSION.read_bytes()))
    status, error = hardened(spoiled)
    assert status == 1
    assert error.startswith(f"{spoiled}: {words}")
    assert error.count("\n") == 1


def test_a_wheel(tmp_path: Path) -> None:
    data = EXTENSION.read_bytes()
    for name, content in (("good", data), ("bad", with_segment(data, RELRO, 0, bytes(4)))):
        with zipfile.ZipFile(tmp_path / f"{name}.whl", "w") as wheel:
            wheel.writestr("induce/_core.abi3.so", content)
            wheel.writestr("induce.libs/libopenblas.so.0", b"of a distribution")
    assert hardened(tmp_path / "good.whl") == (0, "")
    assert "bad.whl: induce/_core.abi3.so: has no read-only relocations" in hardened(tmp_path / "bad.whl")[1]
    with zipfile.ZipFile(tmp_path / "empty.whl", "w"):
        pass
    assert hardened(tmp_path / "empty.whl")[0] == 1
