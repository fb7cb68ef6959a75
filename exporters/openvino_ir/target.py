"""The model as OpenVINO's intermediate representation, for Intel's processors, graphics and NPUs."""

from __future__ import annotations

from pathlib import Path

from automl.contracts.words import Words
from exporters._model_files.build import WEIGHTS_OPTION, Format, format_target
from exporters.answers import one_graph_outputs
from exporters.check import ENCODING_PACKAGES, OPENVINO

words = Words(__file__)

FORMAT = Format(
    name="openvino_ir",
    title="OpenVINO IR",
    suffix="openvino",
    packages=ENCODING_PACKAGES | OPENVINO,
    files=("model.xml", "model.bin"),
    converter=Path(__file__).with_name("convert.py"),
)
TARGET = format_target(
    FORMAT, words("title"), words("summary"), accepts=one_graph_outputs(), options=(WEIGHTS_OPTION,), backends=("openvino_f32",)
)
