"""The model as a LiteRT file (once TensorFlow Lite), for apps on Android and small boards."""

from __future__ import annotations

from pathlib import Path

from automl.contracts.words import Words
from exporters._model_files.build import Format, device_format, format_target
from exporters.answers import device_outputs
from exporters.check import ENCODING_PACKAGES, LITERT

words = Words(__file__)

FORMAT = device_format(
    Format(
        name="litert_model",
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
TARGET = format_target(FORMAT, words("title"), words("summary"), accepts=device_outputs())
