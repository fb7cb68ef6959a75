"""Why files did not become items, and notes on files that did: codes, with their words where they are given.

They stand in the words of the folder that gives them, among the data sets and the label formats: ``reason.<code>`` refuses a
file, ``note.<code>`` is a note on one that was taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from django.conf import settings

from automl.contracts.base import Text
from automl.contracts.words import FOLDER, Words


def _sentences(prefix: str) -> dict[str, Text]:
    """The sentences of all folders below a prefix, by code."""
    packages = [Path(__file__).parent.parent, *map(Path, import_module(settings.LABEL_FORMATS).__path__)]
    folders = [Words(str(place.with_name("__init__.py"))) for package in packages for place in sorted(package.rglob(FOLDER))]
    return {code: folder(f"{prefix}.{code}") for folder in folders for code in folder.below(prefix)}


_NOTES = _sentences("note")
NOTES = frozenset(_NOTES)
"""Codes of notes on a file that was taken."""
REASONS: Mapping[str, Text] = _sentences("reason") | _NOTES
"""Every code that a ``Reject`` row may carry."""
