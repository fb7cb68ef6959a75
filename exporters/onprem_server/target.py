"""An archive that answers the cloud's API on the customer's own machine: one command, a plain environment, no Docker needed."""

from __future__ import annotations

import json
import tarfile
import tempfile
import time
from html import escape
from pathlib import Path

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.base import Text
from automl.contracts.family import ChoiceParam, IntParam, ParamValue
from automl.contracts.target import BuildReport, CheckResult, Target, TargetSpec, TextParam
from automl.contracts.task import OutputKind
from exporters.bundle import (
    artefact_copy,
    hand_out,
    licences_text,
    manifest_read,
    runtime_copy,
    tar_write,
    template_render,
    text_render,
)
from exporters.check import SERVER_PACKAGES, packages_for, replay_isolated, requirements
from exporters.onprem_server.probe import served_check
from exporters.tables import table_values

TEMPLATE = Path(__file__).with_name("template")
OVER_TEMPLATES = {kind: Path(__file__).with_name(f"{kind}_template") for kind in ("text", "row")}
"""What stands over it where the model reads no pictures."""
INPUTS = Path(__file__).with_name("inputs")
"""The part of the page that asks for what the model reads, by what that is."""
_EASYDL_WORDS = {"image": "ImageClassification", "text": "TextClassification", "row": "TabularPrediction"}
_EASYDL_DETECTION = "ObjectDetection"
"""Last part of EasyDL's address, by what the model reads; another where it answers boxes."""

SPEC = TargetSpec(
    name="onprem_server",
    title=Text(en="On-premise server", zh="私有化部署服务"),
    summary=Text(
        en="An archive with the model and its server: unpack, run ./start, and call the same API as in the cloud.",
        zh="包含模型与服务的压缩包：解压后运行 ./start，即可调用与云端一致的接口。",
    ),
    accepts=frozenset({OutputKind.CLASS_SCORES, OutputKind.LABEL_SCORES, OutputKind.BOXES, OutputKind.NUMBER}),
    options=(
        TextParam(
            name="name",
            title=Text(en="Name", zh="服务名称"),
            help=Text(
                en="Lower-case letters, digits and hyphens, starting with a letter; part of the address.",
                zh="小写字母、数字和连字符，以字母开头；将出现在调用地址中。",
            ),
            pattern=r"[a-z][a-z0-9-]{0,39}",
            default="model",
        ),
        IntParam(
            name="port",
            title=Text(en="Port", zh="端口"),
            help=Text(en="Where the server listens unless told otherwise, 1024 to 65535.", zh="默认监听端口，1024 至 65535。"),
            low=1024,
            high=65535,
            default=8080,
        ),
        ChoiceParam(
            name="easydl_path",
            title=Text(en="EasyDL address", zh="兼容 EasyDL 的地址"),
            help=Text(
                en="Also answer in EasyDL's form at /{name}/ImageClassification (or what EasyDL calls the task at hand).",
                zh="同时在 /{name}/ImageClassification（或 EasyDL 对相应任务的称呼）以 EasyDL 格式应答。",
            ),
            choices=(True, False),
            default=True,
        ),
    ),
)


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue]) -> BuildReport:
    """Writes ``<name>-server.tar.gz`` and serves the golden samples from what is in it.

    Raises:
        ExportError: the artefact is not whole, or the product does not answer as the trained model did.
    """
    started_at = time.perf_counter()
    name = str(options["name"])
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / f"{name}-server"
        product = Path(scratch) / f"{folder.name}.tar.gz"
        _assemble(artefact_dir, folder, options)
        tar_write(folder, product)
        check = _check(product, Path(scratch) / "unpacked", name)
        return hand_out(product, out_dir, target=SPEC.name, check=check, started_at=started_at)


def _assemble(artefact_dir: Path, folder: Path, options: dict[str, ParamValue]) -> None:
    manifest = manifest_read(artefact_dir)
    name, kind = str(options["name"]), manifest.decode.kind
    is_detector = manifest.output is OutputKind.BOXES
    easydl_word = _EASYDL_DETECTION if is_detector else _EASYDL_WORDS[kind]
    settings = {
        "name": name,
        "port": options["port"],
        "artefact": manifest.lineage.trial or manifest.lineage.job,
        "easydl_path": f"/{name}/{easydl_word}" if options["easydl_path"] else None,
    }
    values = {
        "name": name,
        "port": str(options["port"]),
        "settings": json.dumps(settings, indent=2),
        "title": escape(name),
        "licences": licences_text(manifest),
        "requirements": _requirements(manifest),
        "easydl_word": easydl_word,
        "is_detector": json.dumps(is_detector),
        **table_values(manifest),
    }
    values["page_input"] = text_render(INPUTS / f"{kind}.html", values)
    template_render(TEMPLATE, folder, values)
    if kind in OVER_TEMPLATES:
        template_render(OVER_TEMPLATES[kind], folder, values)
    runtime_copy(folder / "server" / "runtime")
    artefact_copy(artefact_dir, folder / "artefact")


def _requirements(manifest: ArtefactManifest) -> str:
    return "\n".join(requirements(list(packages_for(manifest, SERVER_PACKAGES).values())))


def _check(file: Path, place: Path, name: str) -> CheckResult:
    with tarfile.open(file) as tar:
        tar.extractall(place, filter="data")
    folder = place / f"{name}-server"
    packages = list(packages_for(manifest_read(folder / "artefact"), SERVER_PACKAGES))
    check = replay_isolated(folder, "server", ["--selftest"], packages)
    served_check(folder, packages, name=name, tolerance=check.tolerance)
    return check


TARGET = Target(spec=SPEC, build=build)
