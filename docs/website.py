"""Build the documentation site: python docs/website.py (or make site).

The pages are copied to build/docs, those at the root of the project with them; links to files that the site does not
hold lead to the forge instead. Then the site is built, and it must load nothing from other hosts and describe every
public name.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import pentagrid

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
STAGE = ROOT / "build" / "docs"
SITE = ROOT / "site"
FORGE = "https://github.com/pentagrid/pentagrid/blob/main"

AT_THE_ROOT = {
    "README.md": "start.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
}
"""Pages at the root of the project, and what they are called on the site."""

LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")
LOADS = {"script": "src", "img": "src", "source": "src", "iframe": "src", "link": "href"}
ONLY_NAMED = {"canonical", "next", "prev", "alternate"}
"""Kinds of `<link>` that load nothing."""


def pages() -> dict[Path, str]:
    """The files of the site: where each one is kept, and where it goes."""
    kept = [*DOCS.rglob("*.md"), *DOCS.rglob("*.svg"), *DOCS.rglob("*.css"), *DOCS.rglob("*.png")]
    found = {path: path.relative_to(DOCS).as_posix() for path in kept}
    found |= {ROOT / name: new for name, new in AT_THE_ROOT.items() if (ROOT / name).exists()}
    found |= {path: path.name for path in (ROOT / "src").rglob("icon.svg")}
    return found


def with_links(text: str, source: Path, staged: dict[Path, str]) -> str:
    """A page's text with every link as the site needs it; a link that leads nowhere stays, and the build refuses it."""
    here = Path(staged[source]).parent

    def lead(link: re.Match[str]) -> str:
        target = Path(os.path.normpath(source.parent / link[1]))
        if target in staged:
            return Path(os.path.relpath(staged[target], here)).as_posix()
        return f"{FORGE}/{target.relative_to(ROOT).as_posix()}" if target.exists() else link[1]

    return LINK.sub(lead, text)


def stage() -> None:
    """Copy the pages to where the generator reads them."""
    shutil.rmtree(STAGE, ignore_errors=True)
    staged = pages()
    for source, name in staged.items():
        place = STAGE / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            place.write_text(with_links(source.read_text(encoding="utf-8"), source, staged), encoding="utf-8")
        else:
            shutil.copyfile(source, place)


def navigation() -> set[str]:
    """The pages that the navigation names."""

    def named(entry: object) -> set[str]:
        parts = entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ()
        return {entry} if isinstance(entry, str) else set().union(*map(named, parts))

    return named(tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"])


class Loaded(HTMLParser):
    """What a page loads when it is opened, and the names it describes."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if (given.get("id") or "").startswith("pentagrid."):
            self.names.add(str(given["id"]))
        if tag in LOADS and given.get("rel") not in ONLY_NAMED:
            self.addresses.append(given.get(LOADS[tag]) or "")


def check() -> list[str]:
    """What is wrong with the site that was built, in sentences."""
    there = {path.relative_to(STAGE).as_posix() for path in STAGE.rglob("*.md")}
    wrong = [f"zensical.toml names {page}, which is not there." for page in sorted(navigation() - there)]
    wrong += [f"zensical.toml leaves out {page}." for page in sorted(there - navigation())]
    names: set[str] = set()
    for path in sorted(SITE.rglob("*.html")):
        page = Loaded()
        page.feed(path.read_text(encoding="utf-8"))
        names |= page.names
        foreign = [address for address in page.addresses if re.match(r"(\w+:)?//", address)]
        wrong += [f"{path.relative_to(ROOT)} loads {address}." for address in foreign]
    for path in sorted(SITE.rglob("*.css")):
        foreign = re.findall(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')]+)", path.read_text(encoding="utf-8"))
        wrong += [f"{path.relative_to(ROOT)} loads {address}." for address in foreign]
    missing = [name for name in pentagrid.__all__ if f"pentagrid.{name}" not in names]
    wrong += [f"docs/reference does not describe pentagrid.{name}." for name in missing]
    return wrong


def main() -> int:
    stage()
    shutil.rmtree(SITE, ignore_errors=True)
    built = subprocess.run([sys.executable, "-m", "zensical", "build", "--clean", "--strict"], cwd=ROOT)
    if built.returncode:
        return built.returncode
    wrong = check()
    print("\n".join(wrong) or f"The site is in {SITE.relative_to(ROOT)}/.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
