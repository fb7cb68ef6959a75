"""``python convert.py MODEL.onnx FOLDER fp32|fp16`` writes ``model.mnn``; needs nothing of ours.

The converter is called in its library: the command of the same name reports each conversion to its vendor. The same model gives
the same bytes: the random name that the converter gives its file is replaced by one that follows from the model.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
import tempfile
import uuid
from pathlib import Path

UNSUPPORTED = "These Op Not Support:"


def main(model: Path, folder: Path, weights: str) -> None:
    """Converts; ends with the names of the operations that the format lacks."""
    made = folder / "model.mnn"
    arguments = ["mnnconvert", "-f", "ONNX", "--modelFile", str(model), "--MNNModel", str(made), "--bizCode", "model"]
    arguments += ["--fp16"] if weights == "fp16" else []
    with tempfile.TemporaryFile() as output:  # what the library prints itself
        kept = os.dup(1)
        os.dup2(output.fileno(), 1)
        try:
            import _mnncengine  # type: ignore[import-not-found] # noqa: PLC0415 - prints when it is imported
            import _tools  # type: ignore[import-not-found] # noqa: PLC0415

            _tools.mnnconvert(arguments)
        finally:
            ctypes.CDLL(None).fflush(None)
            os.dup2(kept, 1)
        output.seek(0)
        printed = output.read().decode(errors="replace")
    if not made.exists():
        lines = [line.partition(UNSUPPORTED)[2] for line in printed.splitlines() if UNSUPPORTED in line]
        names = sorted({name.strip().removeprefix("ONNX::") for line in lines for name in line.split("|") if name.strip()})
        sys.exit(f"the format lacks {', '.join(names)}" if names else " ".join(printed.split())[-500:])
    given = _mnncengine.get_model_uuid(str(made))
    own = str(uuid.uuid5(uuid.NAMESPACE_OID, hashlib.sha256(model.read_bytes()).hexdigest()))
    made.write_bytes(made.read_bytes().replace(given.encode(), own.encode(), 1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
