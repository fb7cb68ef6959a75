"""``python -m {{package}} review.txt`` prints labels and scores; ``--selftest`` replays the golden samples.

``python -m {{package}} update FILE`` replaces the model alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from .model import MODELS, Model
from .runtime import selftest, updating
from .runtime.errors import RuntimeFault


def main() -> int:
    """Runs the command line."""
    if sys.argv[1:2] == ["update"]:
        return updating.main(MODELS, sys.argv[2:], prog="python -m {{package}} update")
    parser = argparse.ArgumentParser(prog="python -m {{package}}")
    parser.add_argument("files", nargs="*", help="text files in UTF-8")
    parser.add_argument("--top", type=int, help="at most so many labels (default: 5)")
    parser.add_argument("--threshold", type=float, help="lowest score, 0 to 1")
    parser.add_argument("--selftest", action="store_true", help="replay the golden samples and end")
    options = parser.parse_args()
    if options.selftest:
        return selftest.main(MODELS.current().artefact_dir)
    if not options.files:
        parser.error("name at least one file")
    model, num_failed = Model(), 0
    for file in options.files:
        try:
            answer = model.answer(Path(file).read_bytes(), top=options.top, threshold=options.threshold)
        except (RuntimeFault, OSError, ValueError) as error:
            sys.stderr.write(f"{file}: {error}\n")
            num_failed += 1
            continue
        sys.stdout.write(json.dumps({"file": file, **answer}, ensure_ascii=False) + "\n")
    return 1 if num_failed else 0


if __name__ == "__main__":
    sys.exit(main())
