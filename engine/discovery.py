"""Finds tasks and families by listing folders: a folder with the right file in it is there, and nothing needs registering."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType


def folder_names(package: ModuleType | str, marker: str) -> tuple[str, ...]:
    """Names of the sub-packages that hold a file called ``marker``, sorted."""
    module = import_module(package) if isinstance(package, str) else package
    found = {path.parent.name for root in module.__path__ for path in Path(root).glob(f"*/{marker}")}
    return tuple(sorted(found))


def member(package: str, name: str, part: str, *, marker: str) -> ModuleType:
    """Imports ``package.name.part``.

    Raises:
        ValueError: no such folder; the message lists the known ones.
    """
    known = folder_names(package, marker)
    if name not in known:
        raise ValueError(f"{package} has no {name!r}; known: {', '.join(known)}")
    return import_module(f"{package}.{name}.{part}")
