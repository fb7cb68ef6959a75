"""The model as OpenVINO's intermediate representation, for Intel's processors, graphics and NPUs."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from automl.contracts.family import ParamValue
from automl.contracts.target import BuildReport, Target, TargetSpec
from automl.contracts.words import Words
from exporters._model_files.build import (
    NAME_OPTION,
    WEIGHTS_OPTION,
    Format,
    model_files_build,
    model_files_estimate,
    model_files_missing,
)
from exporters.answers import one_graph_outputs
from exporters.check import ENCODING_PACKAGES, OPENVINO
from exporters.items import reads_of

words = Words(__file__)

FORMAT = Format(
    target="openvino_ir",
    title="OpenVINO IR",
    suffix="openvino",
    packages=ENCODING_PACKAGES | OPENVINO,
    files=("model.xml", "model.bin"),
    converter=Path(__file__).with_name("convert.py"),
)
SPEC = TargetSpec(
    name="openvino_ir",
    title=words("title"),
    summary=words("summary"),
    group="format",
    accepts=one_graph_outputs(),
    reads=reads_of(Path(__file__).with_name("items")),
    options=(NAME_OPTION, WEIGHTS_OPTION),
    backends=("openvino_f32",),
    commands=(
        "tar xzf {file}",
        "cd {name}-openvino",
        "pip install -r requirements.txt",
        "python predict.py --selftest",
    ),
)


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None) -> BuildReport:
    """Writes ``<name>-openvino.tar.gz``; see ``model_files_build``."""
    del model  # a file answers without naming it
    return model_files_build(FORMAT, artefact_dir, out_dir, str(options["name"]), (options["weights"],))


def estimate(artefact_dir: Path, options: dict[str, ParamValue]) -> int:
    """See ``Target``."""
    return model_files_estimate(FORMAT, artefact_dir, options)


TARGET = Target(spec=SPEC, build=build, estimate=estimate, missing=partial(model_files_missing, FORMAT))
