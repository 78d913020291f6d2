"""The pages for people: their code runs, what they show is what it prints, and their links lead somewhere."""

import re
import warnings

import pytest
from documentation import LANGUAGES, ROOT, Session, blocks_of, differences, pages

if not (ROOT / "docs").is_dir():
    pytest.skip("the documentation is not part of the source package", allow_module_level=True)

PAGES = {str(page.relative_to(ROOT)): page for page in pages()}
COMPILED = [ROOT / "examples" / "cpp" / "main.cpp"]  # by tests/install; so is the README's own C++


@pytest.fixture(autouse=True)
def _quiet():
    """Dask warns about itself."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=DeprecationWarning, module="dask|distributed|tornado")
        warnings.filterwarnings("ignore", category=ResourceWarning)
        warnings.filterwarnings("ignore", category=UserWarning, module="distributed")
        yield


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if blocks_of(page)])
def test_code_runs(name, tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    session, output = Session(tmp_path), None
    monkeypatch.chdir(session.folder)
    for block in blocks_of(PAGES[name]):
        assert block.language in LANGUAGES, f"{block.place}: the block names no language, or none of {LANGUAGES}"
        if block.not_run is not None:
            output = None
        elif block.language == "text" and block.follows and output is not None:
            difference = differences(block.text, output)
            assert difference is None, f"{block.place}: {difference}"
        elif block.language in ("python", "sh", "c"):
            output = session.run(block)
        elif block.language == "cpp" and name != "README.md":
            compiled = {line.strip() for path in COMPILED for line in path.read_text().splitlines()}
            lost = [line for line in block.text.splitlines() if line.strip() and line.strip() not in compiled]
            assert not lost, f"{block.place}: these lines are in no file that the tests compile: {lost}"


def test_blocks_that_are_not_run_have_reasons():
    marked = [block for page in PAGES.values() for block in blocks_of(page) if block.not_run is not None]
    for block in marked:
        assert len(block.not_run) > 10, f"{block.place}: say why it is not run"
        print(f"not run: {block.place}: {block.not_run}")
    assert len(marked) <= 12, "most code of the documentation has to run"


def without_code(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors_of(page):
    """The anchors that code hosts and the site give to headings."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[(.*?)\]\(.*?\)", r"\1", title).lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    page = PAGES[name]
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text())):
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{name}: {target} does not exist"
        assert not anchor or anchor in anchors_of(file), f"{name}: {target} has no such heading"


def test_every_picture_is_shown_and_has_a_script():
    pictures = {path.name for path in (ROOT / "docs" / "pictures").iterdir()}
    text = "".join(page.read_text() for page in PAGES.values())
    assert pictures == {name for name in pictures if f"pictures/{name})" in text}
    table = re.findall(r"^\| `([^|]+)` \| `([^|` ]+)", (ROOT / "HACKING.md").read_text(), re.MULTILINE)
    made = [re.sub(r"\\\*", "*", pattern) for patterns, _ in table for pattern in patterns.split("`, `")]
    for script in (script for _, script in table):
        assert script == "induce" or (ROOT / script).is_file(), f"{script}: no such script"
    unnamed = {name for name in pictures if not any(re.fullmatch(p.replace("*", r"\w[\w-]*"), name) for p in made)}
    assert not unnamed, f"HACKING.md does not say what makes {unnamed}"
