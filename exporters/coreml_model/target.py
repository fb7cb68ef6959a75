"""The model as a Core ML program, for apps on iOS and macOS."""

from __future__ import annotations

from pathlib import Path

from automl.contracts.words import Words
from exporters._model_files.build import Format, device_format, format_target
from exporters.answers import device_outputs
from exporters.check import COREML, ENCODING_PACKAGES

words = Words(__file__)

DATA = "model.mlpackage/Data/com.apple.CoreML"
FORMAT = device_format(
    Format(
        name="coreml_model",
        title="Core ML",
        suffix="coreml",
        packages=ENCODING_PACKAGES | COREML,
        files=(f"{DATA}/model.mlmodel", f"{DATA}/weights/weight.bin", "model.mlpackage/Manifest.json"),
        converter=Path(__file__).with_name("converter") / "convert.py",
        extra="coreml",
        only_on="darwin",
    )
)
TARGET = format_target(FORMAT, words("title"), words("summary"), accepts=device_outputs())
