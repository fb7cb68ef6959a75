"""Metadata in the ONNX file, for readers that have that file alone, such as Netron or another server."""

from __future__ import annotations

import json
from pathlib import Path

import onnx

from automl.contracts.artefact import ArtefactManifest

PRODUCER = "Modelyard"


def metadata_of(manifest: ArtefactManifest) -> dict[str, str]:
    """Entries of the model's ``metadata_props``; lists and objects are JSON.

    ``labels`` are in the order of the scores, ``thresholds`` map a label to its recommended score, ``inputs`` and ``outputs``
    hold name, dtype, axes and unit of each tensor, ``decode`` describes how a file or a row becomes the input.
    """
    tensors = {"inputs": manifest.inputs, "outputs": manifest.outputs}
    return {
        "task": manifest.task,
        "output": str(manifest.output),
        "labels": _json(manifest.label_set.names),
        "thresholds": _json(dict(manifest.thresholds)),
        **{name: _json([each.model_dump(mode="json") for each in specs]) for name, specs in tensors.items()},
        "decode": _json(manifest.decode.model_dump(mode="json")),
        "tolerance": str(manifest.tolerance),
    }


def metadata_write(path: Path, manifest: ArtefactManifest) -> None:
    """Writes the entries into an ONNX file; the graph stays as it is, and the same manifest gives the same bytes."""
    model = onnx.load(path)
    model.producer_name, model.producer_version = PRODUCER, manifest.lineage.code
    onnx.helper.set_model_props(model, metadata_of(manifest))
    path.write_bytes(model.SerializeToString(deterministic=True))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
