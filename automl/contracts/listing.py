"""Kinds of items and of answers are modules of a package, found by listing; nobody keeps a list of them."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any


def kind_names(package: str) -> tuple[str, ...]:
    """Names of the kinds that a package has a module or package for, sorted; ``kind`` itself holds the protocol.

    Args:
        package: its full name. Its folder is listed once in a process.
    """
    return _listed(tuple(import_module(package).__path__))


@cache
def _listed(path: tuple[str, ...]) -> tuple[str, ...]:
    names = (module.name for module in pkgutil.iter_modules(path))
    return tuple(sorted(name for name in names if not name.startswith("_") and name != "kind"))


def kind_in(package: str, name: str) -> Any:  # noqa: ANN401 - its package knows the protocol
    """What the module of a kind calls ``KIND``. Only this module is imported.

    Args:
        package: its full name.
        name: of the kind.

    Raises:
        ValueError: the package has no such kind; the message names it.
    """
    known = kind_names(package)
    if name not in known:
        raise ValueError(f"{package} has no kind {name!r}; known: {', '.join(known)}")
    return import_module(f"{package}.{name}").KIND
