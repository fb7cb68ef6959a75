"""An archive that answers the cloud's API on the customer's own machine: one command, a plain environment, no Docker needed."""

from __future__ import annotations

import json
import tarfile
import tempfile
import time
from html import escape
from pathlib import Path

from automl.contracts.artefact import MANIFEST_FILE, TEMPLATES_DIR, ArtefactManifest
from automl.contracts.family import ChoiceParam, IntParam, ParamValue
from automl.contracts.target import BuildReport, CheckResult, Target, TargetSpec, TextParam
from automl.contracts.words import Words
from exporters.answers import answer_kind, known_outputs
from exporters.bundle import (
    RUNTIME_DIR,
    artefact_copy,
    cards_copy,
    known_backends,
    known_pipelines,
    licences_text,
    manifest_read,
    product_publish,
    runtime_copy,
    tar_write,
    template_render,
    text_render,
)
from exporters.check import OPENVINO, SERVER_PACKAGES, packages_for, python_parts, replay_isolated, requirements
from exporters.errors import ExportCheckFailedError
from exporters.items import item_kind, reads_of
from exporters.items.pages import has_page, page_parts
from exporters.onprem_server.probe import served_check
from exporters.sizes import artefact_tar_bytes, fixed_tar_bytes

words = Words(__file__)

TEMPLATE = Path(__file__).with_name("template")
ITEMS = Path(__file__).with_name("items")
"""By the kind of items that the model reads: ``<kind>/files``, which stand beside the template's."""
PARTS = Path(__file__).with_name("parts")
"""Of the read-me files, the same whatever the model reads, by the name of their place."""
_PARTS = {"running": "running.md", "running_zh": "running.zh-CN.md"}

SPEC = TargetSpec(
    name="onprem_server",
    title=words("title"),
    summary=words("summary"),
    group="server",
    accepts=known_outputs(),
    pipelines=known_pipelines(),
    reads_forms=True,
    reads=frozenset(filter(has_page, reads_of(ITEMS))),
    options=(
        TextParam(
            name="name",
            title=words("name.title"),
            help=words("name.help"),
            pattern=r"[a-z][a-z0-9-]{0,39}",
            default="model",
        ),
        IntParam(
            name="port",
            title=words("port.title"),
            help=words("port.help"),
            low=1024,
            high=65535,
            default=8080,
        ),
        ChoiceParam(
            name="easydl_path",
            title=words("easydl_path.title"),
            help=words("easydl_path.help"),
            choices=(True, False),
            default=True,
        ),
        ChoiceParam(
            name="openvino",
            title=words("openvino.title"),
            help=words("openvino.help"),
            choices=(True, False),
            default=False,
        ),
    ),
    backends=known_backends(),
    commands=(
        "tar xzf {file}",
        "cd {name}-server",
        "./start",
    ),
)


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None) -> BuildReport:
    """Writes ``<name>-server.tar.gz`` and serves the golden samples from what is in it.

    Raises:
        ExportError: the artefact is not whole, or the product does not answer as the trained model did.
    """
    started_at = time.perf_counter()
    name = str(options["name"])
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / f"{name}-server"
        product = Path(scratch) / f"{folder.name}.tar.gz"
        assemble(artefact_dir, folder, options, model)
        tar_write(folder, product)
        check = unpacked_check(product, folder.name, Path(scratch) / "unpacked", options)
        return product_publish(product, out_dir, target=SPEC.name, check=check, started_at=started_at)


def assemble(artefact_dir: Path, folder: Path, options: dict[str, ParamValue], model: str | None = None) -> dict[str, str]:
    """Writes the server with its model; gives the values of its templates.

    Raises:
        ExportError: the artefact is not whole.
    """
    manifest = manifest_read(artefact_dir)
    name, items, answers = str(options["name"]), item_kind(manifest), answer_kind(manifest)
    easydl_word = answers.easydl_word or items.easydl_word
    packages = list(_packages(manifest, options).values())
    parts = python_parts(packages)
    settings: dict[str, ParamValue | None] = {
        "name": name,
        "port": options["port"],
        "model": model or manifest.lineage.trial or manifest.lineage.job,
        "artefact": manifest.lineage.trial or manifest.lineage.job,
        "easydl_path": f"/{name}/{easydl_word}" if options.get("easydl_path") else None,
    }
    values = {
        "name": name,
        "port": str(options["port"]),
        "settings": json.dumps(settings, indent=2),
        "title": escape(name),
        "licences": licences_text(manifest, parts),
        "requirements": "\n".join(requirements(packages)),
        "easydl_word": easydl_word,
        "may_be_nothing": json.dumps(answers.may_be_nothing),
        **items.values(manifest.decode),
    }
    own = ITEMS / manifest.decode.kind
    values |= page_parts(manifest, values)
    values |= {place: text_render(PARTS / file, values).strip() for place, file in _PARTS.items()}
    template_render(TEMPLATE, folder, values)
    template_render(own / "files", folder, values)
    runtime_copy(folder / "server" / "runtime")
    artefact_copy(artefact_dir, folder / "artefact", parts)
    cards_copy(artefact_dir, folder)
    (folder / "openapi.json").write_text(_description(settings, folder / "artefact" / MANIFEST_FILE), encoding="utf-8")
    return values


def _description(settings: dict[str, ParamValue | None], manifest: Path) -> str:
    from runtime.openapi import DescribedModel, document  # noqa: PLC0415 - numpy is not for everybody

    templates = sorted(path.stem for path in (manifest.parent / TEMPLATES_DIR).glob("*.json"))
    facts = json.loads(manifest.read_bytes())
    model = DescribedModel(str(settings["name"]), str(settings["model"]), facts, templates)
    paths = {str(settings["easydl_path"]): model.name} if settings["easydl_path"] else None
    return json.dumps(document([model], is_keyed=False, easydl_paths=paths), indent=1, ensure_ascii=False) + "\n"


def _packages(manifest: ArtefactManifest, options: dict[str, ParamValue]) -> dict[str, str]:
    """What the product needs, by the name of its distribution."""
    return packages_for(manifest, {**SERVER_PACKAGES, **(OPENVINO if options.get("openvino") else {})})


def unpacked_check(file: Path, folder_name: str, place: Path, options: dict[str, ParamValue]) -> CheckResult:
    """Unpacks a product that holds a server, replays the golden samples, and serves them over HTTP.

    Raises:
        ExportError: it does not answer as the trained model did.
    """
    with tarfile.open(file) as tar:
        tar.extractall(place, filter="data")
    folder = place / folder_name
    packages = list(_packages(manifest_read(folder / "artefact"), options))
    check = replay_isolated(folder, "server", ["--selftest"], packages)
    if options.get("openvino"):  # else it would be installed for nothing
        try:
            replay_isolated(folder, "server", ["--selftest", "--backend", "openvino_f32"], packages)
        except ExportCheckFailedError as error:
            hint = "Export without OpenVINO: the server then runs the model with ONNX Runtime, which answers right."
            raise ExportCheckFailedError(f"with OpenVINO, {error.message}", hint=hint) from error
    served_check(folder, packages, name=str(options["name"]), tolerance=check.tolerance)
    return check


def estimate(artefact_dir: Path, options: dict[str, ParamValue]) -> int:
    """See ``Target``."""
    del options
    places = (TEMPLATE, ITEMS / manifest_read(artefact_dir).decode.kind, PARTS, RUNTIME_DIR)
    return artefact_tar_bytes(artefact_dir) + fixed_tar_bytes(*places)


TARGET = Target(spec=SPEC, build=build, estimate=estimate)
