"""Names from tables and model files are text wherever they are shown: pages and pictures in a browser, and a terminal."""

import base64
import hashlib
import os
import re
import subprocess
import warnings
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest
from test_report import program  # noqa: F401, a fixture

from induce import GPClassifier

MARKUP = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"
QUOTES = "\" autofocus onfocus=\"document.title='taken'"
SCRIPT = "</script><svg onload=\"document.title='taken'\">{{sections}}@sections@"
TERMINAL = "\x1b[31mred\x9b1m\x07\x7f"
POLICY = {
    "default-src": "'none'",  # no image, frame, font, worker or connection
    "style-src": "'unsafe-inline'",
    "img-src": "data:",
    "base-uri": "'none'",
    "form-action": "'none'",
}
ELEMENTS = set(
    "a b bdi body br button caption circle code dd details div dl dt figcaption figure footer form g h1 h2 h3 head header html"
    " i link main meta nav noscript output p path rect script section span strong style summary svg table tbody td text th"
    " thead title tr".split()
)


class Page(HTMLParser):
    """The elements of a page, the attributes that run code or load something, the scripts, the policy and the text."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.active, self.scripts, self.policy, self.words = set(), [], [], None, []
        self.inside = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.add(tag)
        self.inside = tag
        given = dict(attributes)
        self.active += [
            name for name, value in attributes if name.startswith("on") or name in ("src", "srcdoc", "action")
        ]
        self.active += [
            value for name, value in attributes if name == "href" and not value.startswith(("#", "data:,"))
        ]
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = dict(each.strip().split(" ", 1) for each in given["content"].split(";"))
        if tag == "script":
            self.scripts.append((given.get("type"), ""))

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "script":
            self.scripts[-1] = (self.scripts[-1][0], self.scripts[-1][1] + data)
        elif self.inside != "style":
            self.words.append(data)


def expect_harmless(text):
    """The page has a strict policy, one script whose hash is in it, and no other code."""
    page = Page(text)
    assert page.elements <= ELEMENTS
    assert page.active == []
    policy = dict(page.policy)
    allowed = policy.pop("script-src")
    assert policy == POLICY
    assert re.fullmatch(r"'sha256-[A-Za-z0-9+/]{43}='", allowed)
    assert text.index("Content-Security-Policy") < text.index("<style")
    if page.scripts:
        (kind, numbers), (own, code) = page.scripts
        assert (kind, own) == ("application/json", None)
        assert "<" not in numbers
        assert allowed == f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"
    return " ".join(page.words)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table and a model whose columns, levels and classes are hostile, in files whose names are."""
    command = os.environ.get("INDUCE_COMMAND")
    if not command:
        pytest.skip("INDUCE_COMMAND is not set: ./go test sets it")
    random = np.random.default_rng(0)
    lines = [[MARKUP, QUOTES, SCRIPT, TERMINAL, "label " + MARKUP]]
    for _ in range(150):
        x, y = random.normal(size=2)
        level = [MARKUP, QUOTES, SCRIPT, TERMINAL][random.integers(4)]
        lines.append([f"{x:.3f}", f"{y:.3f}", level, f"{x * y:.3f}", SCRIPT if x + y > 0 else TERMINAL])
    path = tmp_path_factory.mktemp("hostile")
    cells = [",".join('"' + cell.replace('"', '""') + '"' for cell in line) for line in lines]
    (path / "<img src=x onerror=alert(1)>.csv").write_text("\n".join(cells) + "\n", encoding="utf-8")
    fit = [
        "fit",
        table(path),
        "--label=-1",
        "--quiet",
        "--inducing",
        "15",
        "--kernel",
        "se+mains+pairs:0*1",
        "-o",
        path / "m",
    ]
    subprocess.run([os.path.abspath(command), *map(str, fit)], check=True)
    return path


def table(folder):
    return folder / "<img src=x onerror=alert(1)>.csv"


