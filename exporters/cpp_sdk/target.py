"""An archive with a C and C++ library, its sources and the model: CMake builds it for computers and devices."""

from __future__ import annotations

import shutil
import tarfile
import tempfile
import time
from pathlib import Path

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.family import ParamValue
from automl.contracts.target import BuildReport, CheckResult, Target, TargetSpec, TextParam
from automl.contracts.task import OutputKind
from automl.contracts.words import Words
from exporters._text_tables import LICENCE_FILE, TABLES_FILE
from exporters.bundle import (
    RUNTIME_DIR,
    USUAL_BACKEND,
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
from exporters.cpp_sdk.sources import FOLDERS, TEMPLATE, listed, sources_write
from exporters.cpp_sdk.sources import PARTS as SOURCE_PARTS
from exporters.items import reads_of
from exporters.sbom import Part
from exporters.sizes import artefact_tar_bytes, fixed_tar_bytes

words = Words(__file__)

ITEMS = Path(__file__).with_name("items")
"""By the kind of items that the model reads: parts of the read-me."""

RENDERED = ("README.md", "README.zh-CN.md")
PARTS_OF_READ_ME = ("usage", "notes")
LANGUAGES = {"": "", "_zh": ".zh-CN"}

PARTS = (*SOURCE_PARTS, Part("onnxruntime", "MIT", version_range=">=1.20"))
"""What is in the archive, and the library that its user brings."""

SPEC = TargetSpec(
    name="cpp_sdk",
    title=words("title"),
    summary=words("summary"),
    group="library",
    accepts=frozenset(OutputKind(name) for name in listed("answers")),
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
    backends=(USUAL_BACKEND,),
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
    shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns(*FOLDERS))
    sources_write(folder)
    values = _values(manifest, folder.name)
    for name in RENDERED:
        (folder / name).write_text(text_render(TEMPLATE / name, values), encoding="utf-8", newline="\n")
    shutil.copyfile(RUNTIME_DIR / "LICENSE", folder / "LICENSE")
    artefact_copy(artefact_dir, folder / "artefact", PARTS)
    cards_copy(artefact_dir, folder)


def _values(manifest: ArtefactManifest, name: str) -> dict[str, str]:
    own = ITEMS / manifest.decode.kind
    values = {"name": name, "licences": licences_text(manifest, PARTS)}
    parts = {f"{part}{key}": own / f"{part}{language}.md" for part in PARTS_OF_READ_ME for key, language in LANGUAGES.items()}
    return values | {key: text_render(file, values).rstrip() for key, file in parts.items()}


def _check(file: Path, place: Path) -> CheckResult:
    with tarfile.open(file) as tar:
        tar.extractall(place, filter="data")
    (folder,) = place.iterdir()
    program = place / "selftest"
    program_write(folder, program)
    return selftest_run([str(program), "artefact", "--library", str(library_path()), "--selftest"], folder)


def estimate(artefact_dir: Path, options: dict[str, ParamValue]) -> int:
    """See ``Target``."""
    del options
    return artefact_tar_bytes(artefact_dir) + fixed_tar_bytes(TEMPLATE, TABLES_FILE, LICENCE_FILE)


TARGET = Target(spec=SPEC, build=build, estimate=estimate)
