"""Core ML opens ``model.mlpackage``; where there is no Core ML, torch computes what it says."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from device_graph import FACTS_FILE, DeviceGraph  # type: ignore[import-not-found]
from numpy.typing import NDArray

from runtime.backends.kind import GraphError

DATA = "model.mlpackage/Data/com.apple.CoreML"
IS_APPLE = sys.platform == "darwin"
Answers = Callable[[NDArray[np.float32]], Sequence[Any]]


class CoreML:
    """See ``Backend`` of the runtime."""

    name: ClassVar[str] = "coreml"
    platform: ClassVar[str] = "coreml"
    files: ClassVar[tuple[str, ...]] = (
        f"{DATA}/model.mlmodel",
        FACTS_FILE,
        f"{DATA}/weights/weight.bin",
        "model.mlpackage/Manifest.json",
    )

    @staticmethod
    def is_there() -> bool:
        """See ``Backend``."""
        return find_spec("coremltools") is not None

    @staticmethod
    def version() -> str:
        """See ``Backend``."""
        if IS_APPLE:
            import coremltools  # noqa: PLC0415 - optional

            return f"coremltools {coremltools.__version__}"
        import torch  # noqa: PLC0415 - optional

        return f"torch {torch.__version__.partition('+')[0]} in place of Core ML"

    @staticmethod
    def open(model: Path, output: str) -> DeviceGraph:
        """See ``Backend``."""
        del output  # there is no other
        package = model.parents[2]
        try:
            return DeviceGraph(package, _by_core_ml(package) if IS_APPLE else _by_torch(model))
        except Exception as error:
            raise GraphError(f"{package.name} cannot be opened: {error}") from error


def _by_core_ml(package: Path) -> Answers:
    import coremltools  # noqa: PLC0415 - optional

    # On the processor, in the floats of the file: other units round, and change the answers slightly.
    model = coremltools.models.MLModel(str(package), compute_units=coremltools.ComputeUnit.CPU_ONLY)
    names = [each.name for each in model.get_spec().description.output]

    def answers(picture_1CSS: NDArray[np.float32]) -> Sequence[Any]:  # noqa: N803 - a shape
        found = model.predict({"picture": picture_1CSS})
        return [found[name] for name in names]

    return answers


def _by_torch(model: Path) -> Answers:
    import torch  # noqa: PLC0415 - optional
    from mil_torch import Program  # type: ignore[import-not-found] # noqa: PLC0415 - imports torch

    program = Program(model)
    return lambda picture: [each.numpy() for each in program.run(torch.from_numpy(picture))]


BACKEND = CoreML
