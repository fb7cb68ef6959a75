"""What the C++ library adds to a run of the graph.

The library is called through its C functions, the bare session of ONNX Runtime through Python, both with the pixels of one
picture, on one thread, in turns call by call; processor time counts. To call a C function from Python takes some microseconds
that are counted as ours.
"""

from __future__ import annotations

import ctypes
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime

from benchmarks._photo_graph import SIDE_PX, photo_graph
from benchmarks.harness import Claim, Options, SkippedError, main
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.cpp_library import Answer, Model, library_built
from tests.support import once

TARGET = 1.05
MODEL = "model.onnx"


def measure(options: Options) -> list[Claim]:
    """One claim."""
    with tempfile.TemporaryDirectory() as scratch:
        artefact = artefact_write(Path(scratch) / "artefact", model=photo_graph(), min_side_px=SIDE_PX, num_samples=1)
        try:
            once.folder_open()
            library, _ = library_built(artefact)
        except AssertionError as error:
            raise SkippedError(f"the library is not built: {str(error)[:200]}") from error
        ours, bare = _turns(library, artefact, options)
    ratio = statistics.median(one / other for one, other in zip(ours, bare, strict=True))
    metric = "ms a prediction in C++; anchor: bare onnxruntime"
    middle = 1e3 * statistics.median(ours), 1e3 * statistics.median(bare)
    return [Claim("sdk_overhead", metric, *middle, ratio, TARGET, is_at_most=True)]


def _turns(library: ctypes.CDLL, artefact: Path, options: Options) -> tuple[list[float], list[float]]:
    """Seconds a call of both, a median each round."""
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(artefact / MODEL), settings, providers=["CPUExecutionProvider"])
    model = Model(library, artefact, num_threads=1)
    pixels_HWC = (np.arange(SIDE_PX * SIDE_PX * 3) * 7919 % 251).astype(np.uint8).reshape(SIDE_PX, SIDE_PX, 3)
    raw, sizes = pixels_HWC.tobytes(), (SIDE_PX, SIDE_PX, 3, ctypes.c_size_t(0))

    def with_library() -> None:
        answer = ctypes.POINTER(Answer)()
        status = library.modelyard_predict_pixels(model.handle, raw, *sizes, None, ctypes.byref(answer))
        assert status == 0, model.message()
        library.modelyard_answer_free(answer)

    def with_session() -> None:
        session.run(None, {"picture": pixels_HWC[None]})

    contestants: dict[str, Callable[[], None]] = {"ours": with_library, "bare": with_session}
    medians: dict[str, list[float]] = {"ours": [], "bare": []}
    for number in range(options.num_rounds + 1):
        taken: dict[str, list[float]] = {"ours": [], "bare": []}
        for call in range(options.pick(100, smoke=2, quick=30)):
            for name in ("ours", "bare") if call % 2 else ("bare", "ours"):
                began_s = time.process_time()
                contestants[name]()
                taken[name].append(time.process_time() - began_s)
        if number:
            for name, times in taken.items():
                medians[name].append(statistics.median(times))
    model.close()
    return medians["ours"], medians["bare"]


if __name__ == "__main__":
    main(measure)
