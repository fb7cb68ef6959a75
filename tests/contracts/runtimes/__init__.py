"""Runtimes that read our graphs, one a file: ``answers(model, batches)`` gives the graph's one output for each uint8 ``_BHWC``.

A graph is loaded once for all of them: that takes longer than to answer.

Found by listing this folder; ``tests/contracts/test_runtimes.py`` asks each of them the same.
"""

from __future__ import annotations

import importlib
import pkgutil


def runtime_names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def runtime(name: str):
    return importlib.import_module(f"{__name__}.{name}")
