"""Small helpers of the tests of the pages: the sizes of windows, and games made without a form."""

from __future__ import annotations

SIZES = {
    "desktop": {"width": 1280, "height": 800},
    "laptop": {"width": 1024, "height": 768},
    "phone": {"width": 360, "height": 740},
    "landscape": {"width": 740, "height": 360},
}
CREATE = """body => fetch("/api/games", { method: "POST", headers: { "content-type": "application/json" },
  body: JSON.stringify(body) }).then((answer) => answer.json())"""
PEOPLE = [{"kind": "human", "name": "Ann"}, {"kind": "human", "name": "Bob"}]


def create(page, **body):
    page.goto("/api")
    return page.evaluate(CREATE, body)


def shown_whole(page, selector):
    """Is an element in the window without scrolling?"""
    box, size = page.locator(selector).first.bounding_box(), page.viewport_size
    inside = box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= size["width"] + 1
    return inside and box["y"] + box["height"] <= size["height"] + 1
