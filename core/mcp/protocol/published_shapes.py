#!/usr/bin/env python3
"""Makes published_shapes.tsv out of the published schemas: python3 published_shapes.py FOLDER > FILE

FOLDER holds <revision>.json. Of each definition only what a value must be is kept, in a form of our
own that published_shapes_fixture.h reads back: no text of the schemas is taken over.
"""

import json
import pathlib
import sys

FACTS = {"const": "=", "enum": "of", "minimum": "min", "maximum": "max", "maxItems": "most"}
CHOICES = {"anyOf": "any", "allOf": "all"}
KNOWN = {"type", "properties", "required", "items", "additionalProperties", "$ref", "description",
         "format", *FACTS, *CHOICES}


def shape_of(schema):
    """"string", "string|integer", "#Name", "any", or an object that says more."""
    unknown = set(schema) - KNOWN
    if unknown:
        sys.exit(f"a keyword that has no form here: {sorted(unknown)}")
    name = schema.get("$ref", "").rsplit("/", 1)[-1]
    kind = schema.get("type", "any")
    kind = "|".join(kind) if isinstance(kind, list) else kind
    shape = {FACTS[key]: schema[key] for key in FACTS if key in schema}
    for key in CHOICES:
        if key in schema:
            shape[CHOICES[key]] = [shape_of(one) for one in schema[key]]
    required = schema.get("required", [])
    members = {name: {} for name in required} | schema.get("properties", {})
    if members:
        shape["has"] = {name + ("!" if name in required else ""): shape_of(member)
                        for name, member in members.items()}
    if "items" in schema:
        shape["list"] = shape_of(schema["items"])
    rest = schema.get("additionalProperties", {})
    if rest is False:
        sys.exit("closed objects have no form here")
    if rest not in (True, {}):
        shape["rest"] = shape_of(rest)
    if name:
        return "#" + name
    if not shape:
        return kind
    if kind != "any":
        shape["is"] = kind
    return shape


def main():
    revisions = {}
    for path in sorted(pathlib.Path(sys.argv[1]).glob("????-??-??.json")):
        root = json.loads(path.read_text(encoding="utf-8"))
        for name, schema in (root.get("$defs") or root["definitions"]).items():
            text = json.dumps(shape_of(schema), sort_keys=True, separators=(",", ":"))
            revisions.setdefault((name, text), []).append(path.stem)
    for (name, text), known in sorted(revisions.items(), key=lambda row: (row[0][0], row[1])):
        print(",".join(known), name, text, sep="\t")


main()
