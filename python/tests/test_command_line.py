"""`python -m induce` and the script `induce` run the command line."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import induce

SCRIPT = Path(sys.executable).with_name("induce")


@pytest.mark.parametrize("command", [[sys.executable, "-m", "induce"], [str(SCRIPT)]])
def test_version_and_exit_status(command):
    def run(*arguments):
        return subprocess.run([*command, *arguments], capture_output=True, text=True)

    assert run("--version").stdout == f"induce {induce.__version__}\n"
    assert run("fit", "--help").returncode == 0
    assert run("fit").returncode == 2
    absent = run("info", "absent.model")
    assert absent.returncode == 1
    assert absent.stderr.startswith("induce: absent.model")


def test_exits_quietly_when_the_pipe_closes():
    done = subprocess.run(
        f"{sys.executable} -m induce fit --help | true", shell=True, capture_output=True, text=True
    )
    assert done.stderr == ""


def test_package_and_core_versions_match():
    assert version("induce") == induce.__version__
