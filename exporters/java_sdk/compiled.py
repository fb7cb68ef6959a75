"""Compiles a product's sources with the JDK of this machine, and runs them on the JVM to check it.

No registry has Microsoft's library that joins ONNX Runtime to Java on computers, so ``jni/bridge.cpp`` stands in for it: the
classes of ONNX Runtime's Java API are its own, and what they call is the shared library of its Python package.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from exporters.bundle import FIRST_ZIP_TIME
from exporters.cpp_sdk.compiled import COMPILER, library_path
from exporters.errors import ExportCheckFailedError, ToolMissingError

HERE = Path(__file__).parent
TOOLS = ("javac", "java", COMPILER)
RUNTIME_CLASSES = HERE / "third_party" / "onnxruntime" / "classes.jar"
"""ONNX Runtime's Java API 1.29, out of its package for Android. Never shipped."""
HEADERS = HERE.parent / "cpp_sdk" / "template" / "third_party" / "onnxruntime"
JAR = Path("libs") / "modelyard.jar"
RUNTIME_JAR = "onnxruntime.jar"
"""What the jar's manifest asks for beside it."""
MODULES = ("core", "desktop")
RELEASE = "8"
JVM = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx1g")
"""Short runs take less time with these."""
SHORT_RUN = tuple(f"-J{flag}" for flag in JVM)
FLAGS = ("--release", RELEASE, "-encoding", "UTF-8", "-Xlint:all,-options", "-Werror", "-g:source,lines", *SHORT_RUN)
MANIFEST = (
    "Manifest-Version: 1.0\r\n"
    f"Class-Path: {RUNTIME_JAR}\r\n"
    "Main-Class: io.modelyard.desktop.Main\r\n"
    "Enable-Native-Access: ALL-UNNAMED\r\n"
    "Automatic-Module-Name: io.modelyard\r\n\r\n"
)
TIMEOUT_S = 300

_made: dict[str, bytes] = {}
"""What this process has compiled, by the hash of its sources."""


def jar_write(folder: Path) -> None:
    """Writes the compiled library into an assembled product. Equal sources are compiled once a process and give equal bytes.

    Args:
        folder: the product.

    Raises:
        ExportCheckFailedError: they do not compile.
    """
    main = [folder / module / "src" / "main" for module in MODULES]
    sources = sorted(path for place in main for path in (place / "java").rglob("*.java"))
    resources = {path.relative_to(place / "resources"): path for place in main for path in _files(place / "resources")}
    (folder / JAR).parent.mkdir(exist_ok=True)
    (folder / JAR).write_bytes(_once([*sources, *resources.values()], lambda: _jar(sources, resources)))


def command(folder: Path, place: Path, arguments: Sequence[str]) -> list[str]:
    """How the sample program of a product is run on this machine.

    Args:
        folder: the product; ONNX Runtime's classes are laid beside its jar, as its user does.
        place: a folder for libraries.
        arguments: of the program.

    Raises:
        ToolMissingError: ONNX Runtime, or a part of the JDK, is not installed.
        ExportCheckFailedError: the bridge does not compile.
    """
    shutil.copyfile(RUNTIME_CLASSES, folder / JAR.parent / RUNTIME_JAR)
    return ["java", *JVM, f"-Donnxruntime.native.path={libraries_write(place)}", "-jar", str(folder / JAR), *arguments]


def libraries_write(place: Path) -> Path:
    """Lays what the Java API loads into a folder: ONNX Runtime's shared library, and the bridge to it.

    Raises:
        ToolMissingError: ONNX Runtime, or a part of the JDK, is not installed.
        ExportCheckFailedError: the bridge does not compile.
    """
    place.mkdir(parents=True, exist_ok=True)
    suffix = ".dylib" if sys.platform == "darwin" else ".so"
    library = place / f"libonnxruntime{suffix}"
    if not library.exists():
        library.symlink_to(library_path())
    source = HERE / "jni" / "bridge.cpp"
    (place / f"libonnxruntime4j_jni{suffix}").write_bytes(_once([source], lambda: _bridge(source)))
    return place


def _jar(sources: Sequence[Path], resources: dict[Path, Path]) -> bytes:
    with tempfile.TemporaryDirectory() as scratch:
        classes, jar = Path(scratch) / "classes", Path(scratch) / "out.jar"
        _compile(["javac", *FLAGS, "-cp", str(RUNTIME_CLASSES), "-d", str(classes), *map(str, sources)])
        entries = {path.relative_to(classes): path for path in _files(classes)} | resources
        with zipfile.ZipFile(jar, "w", zipfile.ZIP_DEFLATED) as packed:
            _add(packed, "META-INF/MANIFEST.MF", MANIFEST.encode())
            for name, path in sorted(entries.items()):
                _add(packed, name.as_posix(), path.read_bytes())
        return jar.read_bytes()


def _add(packed: zipfile.ZipFile, name: str, content: bytes) -> None:
    packed.writestr(zipfile.ZipInfo(name, FIRST_ZIP_TIME), content, zipfile.ZIP_DEFLATED)


def _bridge(source: Path) -> bytes:
    compiler = shutil.which("javac")
    include = Path(compiler).resolve().parents[1] / "include" if compiler else Path()
    system = next(include.glob("*/jni_md.h"), None)
    if not (include / "jni.h").exists() or system is None:
        raise ToolMissingError(f"{include / 'jni.h'}, a part of the JDK, is not installed")
    with tempfile.TemporaryDirectory() as scratch:
        library = Path(scratch) / "library"
        includes = [f"-I{each}" for each in (include, system.parent, HEADERS)]
        flags = ["-std=c++17", "-O1", "-fPIC", "-shared", *includes]
        _compile([COMPILER, *flags, str(source), "-o", str(library), "-ldl"])
        return library.read_bytes()


def _compile(line: Sequence[str]) -> None:
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise ExportCheckFailedError(f"the sources did not compile within {TIMEOUT_S} s") from error
    if done.returncode:
        raise ExportCheckFailedError(f"the sources do not compile: {(done.stdout + done.stderr).strip()[-2000:]}")


def _once(sources: Sequence[Path], make: Callable[[], bytes]) -> bytes:
    known = hashlib.sha256()
    for path in sources:
        known.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    key = known.hexdigest()
    if key not in _made:
        _made[key] = make()
    return _made[key]


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
