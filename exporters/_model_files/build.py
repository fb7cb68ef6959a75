"""Puts the archive together: the model's files, what they mean, a program that answers with them, and its check."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from automl.contracts.artefact import MANIFEST_FILE, MODEL_FILE, ArtefactManifest, TensorSpec
from automl.contracts.base import Text
from automl.contracts.family import ChoiceParam, ParamValue
from automl.contracts.target import BuildReport, CheckResult, MissingTools, Option, Target, TargetSpec, TextParam
from automl.contracts.task import OutputKind
from automl.contracts.words import Words
from exporters.answers import answer_kind
from exporters.bundle import (
    RUNTIME_DIR,
    artefact_copy,
    cards_copy,
    licences_text,
    manifest_read,
    product_publish,
    runtime_copy,
    tar_write,
    template_render,
    text_render,
)
from exporters.check import packages_for, python_parts, replay_isolated, requirements
from exporters.errors import ConversionError, ToolMissingError
from exporters.items import item_kind, reads_of
from exporters.sbom import sbom_write
from exporters.sizes import artefact_tar_bytes, fixed_tar_bytes, packed_bytes
from runtime.hashes import hashes_write

words = Words(__file__)

TEMPLATE = Path(__file__).with_name("template")
MODEL_DIR = "model"
DEVICE_PRODUCT = Path(__file__).parents[1] / "_device_graph" / "product"
FACTS_FILE = "device.json"
"""What ``exporters._device_graph`` writes."""
CONVERSION_LIMIT_S = 600
NAME_OPTION = TextParam(
    name="name", title=words("name.title"), help=words("name.help"), pattern=r"[a-z][a-z0-9-]{0,39}", default="model"
)

HALF = "fp16"
WEIGHTS_OPTION = ChoiceParam(
    name="weights", title=words("weights.title"), help=words("weights.help"), choices=("fp32", HALF), default="fp32"
)
"""Of formats that can store weights in half the space."""


@dataclass(frozen=True)
class Format:
    """A format that models are written in."""

    name: str
    """Of its target: equals the folder's name."""
    title: str
    """The format's own name."""
    suffix: str
    """Ends the archive's name."""
    packages: Mapping[str, str]
    """What the archive's program imports, by the name of its distribution."""
    files: tuple[str, ...] = (MODEL_FILE,)
    """That a model consists of; the first is the one to open."""
    converter: Path | None = None
    """A script that is given the ONNX file, the folder to write to and the options' values; None: the format is ONNX."""
    converts_with: tuple[str, ...] = ()
    """Packages that the script imports or starts, which not every installation has."""
    converts_in: str = ""
    """The variable with the Python whose environment has these, where they cannot be installed beside ours."""
    extra: str = ""
    """Of our own package, which brings ``packages``, and these where it can; empty where every machine that builds has them."""
    facts_file: str = ""
    """What the converter writes about the model's tensors, where they are not those of the ONNX file; one of ``files``."""
    only_on: str = ""
    """The system (``sys.platform``) that alone has the format's own library; on others the program computes by another one."""
    shared: Path | None = None
    """A folder of what stands beside the program too, which several formats share."""

    @property
    def folder(self) -> Path:
        """The target's: ``items/<kind>`` has parts of the read-me, ``product`` what stands beside the program."""
        return Path(__file__).parents[1] / self.name


def device_format(form: Format) -> Format:
    """A format of phones, which holds one size of picture: the rest of the graph stands beside the program."""
    first, *others = form.files
    return replace(form, files=(first, FACTS_FILE, *others), facts_file=FACTS_FILE, shared=DEVICE_PRODUCT)


def format_target(
    form: Format,
    title: Text,
    summary: Text,
    *,
    accepts: frozenset[OutputKind],
    options: tuple[Option, ...] = (),
    backends: tuple[str, ...] = (),
) -> Target:
    """The target that ships models in a format; it reads the items of which its folder has a part of the read-me.

    Args:
        form: the format.
        title: of the target.
        summary: of the target.
        accepts: see ``TargetSpec``.
        options: those of the converter; the archive's name is one of every format.
        backends: see ``TargetSpec``.
    """
    spec = TargetSpec(
        name=form.name,
        title=title,
        summary=summary,
        group="format",
        accepts=accepts,
        reads=reads_of(form.folder / "items"),
        options=(NAME_OPTION, *options),
        backends=backends,
        commands=(
            "tar xzf {file}",
            f"cd {{name}}-{form.suffix}",
            "pip install -r requirements.txt",
            "python predict.py --selftest",
        ),
    )
    return Target(spec=spec, build=partial(_build, form), estimate=partial(_estimate, form), missing=partial(_missing, form))


def _build(
    form: Format, artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None
) -> BuildReport:
    """Writes ``<name>-<suffix>.tar.gz`` and replays the golden samples with what is in it.

    Raises:
        ToolMissingError: a package is not installed.
        ConversionError: the model cannot be written in the format.
        ExportError: the artefact is not whole, or the product does not answer as the trained model did.
    """
    del model  # a file answers without naming it
    started_at = time.perf_counter()
    _packages_check(form)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / f"{options[NAME_OPTION.name]}-{form.suffix}"
        product = Path(scratch) / f"{folder.name}.tar.gz"
        _assemble(form, artefact_dir, folder, tuple(value for name, value in options.items() if name != NAME_OPTION.name))
        tar_write(folder, product)
        check = _check(form, product, Path(scratch) / "unpacked")
        return product_publish(product, out_dir, target=form.name, check=check, started_at=started_at)


