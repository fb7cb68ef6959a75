"""What ``make lint`` says of names that tests take from modules in which they are not."""

from __future__ import annotations

from pathlib import Path

from tests.support.imported_names import missing

_SOURCE = b"""
import engine.no_such_module
from engine.artefact.graph import OPSET, no_such_name
from engine.artefact import graph, traced as kept
from tests.support import once
from . import no_such_file
from .test_layout import no_such_test
from exporters.build import *

def test_it(monkeypatch, once):
    monkeypatch.setattr(graph, "no_such_attribute", 1)
    monkeypatch.setattr(graph, "OPSET", 1)
    kept.traced_once(kept.no_such_function, graph.torch)
    once.anything()
"""


def test_names_that_are_not_there_are_told_with_their_lines():
    found = [line.split(":", 1)[1] for line in missing(_SOURCE, Path("tests/architecture/test_any.py"))]
    assert found == [
        "2: engine.no_such_module is not there",
        "3: engine.artefact.graph.no_such_name is not there",
        "6: tests.architecture.no_such_file is not there",
        "7: tests.architecture.test_layout.no_such_test is not there",
        "11: engine.artefact.graph.no_such_attribute is not there",
        "13: engine.artefact.traced.no_such_function is not there",
    ]
