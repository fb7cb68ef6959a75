"""The model alone, for a product that is installed already: ``runtime/updates.py`` takes it in."""

from __future__ import annotations

import json
import tempfile
import time
import zipfile
from pathlib import Path

from automl.contracts.family import ParamValue
from automl.contracts.target import BuildReport, CheckResult, Target, TargetSpec, TextParam
from automl.contracts.words import Words
from exporters.answers import known_outputs
from exporters.bundle import (
    artefact_copy,
    cards_copy,
    known_backends,
    known_pipelines,
    licences_text,
    manifest_read,
    product_publish,
    runtime_copy,
    template_render,
    zip_write,
)
from exporters.check import RUNTIME_PACKAGES, packages_for, replay_isolated
from exporters.items import known_reads
from exporters.sizes import artefact_zip_bytes, fixed_zip_bytes
from runtime.update_format import ARTEFACT_DIR, FORMAT, UPDATE_FILE

words = Words(__file__)

TEMPLATE = Path(__file__).with_name("template")
SPEC = TargetSpec(
    name="model_update",
    title=words("title"),
    summary=words("summary"),
    group="update",
    accepts=known_outputs(),
    pipelines=known_pipelines(),
    reads_forms=True,
    reads=known_reads(),
    options=(
        TextParam(
            name="name",
            title=words("name.title"),
            help=words("name.help"),
            pattern=r"[a-z][a-z0-9-]{0,39}",
            default="model",
        ),
    ),
    backends=known_backends(),
    commands=("./start update {file}",),
)


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None) -> BuildReport:
    """Writes ``<name>-update.zip`` and replays the golden samples with the model that is in it.

    Raises:
        ExportError: the artefact is not whole, or its model does not answer as the trained one did.
    """
    started_at = time.perf_counter()
    name = str(options["name"])
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "update"
        product = Path(scratch) / f"{name}-update.zip"
        _assemble(artefact_dir, folder, name, model)
        zip_write(folder, product)
        check = _check(product, Path(scratch) / "unpacked")
        return product_publish(product, out_dir, target=SPEC.name, check=check, started_at=started_at)


def _assemble(artefact_dir: Path, folder: Path, name: str, model: str | None) -> None:
    manifest = manifest_read(artefact_dir)
    template_render(TEMPLATE, folder, {"name": name, "licences": licences_text(manifest, ())})
    artefact_copy(artefact_dir, folder / ARTEFACT_DIR, ())
    cards_copy(artefact_dir, folder)
    about = {"format": FORMAT, "model": model or manifest.lineage.trial or manifest.lineage.job}
    (folder / UPDATE_FILE).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def _check(file: Path, place: Path) -> CheckResult:
    with zipfile.ZipFile(file) as packed:
        packed.extractall(place)
    runtime_copy(place / "runtime")
    packages = list(packages_for(manifest_read(place / ARTEFACT_DIR), RUNTIME_PACKAGES))
    return replay_isolated(place, "runtime.selftest", [ARTEFACT_DIR], packages)


def estimate(artefact_dir: Path, options: dict[str, ParamValue]) -> int:
    """See ``Target``."""
    del options
    return artefact_zip_bytes(artefact_dir) + fixed_zip_bytes(TEMPLATE)


TARGET = Target(spec=SPEC, build=build, estimate=estimate)
