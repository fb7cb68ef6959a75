"""The interface of a backend. Each is a module beside this one, with the class as ``KIND``, and imports its library late."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

ONNX_FILES = ("model.onnx",)
"""Of every artefact."""


class GraphError(Exception):
    """A graph cannot be opened, or cannot take values; says why."""


class Graph(Protocol):
    """A graph that is ready to run."""

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """Gives one output; several threads may ask at once.

        Args:
            feeds: all inputs by name, items along the first axis.

        Raises:
            GraphError: it cannot take these values.
        """


class Backend(Protocol):
    """A library, with what it computes in."""

    name: ClassVar[str]
    """That of the module."""
    platform: ClassVar[str]
    """What the Open Inference Protocol calls it."""
    files: ClassVar[tuple[str, ...]]
    """Names of the model's files; the first is the one to open."""

    @staticmethod
    def is_there() -> bool:
        """Whether the library is installed; imports nothing."""

    @staticmethod
    def version() -> str:
        """Name and version of the library."""

    @staticmethod
    def open(model: Path, output: str) -> Graph:
        """Opens a graph so that one thread runs it, or as many as ask at once.

        Args:
            model: the first of ``files``.
            output: the one that is asked for.

        Raises:
            GraphError: the library or this machine cannot run it.
        """
