"""Rows at their smallest, one forked process each, from one that has imported what takes long: ``python -m benchmarks._smoke``.

It reads a JSON object a line (``name``, ``environment``) and answers with one (``status``, ``output``, ``stderr``, ``cpu_s``).
It computes nothing itself: a forked copy of a thread pool is dead.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Self, TextIO

from benchmarks.harness import ROOT, Size
from engine.forkserver import backends_read, preload, translations_read

LIMIT_S = 300
PRELOADED = ("cv2", "pyarrow.parquet", "httpx", "psycopg", "sklearn.datasets", "sklearn.linear_model")
"""Besides what jobs of the engine do."""
_NO_ROWS = {"__init__", "__main__", "harness"}


def row_names() -> list[str]:
    """Every script of the folder."""
    found = (path.stem for path in Path(__file__).parent.glob("*.py"))
    return sorted(name for name in found if not name.startswith("_") and name not in _NO_ROWS)


def on_platform(name: str) -> bool:
    """Whether the row asks for a running platform or its database, which several can share."""
    return "from benchmarks._platform import" in (source := (ROOT / "benchmarks" / f"{name}.py").read_text()) or (
        "from benchmarks._served_project import" in source
    )


@dataclass(frozen=True)
class Ran:
    """How a row ended."""

    status: int
    output: str
    stderr: str
    """Standard error."""
    cpu_s: float
    """Of its processes that have ended."""


class Smoke:
    """The process that forks the rows, from entering to leaving."""

    def __enter__(self) -> Self:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks._smoke"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, name: str, environment: Mapping[str, str] | None = None) -> Ran:
        """Runs a row and waits for its end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"name": name, "environment": dict(environment or {})}) + "\n")
        return Ran(**json.loads(self._process.stdout.readline()))


def main() -> None:
    """Serves until standard input ends."""
    preload()
    translations_read()
    backends_read()
    for module in PRELOADED:
        import_module(module)
    gc.freeze()  # a collection in a child would copy every page that is shared
    for line in sys.stdin:
        request = json.loads(line)
        with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as stderr:
            child = os.fork()
            if child == 0:
                _row(request["name"], request["environment"], output, stderr)
            _, status, used = os.wait4(child, 0)
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)  # what it left running
            texts = [(file.seek(0), file.read())[1] for file in (output, stderr)]
        cpu_s = round(used.ru_utime + used.ru_stime, 2)
        answer = {"status": os.waitstatus_to_exitcode(status), "output": texts[0], "stderr": texts[1], "cpu_s": cpu_s}
        print(json.dumps(answer), flush=True)


def _row(name: str, environment: Mapping[str, str], output: TextIO, stderr: TextIO) -> None:
    """Becomes the row's process; never returns."""
    os.setsid()
    faulthandler.dump_traceback_later(LIMIT_S, exit=True, file=stderr)
    with open(os.devnull) as nothing:
        for number, file in enumerate((nothing, output, stderr)):
            os.dup2(file.fileno(), number)
    os.environ.update(environment)
    sys.argv = [f"benchmarks.{name}", f"--{Size.SMOKE}"]
    status: int | str | None = 0
    try:
        runpy.run_module(f"benchmarks.{name}", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        status = end.code
    except BaseException:  # noqa: BLE001 - the edge of the process
        sys.excepthook(*sys.exc_info())
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else int(status is not None))


if __name__ == "__main__":
    main()
