"""Runs an artefact's graph as a server would: onnxruntime on the CPU, one thread unless told otherwise."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median

import numpy as np
import onnxruntime

LATENCY_ROUNDS = 15


class Session:
    """A loaded graph: pictures ``_BHWC`` uint8 in, scores ``_BL`` out."""

    def __init__(self, path: Path, *, num_threads: int = 1):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = num_threads
        options.inter_op_num_threads = 1
        # A spinning thread takes the core from the other jobs of the host.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def scores(self, pictures_BHWC: np.ndarray) -> np.ndarray:
        """Scores ``_BL`` of pictures of one size."""
        found: np.ndarray = self._session.run(None, {"picture": np.ascontiguousarray(pictures_BHWC)})[0]
        return found

    def latency_ms(self, picture_HWC: np.ndarray) -> float:
        """Median wall time of one answer."""
        times_s = []
        for _ in range(LATENCY_ROUNDS + 1):
            start_s = time.perf_counter()
            self.scores(picture_HWC[None])
            times_s.append(time.perf_counter() - start_s)
        return 1000.0 * median(times_s[1:])  # the first one still allocates
