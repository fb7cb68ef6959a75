"""Builds the C++ product for other systems and runs it here: their compilers are Debian's, and so is what runs them."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from automl.contracts.target import CheckResult
from tests.exporters.cpp_library import TOGETHER, assembled, cmake_build, json_of, needed
from tests.support.once import made_once

RUNTIME = "onnxruntime==1.23.2"
"""The newest that QEMU 7.2 and Wine 8.0 run; the processors themselves are not so particular."""


@dataclass(frozen=True)
class System:
    """Where a product is to run."""

    name: str
    title: str
    compiler: tuple[str, str]
    """The program and its Debian package."""
    settings: tuple[str, ...]
    """Of CMake."""
    runner: tuple[str, str]
    arguments: tuple[str, ...]
    """Of the runner, before the program."""
    program: str
    platforms: tuple[str, ...]
    """Tags of wheels that hold ONNX Runtime's shared library."""
    library: str

    def tools(self) -> tuple[str, ...]:
        """Versions of the compiler and of what runs the program."""
        programs = (needed(*self.compiler), needed(*self.runner))
        versions = [subprocess.run([path, "--version"], capture_output=True, text=True, check=True) for path in programs]
        return tuple(done.stdout.splitlines()[0].strip() for done in versions)


LINUX_ARM64 = System(
    name="linux-arm64",
    title="Linux arm64",
    compiler=("aarch64-linux-gnu-g++", "g++-aarch64-linux-gnu"),
    settings=("-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64", "-DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++"),
    runner=("qemu-aarch64-static", "qemu-user-static"),
    arguments=("-L", "/usr/aarch64-linux-gnu"),
    program="modelyard-sample",
    platforms=("manylinux_2_28_aarch64", "manylinux_2_27_aarch64", "manylinux2014_aarch64"),
    library="libonnxruntime.so*",
)
WINDOWS_X64 = System(
    name="windows-x64",
    title="Windows x64",
    compiler=("x86_64-w64-mingw32-g++-posix", "g++-mingw-w64-x86-64-posix"),
    settings=(
        "-DCMAKE_SYSTEM_NAME=Windows",
        "-DCMAKE_CXX_COMPILER=x86_64-w64-mingw32-g++-posix",
        "-DCMAKE_EXE_LINKER_FLAGS=-static",
        *TOGETHER,
    ),
    runner=("/usr/lib/wine/wine64", "wine64"),
    arguments=(),
    program="modelyard-sample.exe",
    platforms=("win_amd64",),
    library="onnxruntime.dll",
)
SYSTEMS = (LINUX_ARM64, WINDOWS_X64)


def selftests_on(system: System, artefact_dirs: Sequence[Path], folder: Path) -> list[CheckResult]:
    """Builds the product for a system once and replays the golden samples of several artefacts there."""
    needed(*system.compiler)
    runner = needed(*system.runner)
    source = assembled(artefact_dirs[0], folder)
    cmake_build(source, folder / "build", *system.settings, "-DCMAKE_CXX_FLAGS_RELEASE=-O1")
    command = [runner, *system.arguments, str(folder / "build" / system.program)]
    arguments = ["--library", str(_library(system)), "--selftest"]
    environment = os.environ | {"WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all"}
    return [
        CheckResult.model_validate(json_of([*command, str(artefact_dir), *arguments], env=environment))
        for artefact_dir in artefact_dirs
    ]


def _library(system: System) -> Path:
    def fetch(folder: Path) -> None:
        platforms = [part for platform in system.platforms for part in ("--platform", platform)]
        options = ["--no-deps", "--only-binary=:all:", "--python-version", "3.11", *platforms, "--dest", str(folder), RUNTIME]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", *options]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, f"ONNX Runtime for {system.title} could not be fetched: {done.stderr[-2000:]}"
        (wheel,) = folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(folder)

    (found,) = (made_once(f"onnxruntime-{system.name}", fetch) / "onnxruntime" / "capi").glob(system.library)
    return found
