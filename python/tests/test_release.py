"""scripts/release refuses with a reason, and a dry run changes nothing; wheels have the licenses of their libraries."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from repository import ROOT, needs

needs("scripts/release is")
if shutil.which("git") is None:
    pytest.skip("git is not installed: scripts/release needs it", allow_module_level=True)

FILES = {
    "VERSION": "0.2.0\n",
    "include/induce/version.hpp": """#define INDUCE_VERSION_MAJOR 0
#define INDUCE_VERSION_MINOR 2
#define INDUCE_VERSION_PATCH 0
#define INDUCE_VERSION "0.2.0"
""",
    "CITATION.cff": "title: x\nversion: 0.2.0\nlicense: y\n",
    "packaging/conda/recipe.yaml": 'context:\n  version: "0.2.0"\n',
    "CHANGELOG.md": "# Changelog\n\n## Unreleased\n### Added\n- A thing.\n\n## [0.2.0] - 2026-11-16\n- Old.\n",
    "go": "#!/bin/sh\nmkdir -p build dist && echo wheel >dist/x.whl\n",
    "scripts/debian": "#!/bin/sh\necho package >dist/x.deb\n",
    "scripts/try_wheel": "#!/bin/sh\ncp dist/SHA256SUMS build/tried\n",
    "scripts/sbom": '#!/bin/sh\necho "$@" >"$2"\n',
    "bench/compare": "#!/bin/sh\nexit 1\n",  # over budget
    ".gitignore": "/build/\n/dist/\n",
}


def git(folder: Path, *words: str) -> str:
    name = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    done = subprocess.run(["git", *name, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    shutil.copy(ROOT / "scripts" / "release", tmp_path / "scripts" / "release")
    for name in ("go", "scripts/debian", "scripts/sbom", "scripts/try_wheel", "bench/compare"):
        (tmp_path / name).chmod(0o755)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.name", "x")
    git(tmp_path, "config", "user.email", "x@example.org")
    commit(tmp_path)
    return tmp_path


def commit(project: Path) -> None:
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "x")


def release(project: Path, *words: str, **commands: str) -> tuple[int, str, str]:
    """`commands`: what these do, instead of those of this machine. Containers do not run, and a user is root."""
    texts = {"docker": "exit 1", "podman": "exit 1", "id": "echo 0"}
    for minor in range(10, 15):
        texts[f"python3.{minor}"] = f'[ "${{3-}}" = 3.{minor} ]' if minor in (11, 12, 13) else "exit 1"
    folder = project.parent / f"{project.name}-commands"
    folder.mkdir(exist_ok=True)
    for name, text in (texts | commands).items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "PYENV_ROOT": str(folder), "PYTHONS": ""}
    command = ["scripts/release", *words]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, env=environment)
    return done.returncode, done.stdout, done.stderr


def test_a_dry_run_changes_nothing(project: Path) -> None:
    head = git(project, "rev-parse", "HEAD")
    refused = release(project, "--dry-run", "--skip-tests", "seen elsewhere", "0.3.0")
    assert "no build/venv for scripts/sbom" in refused[2]
    (project / "build/venv/bin").mkdir(parents=True)
    (project / "build/venv/bin/python3").symlink_to(sys.executable)
    status, out, _ = release(project, "--dry-run", "--skip-tests", "seen elsewhere", "0.3.0")
    assert status == 0
    assert "no tests: seen elsewhere" in out
    assert [line.split()[2] for line in out.splitlines() if line.startswith("would run: ")] == [
        "bench/compare", "set_version", "git", "./go", "scripts/debian", "sbom", "checksums", "scripts/try_wheel", "git",
    ]  # fmt: skip
    assert "no image is built: neither docker nor podman runs here" in out
    assert "dist/ would have the wheels, induce-0.3.0.tar.gz, induce_0.3.0-1_*.deb" in out
    assert (git(project, "rev-parse", "HEAD"), git(project, "status", "--porcelain")) == (head, "")
    assert git(project, "tag") == ""


def test_there_is_a_wheel_for_every_python(project: Path) -> None:
    (project / "build/venv/bin").mkdir(parents=True)
    (project / "build/venv/bin/python3").symlink_to(sys.executable)
    words = ["--dry-run", "--skip-tests", "seen elsewhere", "0.3.0"]
    out = release(project, *words)[1]
    folder = project.parent / f"{project.name}-commands"
    assert f"would run: ./go wheel {folder}/python3.11 {folder}/python3.12\n" in out
    assert "no wheel for Python 3.10: no such interpreter" in out
    assert f"Python 3.13 is served by the wheel of 3.12 ({folder}/python3.13 is not needed)" in out
    assert "Python 3.14 is served by the wheel of 3.12\n" in out
    older = {f"python3.{minor}": "exit 1" for minor in (11, 12)}
    of_pyenv = folder / "versions" / "3.10.13" / "bin" / "python"
    of_pyenv.parent.mkdir(parents=True)
    of_pyenv.write_text('#!/bin/sh\n[ "$3" = 3.10 ]\n')
    of_pyenv.chmod(0o755)
    out = release(project, *words, **older)[1]
    assert f"would run: ./go wheel {of_pyenv} {folder}/python3.13\n" in out
    assert "the wheel is not tried: scripts/try_wheel needs that of Python 3.11" in out
    assert "needs root" in release(project, *words, id="echo 1000")[1]
    none = {f"python3.{minor}": "exit 1" for minor in (11, 12, 13)}
    shutil.rmtree(of_pyenv.parents[1])
    assert "no Python from 3.10 to 3.14" in release(project, *words, **none)[2]


def test_an_image_is_built_where_an_engine_runs(project: Path) -> None:
    (project / "build/venv/bin").mkdir(parents=True)
    (project / "build/venv/bin/python3").symlink_to(sys.executable)
    out = release(project, "--dry-run", "--skip-tests", "seen elsewhere", "0.3.0", podman="exit 0")[1]
    assert "would run: podman build --tag induce:0.3.0 ." in out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["0.3"], "0.3 is no version"),
        (["0.2.0"], "not newer than VERSION, 0.2.0"),
        (["0.1.9"], "not newer than VERSION, 0.2.0"),
        (["0.3.0", "0.4.0"], "more than one version"),
        (["--fast", "0.3.0"], "unknown option --fast"),
        (["0.3.0", "--skip-budget"], "--skip-budget needs a reason"),
    ],
)
def test_wrong_words_are_refused(project: Path, words: list[str], reason: str) -> None:
    status, _, error = release(project, "--dry-run", *words)
    assert status == 1
    assert reason in error


def test_a_tree_with_changes_is_refused(project: Path) -> None:
    (project / "new.txt").write_text("x")
    assert release(project, "--dry-run", "0.3.0")[::2] == (
        1,
        "release: the tree has changes that are not committed (git status)\n",
    )


def test_an_existing_tag_is_refused(project: Path) -> None:
    git(project, "tag", "v0.3.0")
    assert "the tag v0.3.0 exists" in release(project, "--dry-run", "0.3.0")[2]


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## [0.2.0] - 2026-11-16\n- Old.\n", "no lines below"),
        ("CITATION.cff", "version: 0.1.0\n", "CITATION.cff does not have the version 0.2.0"),
    ],
)
def test_files_that_do_not_fit_are_refused(project: Path, name: str, text: str, reason: str) -> None:
    (project / name).write_text(text)
    commit(project)
    assert reason in release(project, "--dry-run", "0.3.0")[2]


def test_a_budget_that_is_exceeded_stops_the_release(project: Path) -> None:
    assert release(project, "0.3.0")[0] == 1
    assert (project / "VERSION").read_text() == "0.2.0\n"
    assert git(project, "tag") == ""


def test_a_release_that_stops_in_the_middle_can_begin_again(project: Path) -> None:
    (project / "scripts/debian").write_text("#!/bin/sh\nexit 7\n")
    commit(project)
    status, _, error = release(project, "--skip-budget", "a busy machine", "0.3.0")
    assert status == 7
    assert error == "release: stopped after its commit, without a tag; to begin again: git reset --hard HEAD~1\n"
    assert git(project, "tag") == ""
    git(project, "reset", "--quiet", "--hard", "HEAD~1")
    (project / "scripts/debian").write_text(FILES["scripts/debian"])
    commit(project)
    assert release(project, "--skip-budget", "a busy machine", "0.3.0")[0] == 0


def test_a_release_sets_the_version_everywhere_and_tags(project: Path) -> None:
    status, _, error = release(project, "--skip-budget", "a busy machine", "0.3.0")
    assert (status, error) == (0, "")
    assert (project / "VERSION").read_text() == "0.3.0\n"
    macros = FILES["include/induce/version.hpp"].replace("MINOR 2", "MINOR 3").replace('"0.2.0"', '"0.3.0"')
    assert (project / "include/induce/version.hpp").read_text() == macros
    assert "version: 0.3.0\ndate-released: 2" in (project / "CITATION.cff").read_text()
    assert '  version: "0.3.0"\n' in (project / "packaging/conda/recipe.yaml").read_text()
    assert "\n## [0.3.0] - 2" in (project / "CHANGELOG.md").read_text()
    assert (git(project, "tag"), git(project, "status", "--porcelain")) == ("v0.3.0\n", "")
    check = ["sha256sum", "--check", "--quiet", "SHA256SUMS"]
    subprocess.run(check, cwd=project / "dist", check=True)
    assert (project / "dist/SHA256SUMS").read_text().count("\n") == 3
    assert (project / "build/tried").read_text() == (project / "dist/SHA256SUMS").read_text()
    binary = "build/debian/induce-0.3.0/debian/induce/usr/bin/induce"
    assert (project / "dist/induce-0.3.0.cdx.json").read_text() == f"-o dist/induce-0.3.0.cdx.json {binary}\n"


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake")
def test_the_source_of_the_debian_packages_can_be_configured(tmp_path: Path) -> None:
    """It has some folders only, and CMake must not ask for others."""
    line = re.search(r"^tar c (.*) \|", (ROOT / "scripts" / "debian").read_text(), re.MULTILINE)
    assert line is not None
    for name in line[1].split():
        (tmp_path / name).symlink_to(ROOT / name)
    rules = (ROOT / "packaging" / "debian" / "rules").read_text()
    options = re.findall(r"-D\S+", rules)
    assert "-DINDUCE_TESTS=OFF" in options
    command = ["cmake", "-S", tmp_path, "-B", tmp_path / "build", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_library_of_a_wheel_has_a_license() -> None:
    spec = importlib.util.spec_from_file_location("licensed", ROOT / "python" / "wheel" / "licensed.py")
    assert spec is not None
    assert spec.loader is not None
    licensed = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(licensed)
    folder = ROOT / "python" / "wheel" / "licenses"
    names = [f"induce-1.dist-info/licenses/{path.name}" for path in folder.iterdir()]
    names += ["induce-1.dist-info/licenses/LICENSE", "induce.libs/libopenblasp-r0-2.so"]
    note = (folder / "README.txt").read_text()
    assert licensed.problems(names, note) == []
    assert licensed.problems([*names, "induce.libs/libnew-1.so.2"], note) == [f"libnew-1.so.2 is not in {licensed.NOTE}"]
    without = [name for name in names if not name.endswith(("/bzip2.txt", ".so"))]
    assert licensed.problems(without, note) == ["bzip2.txt is missing", "no libraries: not repaired by auditwheel"]
