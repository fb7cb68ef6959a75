"""``python convert.py MODEL.onnx FOLDER`` writes ``model.pte`` beside the artefact in ``FOLDER``.

XNNPACK takes what it can of the graph; ExecuTorch's portable operations run the rest.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import to_edge_transform_and_lower

from exporters._device_graph.converters.torch_graph import TorchGraph
from exporters._device_graph.errors import GraphNotCutError
from exporters._device_graph.graph import device_graph


def main(folder: Path) -> None:
    """Converts; ends with the names of the operations that the format lacks."""
    warnings.simplefilter("ignore")  # of the libraries' own use of what others deprecate
    try:
        graph = device_graph(folder)
        network = TorchGraph(graph.model).eval()
    except GraphNotCutError as error:
        sys.exit(str(error))
    example = torch.zeros(1, 3, graph.side_px, graph.side_px)
    try:
        program = torch.export.export(network, (example,))
        lowered = to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()]).to_executorch()
    except Exception as error:  # noqa: BLE001 - the libraries' own have no common base
        sys.exit(" ".join(str(error).split())[-500:])
    (folder / "model.pte").write_bytes(lowered.buffer)
    graph.facts_write(folder)


if __name__ == "__main__":
    main(Path(sys.argv[2]))
