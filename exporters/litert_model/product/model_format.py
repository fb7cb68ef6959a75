"""LiteRT opens ``model.tflite``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from device_graph import FACTS_FILE, DeviceGraph  # type: ignore[import-not-found]
from numpy.typing import NDArray

from runtime.backends.kind import GraphError

INPUT = "args_0"
"""As the converter calls it."""


class LiteRT:
    """See ``Backend`` of the runtime."""

    name: ClassVar[str] = "litert"
    platform: ClassVar[str] = "litert"
    files: ClassVar[tuple[str, ...]] = ("model.tflite", FACTS_FILE)

    @staticmethod
    def is_there() -> bool:
        """See ``Backend``."""
        return find_spec("ai_edge_litert") is not None

    @staticmethod
    def version() -> str:
        """See ``Backend``."""
        import ai_edge_litert  # noqa: PLC0415 - optional

        return f"ai-edge-litert {ai_edge_litert.__version__}"

    @staticmethod
    def open(model: Path, output: str) -> DeviceGraph:
        """See ``Backend``."""
        del output  # there is no other
        from ai_edge_litert.interpreter import Interpreter  # noqa: PLC0415 - optional

        try:
            interpreter = Interpreter(str(model), num_threads=1)
            run = interpreter.get_signature_runner()
        except Exception as error:
            raise GraphError(f"LiteRT cannot open {model.name}: {error}") from error
        names = [each["name"] for each in json.loads((model.parent / FACTS_FILE).read_bytes())["outputs"]]

        def answers(picture_1CSS: NDArray[np.float32]) -> Sequence[Any]:  # noqa: N803 - a shape
            found = run(**{INPUT: picture_1CSS})
            return [found[name] for name in names]

        return DeviceGraph(model, answers)


BACKEND = LiteRT
