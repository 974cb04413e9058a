"""Markdown drawn as text for a terminal: headings underlined, paragraphs and lists wrapped at words.

It knows what the rules of games use: headings, paragraphs, nested lists, code and quotes. Anything else stays as it
is. A package for Markdown would weigh more than all of the terminal's own code.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from pentagrid.terminal.output import can_show

ITEM = re.compile(r"( *)([-*+]|\d+[.)]) +")
LINES = ("═", "─"), ("=", "-")
"""What underlines the title and the other headings, where the terminal can show it and where not."""


def draw_markdown(text: str, width: int) -> list[str]:
    """A text in Markdown as lines that are no wider, but for what stands in code blocks."""
    lines: list[str] = []
    in_list = False
    for block in _blocks(text):
        is_item = ITEM.match(block[0]) is not None
        lines += [] if not lines or (is_item and in_list) else [""]
        lines += _drawn(block, width)
        in_list = is_item
    return lines


def _blocks(text: str) -> Iterator[list[str]]:
    """The lines of a heading, a paragraph, an item of a list or a code block."""
    block: list[str] = []
    fenced = False
    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        begins = not fenced and (fence or not line.strip() or line.startswith("#") or ITEM.match(line))
        ends = fenced and fence
        if begins and block:
            yield block
            block = []
        if fenced or line.strip():
            block.append(line)
        fenced ^= fence
        if ends or (line.startswith("#") and not fenced):
            yield block
            block = []
    if block:
        yield block


def _drawn(block: list[str], width: int) -> list[str]:
    first = block[0]
    if first.lstrip().startswith("```"):
        return [f"    {line}".rstrip() for line in block[1:] if not line.lstrip().startswith("```")]
    if first.startswith("#"):
        level = len(first) - len(first.lstrip("#"))
        title = _inline(first.strip("# "))
        strong, light = LINES[0] if can_show("".join(LINES[0])) else LINES[1]
        return [*_wrapped(title, width), (strong if level == 1 else light) * min(len(title), width)]
    item = ITEM.match(first)
    head = item[0] if item else ""
    body = " ".join(line.strip() for line in [first[len(head) :], *block[1:]])
    return _wrapped(_inline(body), width, head, " " * len(head))


def _inline(text: str) -> str:
    """A piece of text without the signs of Markdown; the address of a link stays where it leads to a host."""
    text = re.sub(r"\[([^\]]+)\]\((https?://[^)\s]+)\)", r"\1 (\2)", text)
    text = re.sub(r"\[([^\]]+)\]\([^)\s]+\)", r"\1", text)
    pieces = re.split(r"`([^`]+)`", text)
    for i in range(0, len(pieces), 2):
        pieces[i] = re.sub(r"(\*\*|__|\*)(?=\S)(.+?)(?<=\S)\1", r"\2", pieces[i])
    return "".join(pieces)


def _wrapped(text: str, width: int, head: str = "", indent: str = "") -> list[str]:
    return textwrap.wrap(
        text, width, initial_indent=head, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )
