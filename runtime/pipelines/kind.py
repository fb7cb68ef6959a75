"""What a pipeline does. One module beside this one each, with the class as ``KIND``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from ..backends import Graph

Opener = Callable[[str, str], Graph]
"""Opens a graph by the name of its file and of the output that is asked for."""


class Pipeline(Protocol):
    """Answers as one graph would."""

    inputs: ClassVar[tuple[str, ...]]
    """Names of what it takes."""

    def __init__(self, spec: Mapping[str, Any], opened: Opener) -> None:
        """Opens the graphs that the specification names."""

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """Gives the answers to some items; several threads may ask at once. See ``Graph.run``."""
