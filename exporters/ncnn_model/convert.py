"""``python convert.py MODEL.onnx FOLDER fp32|fp16`` writes ``model.param`` and ``model.bin`` beside the artefact in ``FOLDER``.

The converter is a program in the package ``pnnx``, which is called as such: its Python part imports torch for nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import onnx

from exporters._device_graph.errors import GraphNotCutError
from exporters._device_graph.graph import device_graph

LIMIT_S = 300


def main(folder: Path, weights: str) -> None:
    """Converts; ends with the names of the operations that the format lacks."""
    try:
        graph = device_graph(folder)
    except GraphNotCutError as error:
        sys.exit(str(error))
    (folder_of_converter,) = find_spec("pnnx").submodule_search_locations  # type: ignore[union-attr, misc]
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        onnx.save(graph.model, place / "model.onnx")
        command = [
            str(Path(folder_of_converter) / ("pnnx.exe" if os.name == "nt" else "pnnx")),
            "model.onnx",
            f"fp16={int(weights == 'fp16')}",
        ]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=LIMIT_S, check=False)
        layers = place / "model.ncnn.param"
        if not layers.exists():
            last = (done.stderr + done.stdout).strip().splitlines()[-1:]
            sys.exit(f"pnnx cannot convert the graph: {''.join(last)[-300:]}")
        lacking = _lacking(layers.read_text())
        if lacking:
            sys.exit(f"the format lacks {', '.join(lacking)}")
        for made in ("param", "bin"):
            (folder / f"model.{made}").write_bytes((place / f"model.ncnn.{made}").read_bytes())
    graph.facts_write(folder, input_name="in0", output_names=[f"out{place}" for place in range(len(graph.outputs))])


def _lacking(layers: str) -> list[str]:
    """Operations among the layers that the library does not have; their lines follow the file's number and two counts."""
    import ncnn  # noqa: PLC0415 - only where there is something to look up

    names = {line.split()[0] for line in layers.splitlines()[2:] if line.strip()}
    return sorted(name for name in names if ncnn.layer_to_index(name) < 0)


if __name__ == "__main__":
    main(Path(sys.argv[2]), sys.argv[3])
