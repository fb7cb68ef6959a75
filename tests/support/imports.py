"""What modules import with them, found in a process that has imported nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache

from tests.support.platform_process import ROOT

_PROGRAM = """
import importlib, json, sys
modules, heavy = json.loads(sys.argv[1])
found, seen = {}, set()
for name in modules:
    importlib.import_module(name)
    found[name] = sorted((set(heavy) & set(sys.modules)) - seen)
    seen.update(found[name])
print(json.dumps(found))
"""


@cache
def heavy_imports(modules: tuple[str, ...], heavy: tuple[str, ...]) -> dict[str, list[str]]:
    """Of one process that imports the modules one after the other: those of the heavy ones that each was the first to import.

    Args:
        modules: by their full names.
        heavy: names of modules that take long to import.
    """
    command = [sys.executable, "-c", _PROGRAM, json.dumps([modules, heavy])]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found
