"""The options of the command line, and those of this package that they are."""

from __future__ import annotations

import json
import re
from typing import Dict

from . import _transfeed

#: Options of the command line that are arguments of functions.
ARGUMENTS = {"from": "source", "to": "to"}
#: Options of the command line whose names are not those of the library.
NAMES = {"profile": "--for", "self_url": "--self"}
LIMITS = {"entry": "--max-entry", "head": "--max-head", "line": "--max-line"}
TREE = {
    "depth": "--max-depth",
    "attributes": "--max-attributes",
    "namespaces": "--max-namespaces",
    "text": "--max-text",
    "attribute": "--max-attribute",
}
GZIP = {"inflated": "--max-inflated", "ratio": "--max-ratio"}


def _names() -> Dict[str, str]:
    defaults = json.loads(_transfeed.default_options())
    names: Dict[str, str] = {}
    for name, value in defaults.items():
        words = name.replace("_", "-")
        flag = "--no-" + words if value is True else NAMES.get(name, "--" + words)
        names[flag] = f"{name}={not value}" if isinstance(value, bool) else name
    for within, flags in (("", LIMITS), ("tree.", TREE), ("gzip.", GZIP)):
        names.update({flag: f"limits.{within}{name}" for name, flag in flags.items()})
    return names


def in_python(message: str) -> str:
    """A message with the options of this package instead of those of the command line."""
    message = re.sub(r"(?<![\w-])--(from|to) ([a-z][a-z-]*)", lambda flag: f'{ARGUMENTS[flag[1]]}="{flag[2]}"', message)
    return re.sub(r"(?<![\w-])--[a-z][a-z-]*", lambda flag: _names().get(flag[0], flag[0]), message)
