"""``python convert.py MODEL.onnx FOLDER`` writes ``model.mlpackage`` beside the artefact in ``FOLDER``.

The program computes in 32-bit floats, as the trained model does.
"""

from __future__ import annotations

import json
import logging
import sys
import warnings
from pathlib import Path

logging.disable(logging.ERROR)  # what it cannot load here, and that it has not tried this torch
warnings.simplefilter("ignore")  # of the libraries' own use of what others deprecate

import coremltools as ct  # noqa: E402 - it logs while it is imported
import torch  # noqa: E402

from exporters._device_graph.converters.torch_graph import TorchGraph  # noqa: E402
from exporters._device_graph.errors import GraphNotCutError  # noqa: E402
from exporters._device_graph.graph import INPUT, device_graph  # noqa: E402

PACKAGE = "model.mlpackage"
DATA = "com.apple.CoreML"
IDS = {"model.mlmodel": "00000000-0000-4000-8000-000000000001", "weights": "00000000-0000-4000-8000-000000000002"}
"""In place of random ones, so that the same model gives the same bytes."""


def main(folder: Path) -> None:
    """Converts; ends with the names of the operations that the format lacks."""
    try:
        graph = device_graph(folder)
        network = TorchGraph(graph.model).eval()
    except GraphNotCutError as error:
        sys.exit(str(error))
    example = torch.zeros(1, 3, graph.side_px, graph.side_px)
    names = [f"answer_{place}" for place in range(len(graph.outputs))]
    try:
        program = torch.export.export(network, (example,)).run_decompositions({})
        model = ct.convert(
            program,
            inputs=[ct.TensorType(name=INPUT, shape=example.shape)],
            outputs=[ct.TensorType(name=name) for name in names],
            convert_to="mlprogram",
            compute_precision=ct.precision.FLOAT32,
            minimum_deployment_target=ct.target.iOS15,
            skip_model_load=True,
        )
    except Exception as error:  # noqa: BLE001 - the libraries' own have no common base
        sys.exit(" ".join(str(error).split())[-500:])
    model.save(str(folder / PACKAGE))
    program_file = folder / PACKAGE / "Data" / DATA / "model.mlmodel"
    program_file.write_bytes(model.get_spec().SerializeToString(deterministic=True))
    _tidy(folder / PACKAGE)
    graph.facts_write(folder, input_name=INPUT, output_names=names)


def _tidy(package: Path) -> None:
    """Leaves the program and its weights alone, with names in the manifest that do not change from run to run."""
    for left in package.glob("*.json"):
        left.unlink()
    weights = package / "Data" / DATA / "weights" / "weight.bin"
    weights.parent.mkdir(exist_ok=True)
    weights.touch()  # small models keep all their numbers in the program
    entries = {
        number: {"author": DATA, "description": "", "name": name, "path": f"{DATA}/{name}"} for name, number in IDS.items()
    }
    manifest = {"fileFormatVersion": "1.0.0", "itemInfoEntries": entries, "rootModelIdentifier": IDS["model.mlmodel"]}
    (package / "Manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[2]))
