"""``python -m {{package}} picture.jpg`` prints labels and scores; ``--selftest`` replays the golden samples.

``python -m {{package}} update FILE`` replaces the model alone.
"""

from __future__ import annotations

import argparse
import json
import sys

from .model import MODELS, Model
from .runtime import selftest, updating
from .runtime.errors import RuntimeFault


def main() -> int:
    """Runs the command line."""
    if sys.argv[1:2] == ["update"]:
        return updating.main(MODELS, sys.argv[2:], prog="python -m {{package}} update")
    parser = argparse.ArgumentParser(prog="python -m {{package}}")
    parser.add_argument("pictures", nargs="*", help="picture files")
    parser.add_argument(
        "--top", type=int, help="at most so many labels, boxes or masks (default: 5 labels, 100 boxes or masks)"
    )
    parser.add_argument("--threshold", type=float, help="lowest score, 0 to 1")
    parser.add_argument("--selftest", action="store_true", help="replay the golden samples and end")
    options = parser.parse_args()
    if options.selftest:
        return selftest.main(MODELS.current().artefact_dir)
    if not options.pictures:
        parser.error("name at least one picture")
    model, num_failed = Model(), 0
    for picture in options.pictures:
        try:
            answer = model.answer(picture, top=options.top, threshold=options.threshold)
        except (RuntimeFault, OSError, ValueError) as error:
            sys.stderr.write(f"{picture}: {error}\n")
            num_failed += 1
            continue
        sys.stdout.write(json.dumps({"picture": picture, **answer}, ensure_ascii=False) + "\n")
    return 1 if num_failed else 0


if __name__ == "__main__":
    sys.exit(main())
