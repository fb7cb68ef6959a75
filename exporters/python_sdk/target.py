"""A wheel with the model inside: ``pip install`` it, then ``Model().predict("picture.jpg")``."""

from __future__ import annotations

import keyword
import sys
import tempfile
import time
import zipfile
from collections.abc import Collection
from pathlib import Path

from automl.contracts.family import ParamValue
from automl.contracts.target import BuildReport, CheckResult, Target, TargetSpec, TextParam
from automl.contracts.words import Words
from exporters.answers import answer_kind, known_outputs
from exporters.bundle import (
    RUNTIME_DIR,
    USUAL_BACKEND,
    artefact_copy,
    cards_copy,
    known_pipelines,
    licences_text,
    manifest_read,
    product_publish,
    runtime_copy,
    template_render,
    wheel_write,
)
from exporters.check import RUNTIME_PACKAGES, packages_for, python_parts, replay_isolated, requirements
from exporters.errors import OptionInvalidError
from exporters.items import item_kind, reads_of
from exporters.sizes import artefact_zip_bytes, fixed_zip_bytes

words = Words(__file__)

ITEMS = Path(__file__).with_name("items")
"""What is shipped, by the kind of items that the model reads: ``<kind>/package`` and ``<kind>/dist_info``."""

SPEC = TargetSpec(
    name="python_sdk",
    title=words("title"),
    summary=words("summary"),
    group="library",
    accepts=known_outputs(),
    pipelines=known_pipelines(),
    reads_forms=True,
    reads=reads_of(ITEMS),
    options=(
        TextParam(
            name="package",
            title=words("package.title"),
            help=words("package.help"),
            pattern=r"[a-z][a-z0-9_]{0,39}",
            default="my_model",
        ),
        TextParam(
            name="version",
            title=words("version.title"),
            help=words("version.help"),
            pattern=r"(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})",
            default="1.0.0",
        ),
    ),
    backends=(USUAL_BACKEND,),
    commands=(
        "pip install {file}",
        "python -m {package} --selftest",
    ),
)


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None) -> BuildReport:
    """Writes ``<package>-<version>-py3-none-any.whl`` and replays the golden samples from what is in it.

    Raises:
        ExportError: the name is taken, the artefact is not whole, or the product does not answer as the trained model did.
    """
    del model  # a package answers without naming it
    started_at = time.perf_counter()
    package, version = str(options["package"]), str(options["version"])
    needed = packages_for(manifest_read(artefact_dir), RUNTIME_PACKAGES)
    if keyword.iskeyword(package) or package in sys.stdlib_module_names or package in {*needed, *needed.values()}:
        raise OptionInvalidError(f"package cannot be {package!r}: Python or a package that the model needs has that name")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "made"
        product = Path(scratch) / f"{package}-{version}-py3-none-any.whl"
        _assemble(artefact_dir, folder, package, version)
        wheel_write(folder, product, dist_info=f"{package}-{version}.dist-info")
        check = _check(product, Path(scratch) / "installed", package, needed)
        return product_publish(product, out_dir, target=SPEC.name, check=check, started_at=started_at)


def _assemble(artefact_dir: Path, folder: Path, package: str, version: str) -> None:
    manifest = manifest_read(artefact_dir)
    packages = list(packages_for(manifest, RUNTIME_PACKAGES).values())
    needed, parts = requirements(packages), python_parts(packages)
    values = {
        "package": package,
        "version": version,
        "licences": licences_text(manifest, parts),
        "requires": "\n".join(f"Requires-Dist: {line}" for line in needed),
        "answer": answer_kind(manifest).example,
        **item_kind(manifest).values(manifest.decode),
    }
    template = ITEMS / manifest.decode.kind
    template_render(template / "package", folder / package, values)
    dist_info = folder / f"{package}-{version}.dist-info"
    template_render(template / "dist_info", dist_info, values)
    runtime_copy(folder / package / "runtime")
    artefact_copy(artefact_dir, folder / package / "artefact", parts)
    cards_copy(artefact_dir, dist_info)


def _check(file: Path, place: Path, package: str, packages: Collection[str]) -> CheckResult:
    with zipfile.ZipFile(file) as wheel:
        wheel.extractall(place)
    return replay_isolated(place, package, ["--selftest"], list(packages))


def estimate(artefact_dir: Path, options: dict[str, ParamValue]) -> int:
    """See ``Target``."""
    del options
    places = (ITEMS / manifest_read(artefact_dir).decode.kind, RUNTIME_DIR)
    return artefact_zip_bytes(artefact_dir) + fixed_zip_bytes(*places)


TARGET = Target(spec=SPEC, build=build, estimate=estimate)
