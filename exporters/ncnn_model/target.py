"""The model as ncnn, for phones and small boards."""

from __future__ import annotations

from pathlib import Path

from automl.contracts.task import OutputKind
from automl.contracts.words import Words
from exporters._model_files.build import WEIGHTS_OPTION, Format, device_format, format_target
from exporters.answers import device_outputs
from exporters.check import ENCODING_PACKAGES, NCNN

words = Words(__file__)

FORMAT = device_format(
    Format(
        name="ncnn_model",
        title="ncnn",
        suffix="ncnn",
        packages=ENCODING_PACKAGES | NCNN,
        files=("model.param", "model.bin"),
        converter=Path(__file__).with_name("convert.py"),
        converts_with=("pnnx",),
        extra="ncnn",
    )
)
TARGET = format_target(
    FORMAT, words("title"), words("summary"), accepts=device_outputs() - {OutputKind.HEAT_MAP}, options=(WEIGHTS_OPTION,)
)
"""Not heat maps, whose graphs take the largest of many values (TopK), which the format lacks."""
