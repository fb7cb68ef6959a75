"""The library for Java, called from Python through a small program that is compiled against its jar."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

from automl.contracts.task import OutputKind
from exporters.bundle import artefact_copy
from exporters.java_sdk.compiled import JAR, JVM, RUNTIME_CLASSES, SHORT_RUN, libraries_write
from exporters.java_sdk.target import _assemble
from runtime.predictor import Predictor
from tests.exporters.artefact_factory import artefact_write, cover
from tests.exporters.difficult_texts import words_artefact_write
from tests.exporters.javascript_items import KINDS
from tests.support.once import made_once

ARTEFACTS = {**KINDS, "quads": partial(artefact_write, output=OutputKind.QUADS), "words": words_artefact_write}
"""What is read and answered here: what makes an artefact, by the kind of its answers or items."""
PROGRAM = Path(__file__).parent / "java" / "Ask.java"


def needed(program: str, package: str) -> str:
    """Where a program is; the test fails where it is not."""
    found = shutil.which(program)
    assert found, f"{program} is not installed: `apt-get install {package}`, then run the tests again."
    return found


def assembled(artefact_dir: Path, place: Path) -> Path:
    """The folder that the product of an artefact is packed from. That the product is checked is tested with all targets."""
    place.mkdir(parents=True, exist_ok=True)
    folder = place / "birds-java"
    _assemble(artefact_dir, folder)
    return folder


def compiled(sources: list[Path], classes: Path, jar: Path) -> None:
    """Compiles programs that use the library; every warning is an error."""
    strict = ("-encoding", "UTF-8", "-Xlint:all,-path", "-Werror", *SHORT_RUN)
    command = ["javac", *strict, "-cp", str(jar), "-d", str(classes), *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def library_built() -> Path:
    """A folder with the jar, what it runs on and the program that calls it, made once for all processes of a run."""
    needed("javac", "openjdk-17-jdk-headless")

    def make(folder: Path) -> None:
        product = assembled(artefact_write(folder / "artefact"), folder)
        shutil.copyfile(product / JAR, folder / "modelyard.jar")
        compiled([PROGRAM], folder / "classes", folder / "modelyard.jar")
        libraries_write(folder / "libraries")

    return made_once("java-sdk", make)


def artefact_of(kind: str) -> Path:
    """An artefact of ``ARTEFACTS`` as products have it, made once for all processes of a run."""

    def make(folder: Path) -> None:
        made = ARTEFACTS[kind](folder / "made")
        if kind in KINDS:
            cover(made)
        artefact_copy(made, folder / "artefact")

    return made_once(f"java-{kind}", make) / "artefact"


def predictor_of(artefact: Path) -> Predictor:
    """The runtime with an artefact."""
    predictor = Predictor()
    predictor.setup(artefact)
    return predictor


def ask(*calls: tuple[Any, ...]) -> list[Any]:
    """What comes of each call; of one that fails its code, message and facts. The program must not fail otherwise."""
    folder = library_built()
    path = os.pathsep.join(map(str, (folder / "classes", folder / "modelyard.jar", RUNTIME_CLASSES)))
    command = ["java", *JVM, f"-Donnxruntime.native.path={folder / 'libraries'}", "-cp", path, "io.modelyard.Ask"]
    done = subprocess.run(command, input=json.dumps(calls, default=str).encode(), capture_output=True, timeout=240)
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    results: list[Any] = json.loads(done.stdout)
    assert len(results) == len(calls)
    return results


def packed(data: bytes, **sizes: int) -> dict[str, Any]:
    """Bytes as the program takes them."""
    return {"base64": base64.b64encode(data).decode(), **sizes}
