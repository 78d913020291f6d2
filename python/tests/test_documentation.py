"""The pages for people: their code runs, what they show is what it prints, and their links lead somewhere."""

import json
import re
import runpy
import warnings
from fnmatch import fnmatch

import pytest
from documentation import LANGUAGES, ROOT, Block, Session, blocks_of, differences, pages
from repository import needs

needs("the documentation is")

PAGES = {str(page.relative_to(ROOT)): page for page in pages()}
# Compiled by the tests (tests/install), as is the C++ of the README.
COMPILED = [ROOT / "examples" / "cpp" / "main.cpp", *(ROOT / "include" / "induce").glob("*.hpp")]


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
            lines = (line.strip() for path in COMPILED for line in path.read_text().splitlines())
            compiled = {line.replace("INDUCE_API ", "") for line in lines}
            lost = [line for line in block.text.splitlines() if line.strip() and line.strip() not in compiled]
            assert not lost, f"{block.place}: these lines are in no file that the tests compile: {lost}"


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("nll 0.33, 1,000 rows", "nll  0.34,   1,000 rows", True),
        ("nll 0.33", "nll 0.43", False),
        ("m = 250, nll 0.33", "m = 100, nll 0.33", True),
        ("m = 250, nll 0.33", "m = 100, nll 0.43", False),
        ("nll 0.33", "nll 0.33 rows", False),
        ("took 0.1 s", "took 25 s", True),
        ("first ... last", "first then more, last", True),
        ("first ... last", "then more, last", False),
    ],
)
def test_outputs_are_compared(shown, printed, same):
    assert (differences(shown, printed) is None) == same


def test_a_failing_block_is_an_error(tmp_path, monkeypatch):
    session = Session(tmp_path)
    monkeypatch.chdir(session.folder)
    with pytest.raises(AssertionError, match=r"docs/tables.md:7: status 1"):
        session.run(Block(ROOT / "docs" / "tables.md", 7, "sh", "false\ntrue", None, False))
    with pytest.raises(NameError):
        session.run(Block(ROOT / "docs" / "tables.md", 7, "python", "nothing", None, False))


def test_blocks_that_are_not_run_have_reasons():
    blocks = [block for page in PAGES.values() for block in blocks_of(page)]
    marked = [block for block in blocks if block.not_run is not None]
    for block in marked:
        assert len(block.not_run) > 10, f"{block.place}: say why it is not run"
        print(f"not run: {block.place}: {block.not_run}")
    assert 4 * len(marked) <= len(blocks), "most code of the documentation has to run"


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
    assert not {name for name in pictures if f"pictures/{name})" not in text}, "pictures that no page shows"
    table = re.findall(r"^\| (`.+`) \| `(\S+?)[` ]", (ROOT / "docs" / "README.md").read_text(), re.MULTILINE)
    assert all((ROOT / script).is_file() for _, script in table)
    patterns = [pattern for names, _ in table for pattern in re.findall("`(.+?)`", names)]
    unnamed = {name for name in pictures if not any(fnmatch(name, pattern) for pattern in patterns)}
    assert not unnamed, f"docs/README.md does not say what makes {unnamed}"


@pytest.mark.parametrize("name", ["cpp", "python"])
def test_generated_reference_is_current(name):
    script = ROOT / "scripts" / "site" / f"{name}_reference.py"
    expected = runpy.run_path(str(script))["page"]()
    assert (ROOT / "docs" / "api" / f"{name}.md").read_text() == expected, f"stale: run python {script.name}"


def test_notebooks_are_those_of_their_scripts():
    """The scripts themselves run in docs/examples.md; the notebooks have the same cells, and outputs."""
    maker = runpy.run_path(str(ROOT / "examples" / "make_notebooks.py"))
    for name in maker["SCRIPTS"]:
        script = ROOT / "examples" / name
        notebook = json.loads(script.with_suffix(".ipynb").read_text())
        cells = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
        assert cells == maker["cells_of"](script), f"{name}: run python examples/make_notebooks.py"
        assert all(cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code")
        assert f"python examples/{name}\n" in PAGES["docs/examples.md"].read_text()


def test_reference_has_every_field(tmp_path, monkeypatch):
    """Keys of all JSON files are in docs/reference.md."""
    session = Session(tmp_path)
    monkeypatch.chdir(session.folder)
    text = """
    python examples/people.py . 200
    induce fit train.csv --label income --test test.csv --max-iter 20 -o my.model --json fit.json --trace trace.jsonl --quiet
    induce eval my.model test.csv --json eval.json
    induce explain my.model --json explain.json
    induce info my.model --json info.json
    """
    session.run(Block(ROOT / "docs" / "reference.md", 1, "sh", text, None, False))
    known = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "reference.md").read_text()))
    lines = [line for path in session.folder.glob("*.json*") for line in _documents(path)]
    assert len(lines) > 10
    unknown = {key for line in lines for key in _keys(json.loads(line))} - known
    assert not unknown, f"docs/reference.md does not describe {unknown}"


def _documents(path):
    return path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]


def _keys(value):
    if isinstance(value, dict):
        return set(value) | {key for each in value.values() for key in _keys(each)}
    if isinstance(value, list):
        return {key for each in value for key in _keys(each)}
    return set()


def test_every_promise_of_security_names_a_test_that_exists():
    rows = re.findall(r"^\| .* \|$", (ROOT / "SECURITY.md").read_text(), re.MULTILINE)[1:]
    assert len(rows) >= 7
    for row in rows:
        named = re.findall(r"`([^`]+)`", row.split(" | ")[-1])
        found = [
            path
            for name in named
            if "." in name
            for path in [ROOT / name, *(ROOT / "tests").rglob(name), ROOT / "python" / "tests" / name]
            if path.is_file()
        ]
        assert len(found) == sum("." in name for name in named) > 0, row
        sources = "".join(path.read_text() for path in found)
        missing = [name for name in named if "." not in name and name not in sources]
        assert not missing, f"{row}: {missing}"
