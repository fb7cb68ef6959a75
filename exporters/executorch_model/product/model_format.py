"""ExecuTorch opens ``model.pte``."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from device_graph import FACTS_FILE, DeviceGraph  # type: ignore[import-not-found]
from numpy.typing import NDArray

from runtime.backends.kind import GraphError


class ExecuTorch:
    """See ``Backend`` of the runtime."""

    name: ClassVar[str] = "executorch"
    platform: ClassVar[str] = "executorch"
    files: ClassVar[tuple[str, ...]] = ("model.pte", FACTS_FILE)

    @staticmethod
    def is_there() -> bool:
        """See ``Backend``."""
        return find_spec("executorch") is not None

    @staticmethod
    def version() -> str:
        """See ``Backend``."""
        from executorch.version import __version__  # noqa: PLC0415 - optional

        return f"executorch {__version__}"

    @staticmethod
    def open(model: Path, output: str) -> DeviceGraph:
        """See ``Backend``."""
        del output  # there is no other
        import torch  # noqa: PLC0415 - optional
        from executorch.runtime import Runtime  # noqa: PLC0415 - optional

        try:
            program = Runtime.get().load_program(str(model))
            method = program.load_method("forward")
        except Exception as error:
            raise GraphError(f"ExecuTorch cannot open {model.name}: {error}") from error

        def answers(picture_1CSS: NDArray[np.float32], _keep: object = program) -> Sequence[Any]:  # noqa: N803 - a shape
            """The method points into its program, which must live as long."""
            return [each.numpy().copy() for each in method.execute([torch.from_numpy(picture_1CSS)])]

        return DeviceGraph(model, answers)


BACKEND = ExecuTorch
