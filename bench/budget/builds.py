"""Builds the programs of a commit, below build/compare."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from bench.support.program import ProgramError
from bench.support.settings import ROOT

FOLDER = ROOT / "build" / "compare"


def full_name(commit: str) -> str:
    """The hash of a commit, tag or branch."""
    if shutil.which("git") is None:
        raise ProgramError(f"{commit} is neither a program nor a commit that can be found: git is not installed")
    words = ["git", "-C", str(ROOT), "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"]
    found = subprocess.run(words, capture_output=True, text=True, check=False)
    if found.returncode != 0:
        raise ProgramError(f"{commit} is neither a program nor a commit of this repository")
    return found.stdout.strip()


def run(words: list[str | Path], log: Path, environment: dict[str, str]) -> None:
    with log.open("a") as out:
        done = subprocess.run(words, stdout=out, stderr=subprocess.STDOUT, env=environment, check=False)
    if done.returncode != 0:
        raise ProgramError(f"{' '.join(str(word) for word in words)} failed:\n{log.read_text()[-2000:]}")


def unpack(commit: str, source: Path) -> None:
    """The files of a commit. Git keeps no record of this folder, so it can simply be removed."""
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    with subprocess.Popen(["git", "-C", str(ROOT), "archive", commit], stdout=subprocess.PIPE) as archive:
        subprocess.run(["tar", "x", "-C", str(source)], stdin=archive.stdout, check=True)


def program(name: str, jobs: int) -> Path:
    """`name` if it is a program, otherwise that of the commit `name`, which is built if it was not yet."""
    if Path(name).is_file():
        return Path(name).resolve()
    commit = full_name(name)
    source = FOLDER / commit[:12]
    built = source / "build" / "induce"
    if not built.exists():
        print(f"compare: building {name} ({commit[:12]})", flush=True)
        unpack(commit, source)
        # As the preset `release`. A compiler cache then shares files that are the same in both commits.
        options = ["CMAKE_BUILD_TYPE=Release", "CMAKE_UNITY_BUILD=ON", "INDUCE_TESTS=OFF"]
        if shutil.which("ccache"):
            options.append("CMAKE_CXX_COMPILER_LAUNCHER=ccache")
        environment = {**os.environ, "CCACHE_BASEDIR": str(source), "CCACHE_NOHASHDIR": "1"}
        folder, log = source / "build", source / "build.log"
        defines = [word for option in options for word in ("-D", option)]
        run(["cmake", "-S", source, "-B", folder, "-G", "Ninja", *defines], log, environment)
        # 0.2 had no program for benchmarks.
        targets = ["induce_cli", *(["induce_bench"] if (source / "bench" / "program").exists() else [])]
        run(["cmake", "--build", folder, "--target", *targets, "--parallel", str(jobs)], log, environment)
    return built
