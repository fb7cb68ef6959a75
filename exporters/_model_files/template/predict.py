"""``python predict.py FILE ...`` prints what the model answers; ``--selftest`` replays the golden samples."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from model_format import BACKEND

from runtime import selftest
from runtime.errors import RuntimeFault
from runtime.predictor import Predictor

MODEL_DIR = Path(__file__).resolve().parent / "model"


def main() -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", help="a picture, a text in UTF-8 or a row as JSON: what the model reads")
    parser.add_argument("--top", type=int, help="at most so many annotations")
    parser.add_argument("--threshold", type=float, help="lowest score, 0 to 1")
    parser.add_argument("--selftest", action="store_true", help="replay the golden samples and end")
    options = parser.parse_args()
    if options.selftest:
        return selftest.main(MODEL_DIR, BACKEND)
    if not options.files:
        parser.error("name at least one file")
    predictor, num_failed = Predictor(), 0
    predictor.setup(MODEL_DIR, BACKEND)
    for file in options.files:
        try:
            item = predictor.decode(Path(file).read_bytes())
            answer = predictor.predict(item)
            annotations = predictor.encode(answer, item, top=options.top, threshold=options.threshold)
            beside = predictor.beside(answer)
        except (RuntimeFault, OSError, ValueError) as error:
            sys.stderr.write(f"{file}: {error}\n")
            num_failed += 1
            continue
        sys.stdout.write(json.dumps({"file": file, "annotations": annotations, **beside}, ensure_ascii=False) + "\n")
    return 1 if num_failed else 0


if __name__ == "__main__":
    sys.exit(main())
