"""Finds tasks and families by listing folders: a folder with the right file in it is there, and nothing needs registering."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from automl.contracts.listing import UnknownNameError


def folder_names(package: ModuleType | str, marker: str) -> tuple[str, ...]:
    """Names of the sub-packages that hold a file called ``marker``, sorted. A folder is listed once in a process."""
    module = import_module(package) if isinstance(package, str) else package
    return _listed(tuple(module.__path__), marker)


@cache
def _listed(roots: tuple[str, ...], marker: str) -> tuple[str, ...]:
    return tuple(sorted({path.parent.name for root in roots for path in Path(root).glob(f"*/{marker}")}))


def member(package: str, name: str, part: str, *, marker: str) -> ModuleType:
    """Imports ``package.name.part``.

    Raises:
        UnknownNameError: no such folder; the message lists the known ones.
    """
    known = folder_names(package, marker)
    if name not in known:
        raise UnknownNameError(package, name, known)
    return import_module(f"{package}.{name}.{part}")
