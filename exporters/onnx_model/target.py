"""The model as ONNX, by itself."""

from __future__ import annotations

from automl.contracts.words import Words
from exporters._model_files.build import Format, format_target
from exporters.answers import one_graph_outputs
from exporters.bundle import USUAL_BACKEND
from exporters.check import RUNTIME_PACKAGES

words = Words(__file__)

FORMAT = Format(name="onnx_model", title="ONNX", suffix="onnx", packages=RUNTIME_PACKAGES)
TARGET = format_target(FORMAT, words("title"), words("summary"), accepts=one_graph_outputs(), backends=(USUAL_BACKEND,))
