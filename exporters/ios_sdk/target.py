"""An archive with a Swift package: the library for C and C++ beneath a Swift library, and the model as its resource."""

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
    template_render,
    text_render,
)
from exporters.check import selftest_run
from exporters.cpp_sdk import sources
from exporters.cpp_sdk.compiled import COMPILER, beside_write, library_path, program_write
from exporters.items import reads_of
from exporters.sbom import SBOM_FILE, Part
from exporters.sizes import artefact_tar_bytes, fixed_tar_bytes

words = Words(__file__)

TEMPLATE = Path(__file__).with_name("template")
ITEMS = Path(__file__).with_name("items")
"""By the kind of items that the model reads: parts of the read-me, and ``project/``, more files of the product."""

CORE = Path("Sources", "CModelyard")
ARTEFACT = Path("Sources", "Modelyard", "artefact")
"""Resources lie beside the sources that load them."""
CHECKED_WITH = sources.TEMPLATE / "sample" / "main.cpp"
"""The sample program of the C++ library, which replays the samples with the core; Swift takes its place in the product."""
PARTS_OF_READ_ME = ("about", "usage", "answers")
LANGUAGES = {"": "", "_zh": ".zh-CN"}

RUNTIME_VERSION = "1.24.2"
"""The oldest that Microsoft's Swift package of ONNX Runtime has for these systems."""
PARTS = (
    Part("modelyard-swift", "Apache-2.0"),
    *sources.PARTS,
    Part(
        "onnxruntime",
        "MIT",
        version_range=f">={RUNTIME_VERSION}",
        purl="pkg:swift/github.com/microsoft/onnxruntime-swift-package-manager",
    ),
)
"""What is in the archive, and the package that Swift's package manager fetches beside it."""

SPEC = TargetSpec(
    name="ios_sdk",
    title=words("title"),
    summary=words("summary"),
    group="library",
    accepts=frozenset(OutputKind(name) for name in sources.listed("answers")),
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
        "cd {name}-ios",
        "swift test",
    ),
)


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None) -> BuildReport:
    """Writes ``<name>-ios.tar.gz``, compiles the C++ sources that are in it and replays the golden samples with them.

    The Swift sources are not compiled: that takes Apple's systems.

    Raises:
        ExportError: the artefact is not whole, or the core does not answer as the trained model did.
    """
    del model  # a library answers without naming it
    started_at = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / f"{options['name']}-ios"
        product = Path(scratch) / f"{folder.name}.tar.gz"
        _assemble(artefact_dir, folder)
        tar_write(folder, product)
        check = _check(product, Path(scratch) / "unpacked")
        return product_publish(product, out_dir, target=SPEC.name, check=check, started_at=started_at)


def _assemble(artefact_dir: Path, folder: Path) -> None:
    manifest = manifest_read(artefact_dir)
    values = _values(manifest, folder.name)
    template_render(TEMPLATE, folder, values)
    template_render(ITEMS / manifest.decode.kind / "project", folder, values)
    sources.sources_write(folder / CORE, without=sources.LOADER)
    shutil.copyfile(RUNTIME_DIR / "LICENSE", folder / "LICENSE")
    artefact_copy(artefact_dir, folder / ARTEFACT, PARTS)
    (folder / ARTEFACT).with_name(SBOM_FILE).rename(folder / SBOM_FILE)
    cards_copy(artefact_dir, folder)


def _values(manifest: ArtefactManifest, name: str) -> dict[str, str]:
    own = ITEMS / manifest.decode.kind
    values = {"name": name, "licences": licences_text(manifest, PARTS), "onnxruntime": RUNTIME_VERSION}
    parts = {f"{part}{key}": own / f"{part}{language}.md" for part in PARTS_OF_READ_ME for key, language in LANGUAGES.items()}
    return values | {key: text_render(file, values).rstrip() for key, file in parts.items()}


def _check(file: Path, place: Path) -> CheckResult:
    with tarfile.open(file) as tar:
        tar.extractall(place, filter="data")
    (folder,) = place.iterdir()
    core, program = folder / CORE, place / "selftest"
    (core / "sample").mkdir()
    shutil.copyfile(CHECKED_WITH, core / "sample" / CHECKED_WITH.name)
    program_write(core, program, linked=library_path())
    beside_write(library_path(), place)
    return selftest_run([str(program), str(ARTEFACT), "--selftest"], folder)


def estimate(artefact_dir: Path, options: dict[str, ParamValue]) -> int:
    """See ``Target``."""
    del options
    project = ITEMS / manifest_read(artefact_dir).decode.kind
    core = tuple(sources.TEMPLATE / name for name in sources.FOLDERS)
    return artefact_tar_bytes(artefact_dir) + fixed_tar_bytes(TEMPLATE, project, *core, TABLES_FILE, LICENCE_FILE)


TARGET = Target(spec=SPEC, build=build, estimate=estimate)
