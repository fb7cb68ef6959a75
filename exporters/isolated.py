"""Runs a module where only the standard library, one folder and named packages exist.

A script for ``python -I -S``, which leaves out site-packages, the working directory and the environment's paths: torch, Django
and our own packages are not refused, they are simply not there. Arguments: the folder, a JSON object of package name to the
place it is found in, the module, and the module's own arguments.
"""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType


class NamedPackages:
    """Finds the named top-level packages and nothing else."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Finds a top-level package in its own folder; its submodules are found as usual."""
        if path is None and name in self._places:
            return PathFinder.find_spec(name, [self._places[name]], target)
        return None


def main() -> None:
    """Runs the module as ``__main__``."""
    folder, places, module, *arguments = sys.argv[1:]
    sys.path.insert(0, folder)
    sys.meta_path.append(NamedPackages(json.loads(places)))
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
