"""Kinds of items and of answers are modules of a package, found by listing its folder."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Any


class UnknownNameError(ValueError):
    """A package has no module of that name, e.g. for a task that a later release stored.

    ``place`` is the package, ``name`` what it was asked for, ``known`` the names that it has.
    """

    def __init__(self, place: str, name: object, known: Iterable[str]) -> None:
        self.place, self.name, self.known = place, str(name), tuple(known)
        super().__init__(f"{place} has no {name!r}; known: {', '.join(self.known)}")


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
        UnknownNameError: the package has no such kind.
    """
    known = kind_names(package)
    if name not in known:
        raise UnknownNameError(package, name, known)
    return import_module(f"{package}.{name}").KIND
