"""Write types/api.d.ts from the server's own description of its API: python types/make.py (or make api-types).

With --check nothing is written, and the exit code says whether the file is up to date.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pentagrid.web.app import make_app
from pentagrid.web.settings import Settings

FILE = Path(__file__).parent / "api.d.ts"
HEAD = "// What the server answers. Made by `make api-types` from its OpenAPI description; do not change it here.\n"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def written(schema: dict[str, Any]) -> str:
    """A schema as a type."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(map(written, schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return " | ".join(map(json.dumps, schema.get("enum") or [schema["const"]]))
    if schema.get("type") == "array":
        item = written(schema["items"])
        return f"({item})[]" if "|" in item else f"{item}[]"
    if schema.get("type") == "object":
        return f"Record<string, {written(schema['additionalProperties'])}>"
    return PLAIN[schema["type"]]


def declared(name: str, schema: dict[str, Any]) -> list[str]:
    """A named schema as an interface."""
    required = schema.get("required", ())
    fields = [
        f"    {field}{'' if field in required else '?'}: {written(part)};"
        for field, part in schema["properties"].items()
    ]
    return [f"  interface {name} {{", *fields, "  }"]


def named(part: object, schemas: dict[str, Any]) -> set[str]:
    """The schemas that a part of the description refers to, and those that they refer to."""
    if isinstance(part, dict) and "$ref" in part:
        name = written(part)
        return {name} | named(schemas[name], schemas)
    parts = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return set().union(*(named(each, schemas) for each in parts))


def text() -> str:
    """The whole file."""
    described = make_app(Settings("sqlite:///:none:")).openapi()
    schemas = described["components"]["schemas"]
    answers = [way["responses"] for ways in described["paths"].values() for way in ways.values()]
    wanted = sorted(named(answers, schemas) & schemas.keys())
    lines = [line for name in wanted for line in declared(name, schemas[name])]
    return "\n".join([HEAD, "declare namespace Api {", *lines, "}", ""])


def main() -> int:
    if "--check" not in sys.argv:
        FILE.write_text(text(), encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != text():
        print("types/api.d.ts is not what the server sends; run make api-types.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
