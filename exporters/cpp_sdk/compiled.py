"""Compiles a product's sources with the compiler of this machine, to check it."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import MutableMapping
from importlib.util import find_spec
from pathlib import Path

from exporters.errors import ExportCheckFailedError, ToolMissingError

COMPILER = "c++"
FLAGS = ("-std=c++17", "-O1", "-pthread", "-Iinclude", "-Ithird_party/stb", "-Ithird_party/onnxruntime")
SOURCES = ("src/*.cpp", "src/*/*.cpp", "sample/*.cpp")
HEADERS = ("include/*", "src/*.hpp", "third_party/*/*.h")
LIBRARIES = ("libonnxruntime.so*", "libonnxruntime*.dylib", "onnxruntime.dll")
"""Names of ONNX Runtime's shared library in its Python package."""
TIMEOUT_S = 300

_made: MutableMapping[str, bytes] = {}
"""Programs that this process has compiled, by the hash of their sources."""


def program_write(folder: Path, program: Path) -> None:
    """Writes the sample program of an unpacked product. Equal sources are compiled once a process.

    Args:
        folder: the product.
        program: the file to write.

    Raises:
        ExportCheckFailedError: they do not compile.
    """
    sources = _files(folder, SOURCES)
    known = hashlib.sha256()
    for path in [*sources, *_files(folder, HEADERS)]:
        known.update(path.as_posix().encode() + b"\0" + (folder / path).read_bytes() + b"\0")
    key = known.hexdigest()
    if key not in _made:
        command = [COMPILER, *FLAGS, *map(str, sources), "-o", str(program), "-ldl"]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired as error:
            raise ExportCheckFailedError(f"the sources did not compile within {TIMEOUT_S} s") from error
        if done.returncode:
            raise ExportCheckFailedError(f"the sources do not compile: {done.stderr.strip()[-2000:]}")
        _made[key] = program.read_bytes()
    program.write_bytes(_made[key])
    program.chmod(0o700)


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


def _files(folder: Path, patterns: tuple[str, ...]) -> list[Path]:
    return sorted(path.relative_to(folder) for pattern in patterns for path in folder.glob(pattern))
