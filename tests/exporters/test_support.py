"""The matrix of what products ran on says what was measured, in both languages."""

from __future__ import annotations

import re
from datetime import date

import pytest

from exporters.build import target_find, target_names
from tests.exporters import support
from tests.exporters.cpp_library import LANGUAGES
from tests.exporters.foreign import SYSTEMS
from tests.exporters.swift_sources import sources_of


def test_matrix_holds_known_targets_with_what_they_read():
    entries = support.read()
    assert len({(entry.target, entry.system, entry.language) for entry in entries}) == len(entries)
    assert {entry.target for entry in entries} <= set(target_names())
    for entry in entries:
        assert set(entry.items) <= target_find(entry.target).spec.items
        assert set(entry.answers) <= target_find(entry.target).spec.accepts
        assert entry.level in ({support.CORE_RAN} if sources_of(entry.target) else {support.RAN, support.COMPUTED})
        assert re.search(r"(onnxruntime(-\w+)?|openvino|MNN|ncnn|executorch|coremltools|litert|torch) \d", entry.environment)
        assert date.fromisoformat(entry.date).year >= 2026
    assert {entry.language for entry in entries} == {"", *(language.title for language in LANGUAGES)}
    systems = {entry.system for entry in entries if entry.target == "cpp_sdk"}
    assert systems >= {system.title for system in SYSTEMS}


@pytest.mark.parametrize("language", support.PAGES)
def test_pages_are_those_of_the_matrix(language):
    written = support.PAGES[language].read_text(encoding="utf-8")
    assert written == support.page(support.read(), language), "run python -m tests.exporters.support"
