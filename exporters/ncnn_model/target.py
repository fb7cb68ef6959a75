"""The model as ncnn, for phones and small boards."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from automl.contracts.family import ParamValue
from automl.contracts.target import BuildReport, Target, TargetSpec
from automl.contracts.task import OutputKind
from automl.contracts.words import Words
from exporters._model_files.build import (
    NAME_OPTION,
    WEIGHTS_OPTION,
    Format,
    device_format,
    model_files_build,
    model_files_estimate,
    model_files_missing,
)
from exporters.answers import device_outputs
from exporters.check import ENCODING_PACKAGES, NCNN
from exporters.items import reads_of

words = Words(__file__)

FORMAT = device_format(
    Format(
        target="ncnn_model",
        title="ncnn",
        suffix="ncnn",
        packages=ENCODING_PACKAGES | NCNN,
        files=("model.param", "model.bin"),
        converter=Path(__file__).with_name("convert.py"),
        converts_with=("pnnx",),
        extra="ncnn",
    )
)
SPEC = TargetSpec(
    name="ncnn_model",
    title=words("title"),
    summary=words("summary"),
    group="format",
    accepts=device_outputs() - {OutputKind.HEAT_MAP},
    reads=reads_of(Path(__file__).with_name("items")),
    options=(NAME_OPTION, WEIGHTS_OPTION),
    commands=(
        "tar xzf {file}",
        "cd {name}-ncnn",
        "pip install -r requirements.txt",
        "python predict.py --selftest",
    ),
)
"""Not heat maps, whose graphs take the largest of many values (TopK), which the format lacks."""


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None) -> BuildReport:
    """Writes ``<name>-ncnn.tar.gz``; see ``model_files_build``."""
    del model  # a file answers without naming it
    return model_files_build(FORMAT, artefact_dir, out_dir, str(options["name"]), (options["weights"],))


def estimate(artefact_dir: Path, options: dict[str, ParamValue]) -> int:
    """See ``Target``."""
    return model_files_estimate(FORMAT, artefact_dir, options)


TARGET = Target(spec=SPEC, build=build, estimate=estimate, missing=partial(model_files_missing, FORMAT))
