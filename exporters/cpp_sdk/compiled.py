"""Compiles a product's sources with the compiler of this machine, to check it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import MutableMapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from exporters.errors import ExportCheckFailedError, ToolMissingError

COMPILER = "c++"
FLAGS = ("-std=c++17", "-O1", "-pthread", "-Iinclude", "-Ithird_party/stb", "-Ithird_party/onnxruntime")
SOURCES = ("src/*.cpp", "src/*/*.cpp", "sample/*.cpp")
HEADERS = ("include/*.h*", "src/*.hpp", "third_party/*/*.h")
RUNTIME = "runtime_"
"""How files begin whose place another takes where ONNX Runtime is linked."""
NUM_UNITS = min(4, os.cpu_count() or 1)
RPATH = "-Wl,-rpath," + ("@loader_path" if sys.platform == "darwin" else "$ORIGIN")
LIBRARIES = ("libonnxruntime.so*", "libonnxruntime*.dylib", "onnxruntime.dll")
"""Names of ONNX Runtime's shared library in its Python package."""
TIMEOUT_S = 300

_made: MutableMapping[str, bytes] = {}
"""What this process has compiled, objects and whole programs, by the hash of their sources."""


def program_write(folder: Path, program: Path, *, linked: Path | None = None) -> None:
    """Writes the sample program of an unpacked product. Equal sources are compiled once a process.

    Args:
        folder: the product.
        program: the file to write.
        linked: ONNX Runtime's shared library, which the program is linked with and finds beside itself, as
            ``beside_write`` lays it; None: it is loaded when the program runs.

    Raises:
        ExportCheckFailedError: they do not compile.
    """
    headers = _hash(folder, _files(folder, HEADERS))
    keys = {unit: _hash(folder, unit, headers) for unit in _units(_files(folder, SOURCES))}
    link = [RPATH, str(linked)] if linked else []
    key = hashlib.sha256("\0".join([*keys.values(), *link]).encode()).hexdigest()
    if key not in _made:
        with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as compilers:
            objects = [Path(scratch) / f"{number}.o" for number in range(len(keys))]
            for done in [compilers.submit(_compile, folder, *each) for each in zip(keys, keys.values(), objects, strict=True)]:
                done.result()
            _run([COMPILER, *FLAGS, *map(str, objects), *link, "-o", str(program), "-ldl"], folder)
        _made[key] = program.read_bytes()
    program.write_bytes(_made[key])
    program.chmod(0o700)


def _units(sources: list[Path]) -> list[tuple[Path, ...]]:
    """The sources in groups, each of which is compiled as one: most of the time of each alone goes into the same headers."""
    alone = [path for path in sources if path.parts[0] != "src" or path.name.startswith(RUNTIME)]
    together = [path for path in sources if path not in alone]
    parts = [tuple(together[first::NUM_UNITS]) for first in range(NUM_UNITS)]
    return [*((path,) for path in alone), *(part for part in parts if part)]


def _compile(folder: Path, unit: tuple[Path, ...], key: str, place: Path) -> None:
    if key in _made:
        place.write_bytes(_made[key])
    else:
        includes = "".join(f'#include "{path.as_posix()}"\n' for path in unit)
        _run([COMPILER, *FLAGS, "-c", "-x", "c++", "-", "-o", str(place)], folder, includes)
        _made[key] = place.read_bytes()


def _run(command: list[str], folder: Path, given: str = "") -> None:
    try:
        done = subprocess.run(command, cwd=folder, input=given, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise ExportCheckFailedError(f"the sources did not compile within {TIMEOUT_S} s") from error
    if done.returncode:
        raise ExportCheckFailedError(f"the sources do not compile: {done.stderr.strip()[-2000:]}")


def _hash(folder: Path, files: Sequence[Path], beside: str = "") -> str:
    known = hashlib.sha256(beside.encode())
    for path in files:
        known.update(path.as_posix().encode() + b"\0" + (folder / path).read_bytes() + b"\0")
    return known.hexdigest()


def library_path() -> Path:
    """ONNX Runtime's shared library, out of its Python package.

    Raises:
        ToolMissingError: there is none.
    """
    spec = find_spec("onnxruntime")
    if spec is not None and spec.origin is not None:
        for pattern in LIBRARIES:
            for path in sorted((Path(spec.origin).parent / "capi").glob(pattern)):
                return path
    raise ToolMissingError("the package onnxruntime is not installed, so the product cannot be checked")


def beside_write(library: Path, folder: Path) -> None:
    """Lays ONNX Runtime's shared library into a folder under the names by which a program may look for it."""
    for name in {library.name, ".".join(library.name.split(".")[:3])}:
        (folder / name).symlink_to(library)


def _files(folder: Path, patterns: tuple[str, ...]) -> list[Path]:
    return sorted(path.relative_to(folder) for pattern in patterns for path in folder.glob(pattern))
