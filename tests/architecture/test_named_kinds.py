"""Whoever asks what an item is asks its kind's module: no other file of these rooms names a kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from automl.contracts.task import Modality

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("platform/studio/datasets", "labeling")
OWN = ("platform/studio/datasets/items/kinds/", "labeling/kinds/", "labeling/formats/")
"""Modules of kinds, and formats, which say in ``MEDIA`` what they hold."""
NAMED = re.compile(r"\bModality\.[A-Z]+\b|\bmodality\s+(?:is|==|!=)\s+(?!None)")


def named(text: str) -> list[str]:
    """Places of a source file that name a kind, or compare one."""
    return NAMED.findall(text)


@pytest.mark.parametrize("room", ROOMS)
def test_nobody_else_names_a_kind(room):
    files = [str(path.relative_to(ROOT)) for path in (ROOT / room).rglob("*.py")]
    assert len(files) > 50
    found = {name: places for name in files if not name.startswith(OWN) and (places := named((ROOT / name).read_text()))}
    assert not found, "give what differs to the kind's module: docs/decisions/0022-packages-of-the-data-sets.md"


@pytest.mark.parametrize("line", [f"if modality is Modality.{Modality.TEXT.name}:", "modality == 'text'"])
def test_a_named_kind_is_found(line):
    assert named(line)
