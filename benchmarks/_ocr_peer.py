"""The side of ``benchmarks.ocr`` that another package is on: RapidOCR reads pages.

Run by the Python that MODELYARD_OCR_PYTHON names; nothing of ours is imported. Reads the path of a picture a line, answers with
one line of JSON: seconds of processor time and the lines that were read.
"""

from __future__ import annotations

import json
import os
import sys
import time

os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})

import cv2
from rapidocr import RapidOCR

_ONE_THREAD = {
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    "Global.log_level": "critical",
}


def main() -> None:
    """Answers until nothing more is asked."""
    cv2.setNumThreads(1)
    reader = RapidOCR(params=_ONE_THREAD)
    for line in sys.stdin:
        picture = cv2.imread(line.rstrip("\n"))
        start = time.process_time()
        found = reader(picture)
        seconds = time.process_time() - start
        print(json.dumps({"seconds": seconds, "lines": list(found.txts or ())}), flush=True)


if __name__ == "__main__":
    main()
