"""The model as an ExecuTorch program, for apps on Android and iOS."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from automl.contracts.family import ParamValue
from automl.contracts.target import BuildReport, Target, TargetSpec
from automl.contracts.words import Words
from exporters._model_files.build import (
    NAME_OPTION,
    Format,
    device_format,
    model_files_build,
    model_files_estimate,
    model_files_missing,
)
from exporters.answers import device_outputs
from exporters.check import ENCODING_PACKAGES, EXECUTORCH
from exporters.items import reads_of

words = Words(__file__)

FORMAT = device_format(
    Format(
        target="executorch_model",
        title="ExecuTorch",
        suffix="executorch",
        packages=ENCODING_PACKAGES | EXECUTORCH,
        files=("model.pte",),
        converter=Path(__file__).with_name("converter") / "convert.py",
        extra="executorch",
    )
)
SPEC = TargetSpec(
    name="executorch_model",
    title=words("title"),
    summary=words("summary"),
    group="format",
    accepts=device_outputs(),
    reads=reads_of(Path(__file__).with_name("items")),
    options=(NAME_OPTION,),
    commands=(
        "tar xzf {file}",
        "cd {name}-executorch",
        "pip install -r requirements.txt",
        "python predict.py --selftest",
    ),
)


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None) -> BuildReport:
    """Writes ``<name>-executorch.tar.gz``; see ``model_files_build``."""
    del model  # a file answers without naming it
    return model_files_build(FORMAT, artefact_dir, out_dir, str(options["name"]))


def estimate(artefact_dir: Path, options: dict[str, ParamValue]) -> int:
    """See ``Target``."""
    return model_files_estimate(FORMAT, artefact_dir, options)


TARGET = Target(spec=SPEC, build=build, estimate=estimate, missing=partial(model_files_missing, FORMAT))
