"""Colors: which theme fits the terminal, and the colors of the two seats in it."""

from __future__ import annotations

from collections.abc import Mapping

from textual.theme import Theme

DARK, LIGHT = "textual-dark", "textual-light"
ANSI_DARK, ANSI_LIGHT = "ansi-dark", "ansi-light"
"""Themes in the terminal's own sixteen colors."""
SEATS = {
    "dark": {"seat-one": "#5cc8ff", "seat-two": "#ff8fc7", "cursor-back": "#3d5a80"},
    "light": {"seat-one": "#00558c", "seat-two": "#a3186b", "cursor-back": "#b7d3f2"},
    "ansi": {"seat-one": "ansi_cyan", "seat-two": "ansi_magenta", "cursor-back": "ansi_blue"},
}


def seat_colors(theme: Theme) -> Mapping[str, str]:
    """The colors that a theme does not say."""
    return SEATS["ansi" if theme.ansi else "dark" if theme.dark else "light"]


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
