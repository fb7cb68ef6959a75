"""An npm package that answers in Node.js, with the model inside."""

from __future__ import annotations

import shutil
from pathlib import Path

from automl.contracts.family import ParamValue
from automl.contracts.target import BuildReport, Target, TargetSpec
from automl.contracts.words import Words
from exporters._javascript.build import package_build
from exporters._javascript.package import (
    NAME_OPTIONS,
    assemble,
    built_folder,
    built_parts,
    built_versions,
    npm_purl,
    package_values,
)
from exporters.answers import javascript_outputs
from exporters.bundle import USUAL_BACKEND, manifest_read
from exporters.items import reads_of
from exporters.sbom import Part
from exporters.sizes import artefact_tar_bytes, fixed_tar_bytes

words = Words(__file__)

TEMPLATE = Path(__file__).with_name("template")
ITEMS = Path(__file__).with_name("items")
"""By the kind of items that the model reads: ``<kind>/usage.md``, a part of the read-me."""

SPEC = TargetSpec(
    name="node_sdk",
    title=words("title"),
    summary=words("summary"),
    group="library",
    accepts=javascript_outputs(),
    reads=reads_of(ITEMS),
    options=NAME_OPTIONS,
    backends=(USUAL_BACKEND,),
    commands=(
        "npm install ./{file}",
        "node node_modules/{name}/dist/cli.js --selftest",
    ),
)


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None) -> BuildReport:
    """Writes ``<name>-<version>.tgz`` and replays the golden samples from what is in it.

    Raises:
        ExportError: the front end was not built, the artefact is not whole, or the product does not answer as the trained
            model did.
    """
    del model  # a package answers without naming it

    def fill(folder: Path, name: str, version: str) -> None:
        _assemble(artefact_dir, folder, name, version)

    return package_build(fill, out_dir, options, target=SPEC.name)


def _assemble(artefact_dir: Path, folder: Path, name: str, version: str) -> None:
    built = built_folder("node")
    runtime = Part(
        "onnxruntime-node", "MIT", version_range=f"^{built_versions()['onnxruntime_node']}", purl=npm_purl("onnxruntime-node")
    )
    parts = [*built_parts("node"), runtime]
    values = package_values(manifest_read(artefact_dir), parts, name=name, version=version, items=ITEMS)
    assemble(artefact_dir, folder, TEMPLATE, values, parts)
    shutil.copytree(built, folder / "dist", ignore=shutil.ignore_patterns("NOTICE.txt"))
    shutil.copyfile(built / "NOTICE.txt", folder / "NOTICE.txt")


def estimate(artefact_dir: Path, options: dict[str, ParamValue]) -> int:
    """See ``Target``."""
    del options
    return artefact_tar_bytes(artefact_dir) + fixed_tar_bytes(TEMPLATE, built_folder("node"))


TARGET = Target(spec=SPEC, build=build, estimate=estimate)