@pytest.mark.parametrize("options", [[], ["--rows"], ["--held-out"]])
def test_a_page_of_hostile_names_is_harmless(program, folder, options):  # noqa: F811
    program("report", folder / "m", table(folder), *options, "-o", folder / "page.html")
    words = expect_harmless((folder / "page.html").read_text(encoding="utf-8"))
    assert "<img src=x" in words


def test_a_page_without_rows_is_harmless(program, folder):  # noqa: F811
    program("report", folder / "m", "-o", folder / "page.html")
    assert "<img src=x" in expect_harmless((folder / "page.html").read_text(encoding="utf-8"))


def test_a_page_without_a_script_has_the_same_policy(tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.random(300, 1500, density=0.02, format="csr", random_state=0)
    y = np.where(np.asarray(X[:, :40].sum(axis=1)).ravel() > 0.4, MARKUP, QUOTES)
    classifier = GPClassifier(inducing=10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it learns little
        classifier.fit(X, y)
    classifier.report(tmp_path / "page.html", X, y)
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<img src=x" in expect_harmless(text)
    assert Page(text).scripts == []


def test_the_browser_runs_no_script_that_is_injected(browser, program, folder):  # noqa: F811
    program("report", folder / "m", table(folder), "-o", folder / "page.html")
    page = (folder / "page.html").read_text(encoding="utf-8")
    browser.open(folder / "page.html")
    assert browser.messages == []
    assert browser.evaluate("typeof induce.predict") == "function"
    # As if escaping had failed: the policy is the second wall.
    for number, injected in enumerate((MARKUP, '<a href="javascript:document.title=\'taken\'" id="link">x</a>')):
        path = folder / f"injected{number}.html"
        path.write_text(page.replace('<main id="main">', '<main id="main">' + injected), encoding="utf-8")
        browser.open(path)
        browser.evaluate("document.getElementById('link') && document.getElementById('link').click()")
        browser.evaluate("new Promise((done) => setTimeout(done, 100))")
        assert browser.evaluate("document.title") != "taken"
        assert any("Content Security Policy" in message for message in browser.messages)
        assert browser.evaluate("typeof induce.predict") == "function"


def test_pictures_are_xml_without_code(program, folder):  # noqa: F811
    program("explain", folder / "m", "--svg", folder / "effects.svg")
    picture = ElementTree.parse(folder / "effects.svg").getroot()
    names = {element.tag.split("}")[1] for element in picture.iter()}
    assert names <= {"svg", "title", "text", "tspan", "rect", "circle", "path", "g", "style"}
    assert not [
        name for element in picture.iter() for name in element.attrib if name.startswith("on") or "href" in name
    ]
    assert any("<img src=x" in (element.text or "") for element in picture.iter())


@pytest.mark.parametrize(
    "words",
    [
        ["info", "m"],
        ["explain", "m"],
        ["eval", "m", "DATA", "--confusion", "--label=-1"],
        ["update", "m", "DATA", "-o", "m2", "--label=-1"],
        ["fit", "DATA", "-o", "m3", "--label=-1", "--inducing", "15", "--kernel", "se"],
        ["fit", "DATA", "-o", "m3", "--label", TERMINAL + "x"],
        ["fit", "DATA", "-o", "m3"],
        ["predict", "m", "strange.csv", "-o", "p.csv"],
    ],
)
def test_a_terminal_gets_no_control_characters(folder, words):
    (folder / "strange.csv").write_text(
        f'a,{TERMINAL},"{QUOTES.replace(chr(34), chr(34) * 2)}"\n1,2,3\n', encoding="utf-8"
    )
    command = [
        os.path.abspath(os.environ["INDUCE_COMMAND"]),
        *(str(table(folder)) if each == "DATA" else each for each in words),
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    shown = (done.stdout + done.stderr).decode("utf-8")
    assert "red" in shown or "<img" in shown
    assert not [each for each in shown if each != "\n" and (ord(each) < 32 or 127 <= ord(each) < 160)]
