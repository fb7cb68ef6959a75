"""An archive with a C and C++ library, its sources and the model: CMake builds it for computers and devices."""

from __future__ import annotations

import shutil
import tarfile
import tempfile
import time
from pathlib import Path

from automl.contracts.family import ParamValue
from automl.contracts.target import BuildReport, CheckResult, Target, TargetSpec, TextParam
from automl.contracts.task import OutputKind
from automl.contracts.words import Words
from exporters.bundle import (
    RUNTIME_DIR,
    artefact_copy,
    cards_copy,
    licences_text,
    manifest_read,
    product_publish,
    tar_write,
    text_render,
)
from exporters.check import selftest_run
from exporters.cpp_sdk.compiled import COMPILER, library_path, program_write
from exporters.items import reads_of
from exporters.sbom import Part

words = Words(__file__)

ITEMS = Path(__file__).with_name("items")
"""What is shipped, by the kind of items that the model reads."""
ANSWERS = sorted({path.stem for path in ITEMS.glob("*/src/answers/*.cpp")})
"""Kinds of answers that the library knows: each has a file of that name."""
KINDS_FILE = Path("src") / "kinds.hpp"

PARTS = (
    Part("modelyard-cpp", "Apache-2.0"),
    Part("stb_image", "MIT OR Unlicense", version="2.30", purl="pkg:github/nothings/stb"),
    Part("onnxruntime headers", "MIT", version="1.29", purl="pkg:github/microsoft/onnxruntime@v1.29"),
    Part("onnxruntime", "MIT", version_range=">=1.20"),
)
"""Of others: two headers in the archive, and the library that its user brings."""

SPEC = TargetSpec(
    name="cpp_sdk",
    title=words("title"),
    summary=words("summary"),
    accepts=frozenset(OutputKind(name) for name in ANSWERS),
    reads=reads_of(ITEMS),
    options=(
        TextParam(
            name="name",
            title=words("name.title"),
            help=words("name.help"),
            pattern=r"[a-z][a-z0-9-]{0,39}",
            default="model",
        ),
    ),
    tools=(COMPILER,),
    commands=(
        "tar xzf {file}",
        "cd {name}-cpp",
        "cmake -S . -B build",
        "cmake --build build --config Release",
        "build/modelyard-sample artefact --library /path/to/libonnxruntime.so --selftest",
    ),
)


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None) -> BuildReport:
    """Writes ``<name>-cpp.tar.gz``, compiles the sources that are in it and replays the golden samples with them.

    Raises:
        ExportError: the artefact is not whole, or the product does not answer as the trained model did.
    """
    del model  # a library answers without naming it
    started_at = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / f"{options['name']}-cpp"
        product = Path(scratch) / f"{folder.name}.tar.gz"
        _assemble(artefact_dir, folder)
        tar_write(folder, product)
        check = _check(product, Path(scratch) / "unpacked")
        return product_publish(product, out_dir, target=SPEC.name, check=check, started_at=started_at)


def _assemble(artefact_dir: Path, folder: Path) -> None:
    manifest = manifest_read(artefact_dir)
    values = {"name": folder.name, "licences": licences_text(manifest, PARTS)}
    shipped = ITEMS / manifest.decode.kind
    shutil.copytree(shipped, folder)
    for key, listed in {"kinds": "answers", "pipelines": "pipelines"}.items():
        values[key] = " ".join(f"each({path.stem})" for path in sorted((shipped / "src" / listed).glob("*.cpp")))
    for path in (*shipped.glob("*.md"), shipped / KINDS_FILE):
        place = folder / path.relative_to(shipped)
        place.write_text(text_render(path, values), encoding="utf-8", newline="\n")
    shutil.copyfile(RUNTIME_DIR / "LICENSE", folder / "LICENSE")
    artefact_copy(artefact_dir, folder / "artefact", PARTS)
    cards_copy(artefact_dir, folder)


def _check(file: Path, place: Path) -> CheckResult:
    with tarfile.open(file) as tar:
        tar.extractall(place, filter="data")
    (folder,) = place.iterdir()
    program = place / "selftest"
    program_write(folder, program)
    return selftest_run([str(program), "artefact", "--library", str(library_path()), "--selftest"], folder)


TARGET = Target(spec=SPEC, build=build)
