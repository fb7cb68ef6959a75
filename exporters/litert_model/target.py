"""The model as a LiteRT file (once TensorFlow Lite), for apps on Android and small boards."""

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
from exporters.check import ENCODING_PACKAGES, LITERT
from exporters.items import reads_of

words = Words(__file__)

FORMAT = device_format(
    Format(
        target="litert_model",
        title="LiteRT",
        suffix="litert",
        packages=ENCODING_PACKAGES | LITERT,
        files=("model.tflite",),
        converter=Path(__file__).with_name("converter") / "convert.py",
        converts_with=("litert_torch",),
        converts_in="MODELYARD_LITERT_PYTHON",
        extra="litert",
    )
)
SPEC = TargetSpec(
    name="litert_model",
    title=words("title"),
    summary=words("summary"),
    group="format",
    accepts=device_outputs(),
    reads=reads_of(Path(__file__).with_name("items")),
    options=(NAME_OPTION,),
    commands=(
        "tar xzf {file}",
        "cd {name}-litert",
        "pip install -r requirements.txt",
        "python predict.py --selftest",
    ),
)


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None) -> BuildReport:
    """Writes ``<name>-litert.tar.gz``; see ``model_files_build``."""
    del model  # a file answers without naming it
    return model_files_build(FORMAT, artefact_dir, out_dir, str(options["name"]))


def estimate(artefact_dir: Path, options: dict[str, ParamValue]) -> int:
    """See ``Target``."""
    return model_files_estimate(FORMAT, artefact_dir, options)


TARGET = Target(spec=SPEC, build=build, estimate=estimate, missing=partial(model_files_missing, FORMAT))
