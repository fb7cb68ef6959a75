"""The model as ONNX, by itself."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from automl.contracts.family import ParamValue
from automl.contracts.target import BuildReport, Target, TargetSpec
from automl.contracts.words import Words
from exporters._model_files.build import NAME_OPTION, Format, model_files_build, model_files_estimate, model_files_missing
from exporters.answers import one_graph_outputs
from exporters.bundle import USUAL_BACKEND
from exporters.check import RUNTIME_PACKAGES
from exporters.items import reads_of

words = Words(__file__)

FORMAT = Format(target="onnx_model", title="ONNX", suffix="onnx", packages=RUNTIME_PACKAGES)
SPEC = TargetSpec(
    name="onnx_model",
    title=words("title"),
    summary=words("summary"),
    group="format",
    accepts=one_graph_outputs(),
    reads=reads_of(Path(__file__).with_name("items")),
    options=(NAME_OPTION,),
    backends=(USUAL_BACKEND,),
    commands=(
        "tar xzf {file}",
        "cd {name}-onnx",
        "pip install -r requirements.txt",
        "python predict.py --selftest",
    ),
)


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None) -> BuildReport:
    """Writes ``<name>-onnx.tar.gz``; see ``model_files_build``."""
    del model  # a file answers without naming it
    return model_files_build(FORMAT, artefact_dir, out_dir, str(options["name"]))


def estimate(artefact_dir: Path, options: dict[str, ParamValue]) -> int:
    """See ``Target``."""
    return model_files_estimate(FORMAT, artefact_dir, options)


TARGET = Target(spec=SPEC, build=build, estimate=estimate, missing=partial(model_files_missing, FORMAT))
