"""Hooks of MkDocs: pages from the root of the repository, and links that code hosts follow but a site does not."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
PROJECT = {
    f"{name}.md": f"project/{name.lower()}.md" for name in ("CHANGELOG", "CONTRIBUTING", "HACKING", "SECURITY")
}
FILES = ("docs/records", "docs/README.md")  # of docs, but not pages
SOURCES = {page: source for source, page in PROJECT.items()}
LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
MARK = re.compile(r"^<!-- not run: (.*) -->$")


def on_files(files: Files, config: Any) -> Files:
    for source, page in PROJECT.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text()))
    if not config.repo_url:
        wanted = {copy for file in files.documentation_pages() for copy in _copies(file)}
        for path in sorted(wanted):
            files.append(File.generated(config, _copy_of(path), content=_text_of(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    uri = page.file.src_uri

    def target(match: re.Match[str]) -> str:
        return _target(match.group(), uri, config.repo_url)

    lines: list[str] = []
    in_code = False
    for line in markdown.splitlines():
        in_code ^= line.lstrip().startswith("```")
        if not in_code:
            line = MARK.sub(r"*Not run by the tests: \1.*\n", LINK.sub(target, line))
            if lines and _starts_block(line, lines[-1]):
                lines.append("")  # Python-Markdown needs it, code hosts do not
        lines.append(line)
    return "\n".join(lines)


def _starts_block(line: str, before: str) -> bool:
    """Whether a list or a table starts after a line of text."""
    for start in (r"\s*(?:- |\d+\. )", r"\|"):
        if re.match(start, line) and before.strip() and not re.match(start, before) and not before.startswith("  "):
            return True
    return False


def _place(link: str, uri: str) -> tuple[str, str] | None:
    """The path in the repository and the anchor of a link; None for links to elsewhere and within the page."""
    if re.match(r"\w+:|#", link):
        return None
    path, _, anchor = link.partition("#")
    source = SOURCES.get(uri, f"docs/{uri}")
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), path)), anchor


def _target(link: str, uri: str, repository: str | None) -> str:
    place = _place(link, uri)
    if place is None:
        return link
    path, anchor = place
    if not (ROOT / path).exists():
        raise PluginError(f"{uri}: {link} does not exist")
    if path.startswith(FILES):
        page = None
    elif path.startswith("docs/"):
        page = path.removeprefix("docs/")
    else:
        page = PROJECT.get(path) or ("index.md" if path == "README.md" else None)
    if page is None:
        if repository:
            return f"{repository.rstrip('/')}/blob/main/{path}"
        page = _copy_of(path)
    return posixpath.relpath(page, posixpath.dirname(uri) or ".") + (f"#{anchor}" if anchor else "")


def _copies(file: File) -> set[str]:
    """Files of the repository that a page links to and that are not pages themselves."""
    places = [_place(link, file.src_uri) for link in LINK.findall(file.content_string)]
    paths = {place[0] for place in places if place}
    known = {*PROJECT, "README.md"}
    return {path for path in paths if path not in known and (path.startswith(FILES) or path[:5] != "docs/")}


def _copy_of(path: str) -> str:
    return f"repository/{path}" if path.endswith(".ipynb") else f"repository/{path}.txt"  # browsers show text


def _text_of(path: Path) -> str:
    if path.is_dir():
        return "".join(f"{each.name}\n" for each in sorted(path.iterdir()))
    if not path.exists():
        raise PluginError(f"a page links to {path.relative_to(ROOT)}, which does not exist")
    return path.read_text()
