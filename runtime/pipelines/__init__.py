"""Pipelines: models of several graphs with something between them. A module each, found by the name in ``pipeline.json``.

A model of one graph has no such file: the graph's output is its answer.
"""

from ._open import NAMES, PIPELINE_FILE, model_open, pipeline_of, pipeline_open
from .kind import Pipeline

__all__ = ["NAMES", "PIPELINE_FILE", "Pipeline", "model_open", "pipeline_of", "pipeline_open"]
