"""No parity, no artefact; and the same weights give the same bytes."""

from __future__ import annotations

import hashlib
import shutil

import numpy as np
import onnx
import pytest
import torch
from safetensors.torch import load_file

from automl.contracts.artefact import ArtefactManifest, GoldenSamples
from automl.contracts.task import OutputKind
from engine.artefact.graph import export_graph
from engine.artefact.metadata import metadata_write
from engine.artefact.write import OWN_TOLERANCE, ArtefactWriter, GoldenInputs
from engine.data.image import decode_picture
from engine.data.version import DatasetVersion
from engine.errors import ParityError
from engine.items.image.kind import ImageReader
from engine.models.resnet import network
from engine.tasks.image_classification import head, portable
from tests.engine.golden import replayed


@pytest.fixture
def folder(trained, tmp_path):
    return shutil.copytree(trained / "artefact", tmp_path / "artefact")


def _model(trained):
    model = head.build(network.build("18"), 512, 4)
    model.load_state_dict(load_file(trained / "artefact" / "weights.safetensors"))
    return model


def _shipped(model):
    return portable.Portable(model, resolution_px=64, options={"labels": "one"})


def _export(model, path, cache_dir):
    example, axes = torch.zeros((2, 300, 400, 3), dtype=torch.uint8), {0: "batch", 1: "height", 2: "width"}
    export_graph(
        _shipped(model), example, path, input_name="picture", output_name="scores", dynamic_axes=axes, cache_dir=cache_dir
    )


def test_exported_graph_answers_like_the_model(folder):
    assert replayed(folder, 1e-5) <= 1e-5


def test_one_flipped_weight_is_caught(probed, tmp_path):
    folder = shutil.copytree(probed / "artefact", tmp_path / "artefact")
    assert replayed(folder, OWN_TOLERANCE) <= OWN_TOLERANCE
    model = onnx.load(folder / "model.onnx")
    (head_weights,) = (tensor for tensor in model.graph.initializer if tensor.name.endswith("head.weight"))
    values = onnx.numpy_helper.to_array(head_weights).copy()
    values.reshape(-1)[np.abs(values).argmax()] *= -1
    head_weights.CopyFrom(onnx.numpy_helper.from_array(values, head_weights.name))
    onnx.save(model, folder / "model.onnx")
    with pytest.raises(ParityError) as caught:
        replayed(folder, OWN_TOLERANCE)
    assert caught.value.code == "parity_failed"


def test_swapped_samples_are_caught(folder):
    path = folder / "samples" / "expected.json"
    golden = GoldenSamples.read(path)
    scores = tuple(reversed(golden.samples[0].scores))
    assert scores != golden.samples[0].scores
    golden.model_copy(update={"samples": (golden.samples[0].model_copy(update={"scores": scores}),)}).write(path)
    with pytest.raises(ParityError):
        replayed(folder, 1e-5)


def test_failed_parity_leaves_no_artefact(trained, cache_dir, tmp_path):
    version = DatasetVersion.open(trained / "data")
    writer = ArtefactWriter(tmp_path / "artefact", cache_dir=cache_dir)
    model = _model(trained)
    labels, reader = version.manifest.label_set.names, ImageReader(64)
    golden = GoldenInputs(version, version.records(), labels, reader, OutputKind.CLASS_SCORES, "scores")
    writer.write_model(model, _shipped(model), golden)
    other = _model(trained)
    torch.nn.init.normal_(other.head.weight)
    _export(other, writer.model_path, cache_dir)
    with pytest.raises(ParityError):
        writer.check_parity(portable.decode(64), OutputKind.CLASS_SCORES)
    assert not (tmp_path / "artefact").exists()


def test_two_exports_are_equal_to_the_byte_and_to_the_one_of_training(trained, cache_dir, tmp_path):
    """One that traces anew, and one whose structure was traced before."""
    model = _model(trained)
    digests = set()
    for name, cache in (("a.onnx", None), ("b.onnx", cache_dir)):
        _export(model, tmp_path / name, cache)
        metadata_write(tmp_path / name, ArtefactManifest.read(trained / "artefact" / "artefact.json"))
        digests.add(hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())
    digests.add(hashlib.sha256((trained / "artefact" / "model.onnx").read_bytes()).hexdigest())
    assert len(digests) == 1


def test_samples_are_small_lossless_and_of_different_labels(folder):
    golden = GoldenSamples.read(folder / "samples" / "expected.json")
    assert len(golden.samples) == 8
    manifest = ArtefactManifest.read(folder / "artefact.json")
    assert golden.labels == manifest.label_set.names
    for sample in golden.samples:
        picture_HWC = decode_picture((folder / "samples" / sample.file).read_bytes())
        assert max(picture_HWC.shape[:2]) < 2 * manifest.decode.min_side_px


def test_weights_can_be_trained_on(trained):
    model = _model(trained).train()
    model(torch.rand(2, 3, 64, 64) * 255).sum().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())