def _estimate(form: Format, artefact_dir: Path, options: Mapping[str, ParamValue]) -> int:
    """The weights are as many in every format, each half as large in 16 bits."""
    kind = manifest_read(artefact_dir).decode.kind
    places = (TEMPLATE, form.shared, form.folder / "product", form.folder / "items" / kind, RUNTIME_DIR)
    fixed = fixed_tar_bytes(*(place for place in places if place is not None))
    artefact = artefact_tar_bytes(artefact_dir)
    if options.get(WEIGHTS_OPTION.name) == HALF:
        artefact -= packed_bytes(artefact_dir / MODEL_FILE) // 2
    return artefact + fixed


def _packages_missing(form: Format) -> list[str]:
    return [name for name in (*_converter_packages(form), *form.packages) if find_spec(name) is None]


def _missing(form: Format) -> MissingTools:
    names = _packages_missing(form)
    is_apart = bool(form.converts_in) and not {*names}.isdisjoint(form.converts_with)
    is_beside = not {*names} <= {*form.converts_with} or not form.converts_in
    return MissingTools(
        names=tuple(names),
        extra=form.extra if names and is_beside else "",
        variable=form.converts_in if is_apart else "",
    )


def _converter_packages(form: Format) -> tuple[str, ...]:
    """What the converter needs of this installation: nothing where it has one of its own."""
    return () if os.environ.get(form.converts_in) else form.converts_with


def _packages_check(form: Format) -> None:
    missing = _packages_missing(form)
    if missing:
        cure = f': pip install "modelyard[{form.extra}]"' if form.extra else ""
        if form.converts_in and not {*missing}.isdisjoint(form.converts_with):
            cure += f"; {', '.join(form.converts_with)} in an environment of its own, whose Python {form.converts_in} names"
        raise ToolMissingError(f"{form.title}: not installed on the machine that builds: {', '.join(missing)}{cure}")


def _assemble(form: Format, artefact_dir: Path, folder: Path, arguments: tuple[ParamValue, ...]) -> None:
    manifest = manifest_read(artefact_dir)
    packages = list(dict.fromkeys(packages_for(manifest, form.packages).values()))
    parts, model_dir = python_parts(packages), folder / MODEL_DIR
    artefact_copy(artefact_dir, model_dir, parts)
    if form.converter is not None:
        _convert(form.converter, form.title, model_dir, arguments)
        sbom_write(folder, manifest, model_dir / form.files[-1], parts)
    inputs, outputs, facts = _tensors(form, model_dir, manifest)
    values = {
        "name": folder.name,
        "format": form.title,
        "files": ", ".join(f"`{MODEL_DIR}/{file}`" for file in form.files),
        "requirements": "\n".join(requirements(packages)),
        "licences": licences_text(manifest, parts),
        "answer": answer_kind(manifest).example,
        "inputs": _tensors_text(inputs),
        "outputs": _tensors_text(outputs),
        "input": inputs[0].name,
        "output": outputs[0].name,
        **facts,
        **item_kind(manifest).values(manifest.decode),
    }
    own = form.folder / "items" / manifest.decode.kind
    values |= {
        key: text_render(own / file, values).strip() for key, file in (("code", "code.md"), ("code_zh", "code.zh-CN.md"))
    }
    for template, place in ((TEMPLATE, folder), (form.shared, folder), (form.folder / "product", folder)):
        if template is not None:
            template_render(template, place, values)
    runtime_copy(folder / "runtime")
    cards_copy(artefact_dir, folder)
    (model_dir / "labels.txt").write_text("".join(f"{label}\n" for label in manifest.label_set.names), encoding="utf-8")
    hashes_write(model_dir, (MANIFEST_FILE, *form.files, *item_kind(manifest).files(manifest.decode)))


def _tensors(
    form: Format, model_dir: Path, manifest: ArtefactManifest
) -> tuple[tuple[TensorSpec, ...], tuple[TensorSpec, ...], dict[str, str]]:
    """What goes into the format's model and comes out, and further values for the read-me."""
    if not form.facts_file:
        return manifest.inputs, manifest.outputs, {}
    facts = json.loads((model_dir / form.facts_file).read_bytes())
    inputs, outputs = (tuple(map(TensorSpec.model_validate, facts[key])) for key in ("inputs", "outputs"))
    return inputs, outputs, {"side_px": str(facts["side_px"])}


def _convert(converter: Path, title: str, model_dir: Path, arguments: tuple[ParamValue, ...]) -> None:
    """Runs the converter in a process of its own: those of others print, and may crash."""
    command = [sys.executable, str(converter), str(model_dir / MODEL_FILE), str(model_dir), *map(str, arguments)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", timeout=CONVERSION_LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise ConversionError(f"{title}: the conversion did not end within {CONVERSION_LIMIT_S} s") from error
    if done.returncode:
        raise ConversionError(f"{title}: {done.stderr.strip().rpartition(chr(10))[2] or 'the converter crashed'}")
    (model_dir / MODEL_FILE).unlink()


def _check(form: Format, file: Path, place: Path) -> CheckResult:
    with tarfile.open(file) as tar:
        tar.extractall(place, filter="data")
    (folder,) = place.iterdir()
    packages = packages_for(manifest_read(folder / MODEL_DIR), form.packages)
    found = replay_isolated(folder, "predict", ["--selftest"], list(packages))
    return found if form.only_on in {"", sys.platform} else found.model_copy(update={"in_place_of": form.title})


def _tensors_text(tensors: tuple[TensorSpec, ...]) -> str:
    """Rows of a table: name, type, shape, what a value means."""
    return "\n".join(f"| `{each.name}` | {each.dtype} | {' × '.join(map(str, each.axes))} | {each.unit} |" for each in tensors)
