"""ncnn opens ``model.param``, whose weights are in ``model.bin``."""

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


class Ncnn:
    """See ``Backend`` of the runtime."""

    name: ClassVar[str] = "ncnn"
    platform: ClassVar[str] = "ncnn"
    files: ClassVar[tuple[str, ...]] = ("model.param", FACTS_FILE, "model.bin")

    @staticmethod
    def is_there() -> bool:
        """See ``Backend``."""
        return find_spec("ncnn") is not None

    @staticmethod
    def version() -> str:
        """See ``Backend``."""
        import ncnn  # noqa: PLC0415 - optional

        return f"ncnn {ncnn.__version__}"

    @staticmethod
    def open(model: Path, output: str) -> DeviceGraph:
        """See ``Backend``."""
        del output  # there is no other
        import ncnn  # noqa: PLC0415 - optional

        net = ncnn.Net()
        net.opt.num_threads = 1
        # Rounded numbers are faster on phones, and differ by more than the samples may.
        net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = False
        net.opt.use_bf16_storage = False
        if net.load_param(str(model)) or net.load_model(str(model.with_suffix(".bin"))):
            raise GraphError(f"ncnn cannot open {model.name}")
        facts = json.loads((model.parent / FACTS_FILE).read_bytes())
        (taken,), given = ([each["name"] for each in facts[key]] for key in ("inputs", "outputs"))

        def answers(picture_1CSS: NDArray[np.float32]) -> Sequence[Any]:  # noqa: N803 - the suffix is the shape
            extractor = net.create_extractor()
            extractor.input(taken, ncnn.Mat(picture_1CSS[0]).clone())  # a Mat of an array does not keep it
            found = [extractor.extract(name) for name in given]
            if any(code for code, _ in found):
                raise GraphError("ncnn cannot run the model")
            return [np.array(values) for _, values in found]

        return DeviceGraph(model, answers)


BACKEND = Ncnn
