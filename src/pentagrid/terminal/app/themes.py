"""Colors: which theme fits the terminal, and the colors of the two seats in it."""

from __future__ import annotations

from collections.abc import Mapping

from textual.theme import Theme

DARK, LIGHT = "textual-dark", "textual-light"
ANSI_DARK, ANSI_LIGHT = "ansi-dark", "ansi-light"
"""Themes in the terminal's own sixteen colors."""
NAMES = ("seat-one", "seat-two", "cursor-back", "last-back", "quiet", "gone", "good")
COLORS = {
    "dark": ("#5cc8ff", "#ff8fc7", "#3d5a80", "#3a3a3a", "#a0a0a0", "#949494", "#7ddb8f"),
    "light": ("#00558c", "#a3186b", "#b7d3f2", "#f7f3d7", "#555555", "#666666", "#0f6b2a"),
    "ansi": ("ansi_cyan", "ansi_magenta", "ansi_default", "ansi_default", "ansi_default", "ansi_default", "ansi_green"),
}
"""The colors of a board: seats, cursor, last move, lines and values, what is out of play, the best value."""


def board_colors(theme: Theme) -> dict[str, str]:
    """The colors that a theme does not say, by the names that styles use."""
    colors = dict(zip(NAMES, COLORS["ansi" if theme.ansi else "dark" if theme.dark else "light"], strict=True))
    if not theme.dark and not theme.ansi:
        colors["footer-key-foreground"] = colors["seat-one"]  # the usual one is too pale to read
    return colors


def is_light(environ: Mapping[str, str]) -> bool:
    """Does the terminal say that its background is light? Few do; dark is what most have."""
    background = environ.get("COLORFGBG", "").rpartition(";")[2]
    return background.isdecimal() and int(background) in (7, *range(9, 16))


def few_colors(environ: Mapping[str, str]) -> bool:
    """Has the terminal sixteen colors or fewer, or are none wanted?"""
    if "NO_COLOR" in environ:
        return True
    many = environ.get("COLORTERM", "") in ("truecolor", "24bit")
    return not many and not environ.get("TERM", "").endswith(("256color", "-direct", "kitty", "ghostty", "alacritty"))


def fitting_theme(environ: Mapping[str, str]) -> str:
    """The theme to begin with."""
    if few_colors(environ):
        return ANSI_LIGHT if is_light(environ) else ANSI_DARK
    return LIGHT if is_light(environ) else DARK


def other_side(theme: Theme) -> str:
    """The light theme for a dark one, and the other way round."""
    if theme.ansi:
        return ANSI_LIGHT if theme.dark else ANSI_DARK
    return LIGHT if theme.dark else DARK
