"""What the package of the C++ library weighs beside the model, without the runtime library that its user brings.

It is the archive that one downloads, with an empty file in place of the model. Unpacked it is four times as large: the headers
of ONNX Runtime and the picture decoder alone are 840 kB.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks._photo_graph import SIDE_PX, photo_graph
from benchmarks.harness import Claim, Options, main
from exporters.bundle import tar_write
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.cpp_library import assembled

MOST_KB = 1_000.0
MODEL = "artefact/model.onnx"


def measure(options: Options) -> list[Claim]:
    """One claim, the same at every size of the row."""
    with tempfile.TemporaryDirectory() as scratch:
        num_samples = options.pick(1, smoke=1)
        artefact = artefact_write(Path(scratch) / "artefact", model=photo_graph(), min_side_px=SIDE_PX, num_samples=num_samples)
        package, archive = assembled(artefact, Path(scratch)), Path(scratch) / "package.tar.gz"
        (package / MODEL).write_bytes(b"")
        tar_write(package, archive)
        kilobytes = archive.stat().st_size / 1e3
    metric = "kB of the C++ package beside the model; anchor: the most it may be"
    return [Claim("sdk_size", metric, kilobytes, MOST_KB, kilobytes / MOST_KB, 1.0, is_at_most=True)]


if __name__ == "__main__":
    main(measure)
