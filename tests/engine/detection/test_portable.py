"""The shipped graph of a detector whose suppression and sizes differ from the one in the contract suite."""

from __future__ import annotations

import numpy as np
import torch

from engine.artefact.graph import export_graph
from engine.artefact.session import Session
from engine.models.yolo import network
from engine.tasks.object_detection import head
from engine.tasks.object_detection.portable import Portable, outputs


def test_graph_of_yolo_answers_as_torch_does_for_any_size_and_batch(tmp_path):
    torch.manual_seed(0)
    trunk = network.build("tiny")
    detector = head.build(trunk, trunk.num_features, 3).eval()
    for conv in detector.heads:  # fresh heads say next to nothing
        torch.nn.init.normal_(conv.weight, std=0.3)
    portable = Portable(detector, resolution_px=96, options={}).eval()
    path = tmp_path / "model.onnx"
    axes = {0: "batch", 1: "height", 2: "width"}
    example = torch.zeros((2, 300, 400, 3), dtype=torch.uint8)
    export_graph(portable, example, path, input_name="picture", output_name=outputs(3)[0].name, dynamic_axes=axes)
    session = Session(path)
    for shape in ((1, 50, 80, 3), (3, 200, 100, 3)):
        pictures = np.random.default_rng(len(shape)).integers(0, 256, shape, dtype=np.uint8)
        with torch.no_grad():
            expected = portable(torch.from_numpy(pictures)).numpy()
        assert (expected[..., 4] > 0.2).any()
        np.testing.assert_allclose(session.run(pictures), expected, atol=2e-4)
