"""Finds the modules of a folder by their names: a new one needs no entry anywhere."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Collection, Iterable
from typing import Any


def modules_in(path: Iterable[str]) -> tuple[str, ...]:
    """Names of the modules and packages of a package, sorted; those that begin with ``_``, and ``kind``, are left out.

    Args:
        path: the package's ``__path__``.
    """
    names = (module.name for module in pkgutil.iter_modules(path))
    return tuple(sorted(name for name in names if not name.startswith("_") and name != "kind"))


class UnknownKindError(ValueError):
    """This runtime has no kind of that name; ``name`` and ``known`` say which it was asked for and which it has."""

    def __init__(self, of: str, name: object, known: Collection[str]) -> None:
        self.name, self.known = str(name), tuple(known)
        super().__init__(f"this runtime knows no kind of {of} called {name!r}, only {', '.join(known)}")


def kind_of(package: str, known: Collection[str], name: object, *, of: str) -> Any:  # noqa: ANN401 - its package knows the type
    """What a module calls ``KIND``. Only the module that is asked for is imported.

    Args:
        package: name of the package.
        known: names of its modules.
        name: of the module.
        of: what the kinds are of, for the error.

    Raises:
        UnknownKindError: there is none of that name.
    """
    if name not in known:
        raise UnknownKindError(of, name, known)
    return importlib.import_module(f"{package}.{name}").KIND
