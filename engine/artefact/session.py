"""Runs an artefact's graph as a server would: onnxruntime on the CPU, one thread unless told otherwise."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median

import numpy as np
import onnxruntime

LATENCY_ROUNDS = 15


class Session:
    """A loaded graph: pictures ``_BHWC`` uint8 or tokens ``_BT`` int64 in, one row of answers each out."""

    def __init__(self, path: Path, *, num_threads: int = 1):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = num_threads
        options.inter_op_num_threads = 1
        # A spinning thread takes the core from the other jobs of the host.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        (graph_input,) = self._session.get_inputs()
        self._input: str = graph_input.name

    def run(self, items_B: np.ndarray) -> np.ndarray:
        """Answers to pictures of one size or texts of one length, as the artefact's ``output`` says."""
        found: np.ndarray = self._session.run(None, {self._input: np.ascontiguousarray(items_B)})[0]
        return found

    def latency_ms(self, item: np.ndarray) -> float:
        """Median wall time of one answer."""
        times_s = []
        for _ in range(LATENCY_ROUNDS + 1):
            start_s = time.perf_counter()
            self.run(item[None])
            times_s.append(time.perf_counter() - start_s)
        return 1000.0 * median(times_s[1:])  # the first one still allocates
