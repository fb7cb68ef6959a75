"""An archive with a library for the JVM and Android, its sources, a compiled jar and the model."""

from __future__ import annotations

import re
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
from exporters._text_tables import LICENCE_FILE, TABLES_FILE, UNICODE
from exporters.answers import answer_kind
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
from exporters.items import item_kind, reads_of
from exporters.java_sdk.compiled import MODULES, TOOLS, command, jar_write
from exporters.sbom import Part
from exporters.sizes import artefact_tar_bytes, fixed_tar_bytes, fixed_zip_bytes

words = Words(__file__)

TEMPLATE = Path(__file__).with_name("template")
ITEMS = Path(__file__).with_name("items")
"""By the kind of items that the model reads: parts of the read-me, and ``project/``, more files of the product."""


TABLES = Path("core", "src", "main", "resources", "io", "modelyard", TABLES_FILE.name)
"""Of characters, where the library looks for them."""


def _kinds(ending: str) -> dict[str, str]:
    """Names with their classes, of which each has a file that ends so."""
    classes = sorted(path.stem for path in TEMPLATE.glob(f"core/**/*?{ending}.java"))
    return {re.sub("(?!^)(?=[A-Z])", "_", name.removesuffix(ending)).lower(): name for name in classes}


ANSWERS = _kinds("Answers")
"""Kinds of answers that the library knows."""
PIPELINES = _kinds("Pipeline")

CLASSES_PER_SOURCE = 1.7
"""How much more room compiled classes take than their sources, both packed."""
RUNTIME_VERSION = "1.29.0"
"""Of ONNX Runtime's Java API, against which the library is compiled."""
PARTS = (
    Part("modelyard-java", "Apache-2.0"),
    UNICODE,
    Part("onnxruntime", "MIT", version_range=f">={RUNTIME_VERSION}", purl="pkg:maven/com.microsoft.onnxruntime/onnxruntime"),
)
"""Our library, what its tables are taken from, and the library that its user brings."""

SPEC = TargetSpec(
    name="java_sdk",
    title=words("title"),
    summary=words("summary"),
    group="library",
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
    tools=TOOLS,
    backends=(USUAL_BACKEND,),
    commands=(
        "tar xzf {file}",
        "cd {name}-java",
        "cp /path/to/onnxruntime.jar libs/",
        "java -jar libs/modelyard.jar artefact --selftest",
    ),
)


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None) -> BuildReport:
    """Writes ``<name>-java.tar.gz``, with the sources compiled, and replays the golden samples on the JVM with what is in it.

    Raises:
        ExportError: the artefact is not whole, or the product does not answer as the trained model did.
    """
    del model  # a library answers without naming it
    started_at = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / f"{options['name']}-java"
        product = Path(scratch) / f"{folder.name}.tar.gz"
        _assemble(artefact_dir, folder)
        tar_write(folder, product)
        check = _check(product, Path(scratch) / "unpacked")
        return product_publish(product, out_dir, target=SPEC.name, check=check, started_at=started_at)


def _assemble(artefact_dir: Path, folder: Path) -> None:
    manifest = manifest_read(artefact_dir)
    values = _values(manifest, folder.name)
    template_render(TEMPLATE, folder, values)
    tables = folder / TABLES
    tables.parent.mkdir(parents=True)
    shutil.copyfile(TABLES_FILE, tables)
    shutil.copyfile(LICENCE_FILE, tables.with_suffix(".license"))
    template_render(ITEMS / manifest.decode.kind / "project", folder, values)
    shutil.copyfile(RUNTIME_DIR / "LICENSE", folder / "LICENSE")
    artefact_copy(artefact_dir, folder / "artefact", PARTS)
    cards_copy(artefact_dir, folder)
    jar_write(folder)


def _values(manifest: ArtefactManifest, name: str) -> dict[str, str]:
    own = ITEMS / manifest.decode.kind
    values = {
        "name": name,
        "licences": licences_text(manifest, PARTS),
        "onnxruntime": RUNTIME_VERSION,
        "answer": answer_kind(manifest).example,
        "kinds": _entries(ANSWERS),
        "pipelines": _entries(PIPELINES),
        **item_kind(manifest).values(manifest.decode),
    }
    usage = {"usage": "usage.md", "usage_zh": "usage.zh-CN.md", "about": "about.md", "about_zh": "about.zh-CN.md"}
    return values | {key: text_render(own / file, values).rstrip() for key, file in usage.items()}


def _entries(kinds: dict[str, str]) -> str:
    return "\n".join(f'        KINDS.put("{kind}", {name}::new);' for kind, name in kinds.items())


def _check(file: Path, place: Path) -> CheckResult:
    with tarfile.open(file) as tar:
        tar.extractall(place, filter="data")
    (folder,) = place.iterdir()
    return selftest_run(command(folder, place / "libraries", ["artefact", "--selftest"]), folder)


def estimate(artefact_dir: Path, options: dict[str, ParamValue]) -> int:
    """See ``Target``."""
    del options
    project = ITEMS / manifest_read(artefact_dir).decode.kind
    sources = fixed_tar_bytes(TEMPLATE, project, TABLES_FILE, LICENCE_FILE)
    compiled = fixed_zip_bytes(*(TEMPLATE / module / "src" / "main" / "java" for module in MODULES))
    jar = int(CLASSES_PER_SOURCE * compiled) + fixed_zip_bytes(TABLES_FILE)
    return artefact_tar_bytes(artefact_dir) + sources + jar


TARGET = Target(spec=SPEC, build=build, estimate=estimate)
