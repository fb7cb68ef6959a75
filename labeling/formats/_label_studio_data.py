"""Data of Label Studio's tasks: the picture that a value names, or the text that it is."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from labeling.formats._files import PICTURES, Finder
from labeling.formats._texts import Content, Names
from labeling.formats._values import LabelError
from labeling.text_columns import TEXT_HEADS

_HASHED = re.compile(r"^[0-9a-f]{8}-")


def task_picture(data: Mapping[str, Any], finder: Finder) -> str:
    """The file of the upload that a value names; raises ``LabelError``."""
    texts = [value for value in data.values() if isinstance(value, str)]
    for value in texts:
        parts = urlsplit(value) if "://" in value or value.startswith("/") else None
        query = parse_qs(parts.query).get("d") if parts else None
        path = (query[0] if query else unquote(parts.path) if parts else value).lstrip("/")
        base = posixpath.basename(path)
        for candidate in (path, posixpath.join(posixpath.dirname(path), _HASHED.sub("", base))):
            found = finder.find(candidate)
            if len(found) == 1:
                return found[0]
            if found:
                raise LabelError("label_file_ambiguous")
    raise LabelError("label_file_missing")


def task_text(data: Mapping[str, Any]) -> str | None:
    """The text of a task; None of one with a picture."""
    if any(isinstance(value, str) and urlsplit_path(value).lower().endswith(PICTURES) for value in data.values()):
        return None
    found = [value for key, value in data.items() if key.lower() in TEXT_HEADS and isinstance(value, str)]
    return max(found, key=len, default=None)


def urlsplit_path(value: str) -> str:
    """A value without what follows a question mark, unless that names the file."""
    query = value.partition("?")[2]
    return query if query.startswith("d=") else value.partition("?")[0]


class TaskTexts:
    """The texts of tasks, with names of their own."""

    def __init__(self) -> None:
        self._names = Names()
        self._texts: list[tuple[str, bytes]] = []

    def add(self, text: str, given: object, place: str) -> str:
        """Keeps a text; returns the name that it has from now on."""
        name = self._names.name(given, place.partition(":")[0], len(self._texts))
        self._texts.append((name, text.encode("utf-8", "replace")))
        return name

    def __iter__(self) -> Iterator[Content]:
        return iter(self._texts)
