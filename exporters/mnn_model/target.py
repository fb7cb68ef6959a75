"""The model as MNN, for phones and small boards."""

from __future__ import annotations

from pathlib import Path

from automl.contracts.words import Words
from exporters._model_files.build import WEIGHTS_OPTION, Format, format_target
from exporters.answers import one_graph_outputs
from exporters.check import ENCODING_PACKAGES, MNN

words = Words(__file__)

FORMAT = Format(
    name="mnn_model",
    title="MNN",
    suffix="mnn",
    packages=ENCODING_PACKAGES | MNN,
    files=("model.mnn",),
    converter=Path(__file__).with_name("convert.py"),
)
TARGET = format_target(FORMAT, words("title"), words("summary"), accepts=one_graph_outputs(), options=(WEIGHTS_OPTION,))
"""Not of texts: of two families, batches of which were tried, answers differed by 0.01 and 0.06."""
