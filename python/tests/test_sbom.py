"""scripts/sbom lists what is linked and installed, with versions and licenses."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from repository import ROOT, needs

import induce

needs("scripts/sbom is")
if shutil.which("ldd") is None:
    pytest.skip("ldd is not installed: scripts/sbom asks it for libraries", allow_module_level=True)
for package in ("nanobind", "scikit-build-core"):
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        pytest.skip(f"{package}, which builds induce, is not installed here", allow_module_level=True)

EXTENSION = str(induce._core.__file__)


def sbom(*words: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "sbom"), *words]
    environment = os.environ | ({"PATH": path} if path else {})
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_everything_has_a_version_and_a_license(tmp_path: Path) -> None:
    done = sbom("-o", str(tmp_path / "bill.json"), EXTENSION)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    bill = json.loads((tmp_path / "bill.json").read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    assert bill["metadata"]["component"]["version"] == (ROOT / "VERSION").read_text().strip()
    components = bill["components"]
    packages = [each for each in components if each["type"] == "library"]
    assert all(each["version"] and each["licenses"] and each["purl"].startswith("pkg:") for each in packages)
    assert all(each["hashes"] for each in components if each["type"] == "file")
    references = [each["bom-ref"] for each in components]
    assert len(set(references)) == len(references)
    assert bill["dependencies"] == [{"ref": "induce", "dependsOn": references}]

    python = {each["name"]: each for each in packages if each["purl"].startswith("pkg:pypi/")}
    for name, scope in (("numpy", "required"), ("scipy", "required"), ("nanobind", "excluded")):
        assert (python[name]["version"], python[name]["scope"]) == (metadata.version(name), scope)
    assert "BSD" in json.dumps(python["numpy"]["licenses"])
    assert "pytest" not in python  # neither needed nor used to build


def test_every_library_that_is_loaded_is_listed(tmp_path: Path) -> None:
    if shutil.which("dpkg-query") is None:
        pytest.skip("no dpkg-query: libraries are files, as in the next test")
    bill = json.loads(sbom(EXTENSION).stdout)
    found = {each["name"]: each for each in bill["components"]}
    version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "libc6"], capture_output=True, text=True).stdout
    assert found["libc6"]["version"] == version
    assert any(license["license"]["name"].startswith("LGPL") for license in found["libc6"]["licenses"])
    loaded = subprocess.run(["ldd", EXTENSION], capture_output=True, text=True).stdout
    for path in re.findall(r"(/\S+) \(0x", loaded):
        real = Path(path).resolve()
        lists = Path("/var/lib/dpkg/info").glob("*.list")
        names = {str(real), str(real).removeprefix("/usr")}
        owners = {each.stem.split(":")[0] for each in lists if names & set(each.read_text().split("\n"))}
        assert owners & set(found) if owners else real.name in found, real


def test_without_dpkg_libraries_are_files_with_hashes(tmp_path: Path) -> None:
    for name in ("ldd", "bash", "sh", "cat"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    bill = json.loads(sbom(EXTENSION, path=str(tmp_path)).stdout)
    files = {each["name"]: each for each in bill["components"] if each["type"] == "file"}
    assert any(name.startswith("libc.so") for name in files)
    assert all(re.fullmatch("[0-9a-f]{64}", each["hashes"][0]["content"]) for each in files.values())
    assert not [each for each in bill["components"] if each.get("purl", "").startswith("pkg:deb/")]


def test_errors_name_the_file(tmp_path: Path) -> None:
    assert f"{tmp_path}/none is not a file" in sbom(f"{tmp_path}/none").stderr
    (tmp_path / "text").write_text("no program")
    done = sbom(str(tmp_path / "text"))
    assert done.returncode == 1
    assert "ldd does not find the libraries" in done.stderr


def test_the_same_system_gives_the_same_bytes() -> None:
    assert sbom(EXTENSION).stdout == sbom(EXTENSION).stdout
