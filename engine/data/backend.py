"""Runs a frozen backbone's ONNX graph with the fastest runtime at hand that gives the same features.

torch is the slowest way to run a network that is not trained (``benchmarks/features.py``). onnxruntime is always there.
OpenVINO in bfloat16 is faster still where the CPU has such instructions; it is used only after its features of the first
pictures came out like onnxruntime's.

Shapes: B batch, H height, W width, C colour channels (RGB), D features.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import numpy as np
import onnxruntime
from numpy.typing import NDArray

Backend = Literal["auto", "onnxruntime"]
Run = Callable[[NDArray[Any]], NDArray[np.float32]]

# bfloat16 keeps 8 bits: a sound graph stays near 1 %; a broken one is far off.
_MAX_RELATIVE_DIFFERENCE = 0.05
_COMPARED_ITEMS = 4


class FrozenBackbone:
    """A graph with one input, uint8 pictures BHWC or int64 tokens BT, and one float32 output BD."""

    def __init__(self, onnx_path: Path, num_threads: int = 1, backend: Backend = "auto"):
        """Loads the graph.

        Args:
            onnx_path: the graph.
            num_threads: threads of one call.
            backend: ``auto`` takes the fastest that agrees with onnxruntime; ``onnxruntime`` takes nothing else.
        """
        self.path = onnx_path
        self._run_exact = _onnxruntime(onnx_path, num_threads)
        self._run_fast = _openvino(onnx_path, num_threads) if backend == "auto" else None
        self._is_fast_checked = False

    @property
    def name(self) -> str:
        """The runtime in use: ``openvino-bf16`` or ``onnxruntime``."""
        return "onnxruntime" if self._run_fast is None else "openvino-bf16"

    def run(self, items_B: NDArray[Any]) -> NDArray[np.float32]:
        """Computes the features of a batch."""
        if self._run_fast is not None and not self._is_fast_checked:
            self._check_fast(items_B[:_COMPARED_ITEMS])
        return (self._run_fast or self._run_exact)(items_B)

    def _check_fast(self, items_B: NDArray[Any]) -> None:
        assert self._run_fast is not None
        exact_BD, fast_BD = self._run_exact(items_B), self._run_fast(items_B)
        difference = float(np.linalg.norm(fast_BD - exact_BD))
        if not difference <= _MAX_RELATIVE_DIFFERENCE * float(np.linalg.norm(exact_BD)):
            self._run_fast = None
        self._is_fast_checked = True


def _onnxruntime(onnx_path: Path, num_threads: int) -> Run:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = num_threads
    options.inter_op_num_threads = 1
    # A spinning thread takes the core from the other jobs of the host.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(onnx_path, options, providers=["CPUExecutionProvider"])
    (graph_input,) = session.get_inputs()
    return lambda items_B: session.run(None, {graph_input.name: np.ascontiguousarray(items_B)})[0]


def _openvino(onnx_path: Path, num_threads: int) -> Run | None:
    """OpenVINO in bfloat16; None when it is not installed or the CPU has no such instructions."""
    openvino = openvino_imported()
    if openvino is None:
        return None
    core = openvino.Core()
    if "BF16" not in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES"):
        return None
    config = {"INFERENCE_PRECISION_HINT": "bf16", "INFERENCE_NUM_THREADS": num_threads, "NUM_STREAMS": 1}
    model = core.compile_model(core.read_model(onnx_path), "CPU", config)
    request = model.create_infer_request()

    def run(items_B: NDArray[Any]) -> NDArray[np.float32]:
        result = request.infer([np.ascontiguousarray(items_B)], share_inputs=True)
        return result[0].copy()

    return run


def openvino_imported() -> Any:
    """OpenVINO without its telemetry package, which would report the import to its vendor; None where it is not installed."""
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type] # None makes the import fail, as documented
    try:
        import openvino  # noqa: PLC0415 - optional, slow, and only safe after the line above
    except ImportError:
        return None
    return openvino
