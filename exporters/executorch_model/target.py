"""The model as an ExecuTorch program, for apps on Android and iOS."""

from __future__ import annotations

from pathlib import Path

from automl.contracts.words import Words
from exporters._model_files.build import Format, device_format, format_target
from exporters.answers import device_outputs
from exporters.check import ENCODING_PACKAGES, EXECUTORCH

words = Words(__file__)

FORMAT = device_format(
    Format(
        name="executorch_model",
        title="ExecuTorch",
        suffix="executorch",
        packages=ENCODING_PACKAGES | EXECUTORCH,
        files=("model.pte",),
        converter=Path(__file__).with_name("converter") / "convert.py",
        extra="executorch",
    )
)
TARGET = format_target(FORMAT, words("title"), words("summary"), accepts=device_outputs())
