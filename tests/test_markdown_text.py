"""Rules drawn for a terminal."""

from __future__ import annotations

import pytest

import pentagrid as pg
from pentagrid.core.rulebook import rules_of
from pentagrid.terminal.markdown_text import draw_markdown

TEXT = """# A Game

Take `R2C3`, **never** the *other*, as [the page](rules.md) and [the site](https://example.org/x) say at length.
Second line.

## Turns
1. One thing that takes more than a line of forty columns to tell.
2. Another.
   - Nested `a-b`: 2 * 3 * 4 stays.
- Last.

```
| 1 | 2 |   as it is, `even` this, however long the line may become

  # not a heading
```

After it.
"""


def test_everything_there_is():
    assert draw_markdown(TEXT, 40) == [
        "A Game",
        "══════",
        "",
        "Take R2C3, never the other, as the page",
        "and the site (https://example.org/x) say",
        "at length. Second line.",
        "",
        "Turns",
        "─────",
        "",
        "1. One thing that takes more than a line",
        "   of forty columns to tell.",
        "2. Another.",
        "   - Nested a-b: 2 * 3 * 4 stays.",
        "- Last.",
        "",
        "    | 1 | 2 |   as it is, `even` this, however long the line may become",
        "",
        "      # not a heading",
        "",
        "After it.",
    ]


def test_plain_letters_where_the_terminal_has_no_others(monkeypatch):
    monkeypatch.setattr("pentagrid.terminal.markdown_text.can_show", lambda text: False)
    assert draw_markdown("# Title\n## Part\n", 40) == ["Title", "=====", "", "Part", "----"]


def test_odd_texts():
    assert draw_markdown("", 40) == []
    assert draw_markdown("```\nnever ended", 40) == ["    never ended"]
    assert draw_markdown("word " * 20, 20)[0] == "word word word word"


@pytest.mark.parametrize("name", pg.game_names())
@pytest.mark.parametrize("width", [39, 79])
def test_the_rules_of_each_game(name, width):
    lines = draw_markdown(rules_of(name), width)
    assert all(len(line) <= width for line in lines if not line.startswith("    "))
    assert not any("`" in line or line.startswith("#") or "](" in line for line in lines)
    words = " ".join(rules_of(name).replace("`", "").replace("#", "").split())
    drawn = " ".join(" ".join(lines).replace("═", "").replace("─", "").split())
    assert drawn == words
