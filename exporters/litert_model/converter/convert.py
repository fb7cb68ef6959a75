"""``python convert.py MODEL.onnx FOLDER`` writes ``model.tflite`` beside the artefact in ``FOLDER``.

The graph becomes a torch program here, which ``write.py`` converts in the environment of the converter: that requires older
packages than ours. The file computes in 32-bit floats, as the trained model does.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - the name that everybody knows
from torch import Tensor

from exporters._device_graph.converters import torch_graph
from exporters._device_graph.converters.torch_graph import TorchGraph
from exporters._device_graph.errors import GraphNotCutError
from exporters._device_graph.graph import device_graph
from exporters.litert_model.target import FORMAT

LIMIT_S = 540


def main(folder: Path) -> None:
    """Converts; ends with the names of the operations that the format lacks."""
    warnings.simplefilter("ignore")  # of the libraries' own use of what others deprecate
    torch_graph.OPERATIONS |= {"Expand": _expand, "TopK": _top_k}
    try:
        graph = device_graph(folder)
        network = TorchGraph(graph.model).eval()
    except GraphNotCutError as error:
        sys.exit(str(error))
    example = torch.zeros(1, 3, graph.side_px, graph.side_px)
    with tempfile.TemporaryDirectory() as scratch:
        program = Path(scratch) / "network.pt2"
        try:
            # Without the marks of a trace, at which a second one stumbles.
            torch.export.save(torch.export.export(network, (example,)).run_decompositions({}), program)
        except Exception as error:  # noqa: BLE001 - the library's own have no common base
            sys.exit(" ".join(str(error).split())[-500:])
        _write(program, folder / FORMAT.files[0])
    graph.facts_write(folder, input_name="args_0", output_names=[f"output_{place}" for place in range(len(graph.outputs))])


def _expand(given: list[Any], _: torch_graph.Attributes) -> Tensor:
    """One cell to a whole map: the converter moves channels to the end, but not those of the shape that is broadcast to."""
    tensor: Tensor = given[0]
    shape: list[int] = given[1]
    if tensor.dim() == 4 and tuple(tensor.shape[2:]) == (1, 1):
        return F.interpolate(tensor, shape[2:], mode="nearest")
    return tensor.expand([-1 if length == 1 else length for length in shape])


def _top_k(given: list[Any], form: torch_graph.Attributes) -> tuple[Tensor, Tensor]:
    """Largest values by their places: where these are left out, the converter sorts, which the interpreter lacks."""
    axis = form.get("axis", -1)
    values, places = torch.topk(given[0], int(given[1][0]), dim=axis, largest=bool(form.get("largest", 1)))
    return (values + torch.gather(given[0], axis, places)) / 2, places


def _write(program: Path, file: Path) -> None:
    python = os.environ.get(FORMAT.converts_in) or sys.executable
    command = [python, "-I", str(Path(__file__).with_name("write.py")), str(program), str(file)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=LIMIT_S, check=False)
    except OSError as error:
        sys.exit(f"{FORMAT.converts_in} names no Python: {error}")
    if done.returncode:
        sys.exit(done.stderr.strip().rpartition("\n")[2] or "the converter crashed")


if __name__ == "__main__":
    main(Path(sys.argv[2]))
