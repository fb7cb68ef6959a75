"""Opens what answers in an artefact: its graph, or the pipeline that joins its graphs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..backends import Backend, Graph
from ..listing import kind_of, modules_in
from .kind import Opener, Pipeline

PIPELINE_FILE = "pipeline.json"
"""``kind``, the module's name, and what it has to know."""
NAMES = modules_in([str(Path(__file__).parent)])
"""Of all kinds."""


def pipeline_of(spec: Mapping[str, Any], opened: Opener) -> Pipeline:
    """The pipeline of a specification.

    Args:
        spec: content of ``pipeline.json``.
        opened: opens a graph of the artefact by its file and the name of its output.

    Raises:
        ValueError: this runtime knows none of that kind.
        KeyError, TypeError: the specification is not by the contract.
    """
    pipeline: Pipeline = kind_of(__name__.rpartition(".")[0], NAMES, spec["kind"], of="pipeline")(spec, opened)
    return pipeline


def model_open(folder: Path, files: tuple[str, ...], backend: type[Backend], output: str) -> Graph | Pipeline:
    """What answers in an artefact: its graph, or its pipeline.

    Args:
        folder: of the artefact.
        files: that the manifest names beside the graph.
        backend: what runs graphs.
        output: of the graph, where it answers by itself.

    Raises:
        GraphError: a graph cannot be opened.
        OSError, ValueError, KeyError, TypeError: the pipeline's file cannot be read.
    """
    if PIPELINE_FILE not in files:
        return backend.open(folder / backend.files[0], output)
    return pipeline_open(folder, backend)


def pipeline_open(folder: Path, backend: type[Backend]) -> Pipeline:
    """The pipeline of an artefact. Errors as of ``model_open``."""
    spec = json.loads((folder / PIPELINE_FILE).read_bytes())
    return pipeline_of(spec, lambda name, output: backend.open(folder / name, output))
