"""Gated recurrent units in torch and in ONNX: the same answers, at every length, however often they are exported."""

import numpy as np
import onnx
import pytest
import torch
from torch import nn

from engine.artefact.graph import export_graph
from engine.artefact.session import Session
from engine.errors import ParityError
from engine.kernels.gru import op, reference


class _Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.GRU(5, 7, batch_first=True)

    def forward(self, x):
        return op.forward(self.layer, x).amax(dim=1)


def test_every_export_in_a_process_answers_at_every_length(tmp_path):
    torch.manual_seed(0)
    model = _Network()
    for number in range(3):
        path = tmp_path / f"{number}.onnx"
        export_graph(
            model, torch.zeros(2, 11, 5), path, input_name="x", output_name="y", dynamic_axes={0: "batch", 1: "length"}
        )
        assert [node.op_type for node in onnx.load(path).graph.node].count("GRU") == 1
        session = Session(path)
        for shape in ((1, 1, 5), (3, 29, 5)):
            x = torch.randn(shape)
            with torch.no_grad():
                np.testing.assert_allclose(session.run(x.numpy()), model(x).numpy(), atol=1e-5)
    assert (tmp_path / "0.onnx").read_bytes() == (tmp_path / "2.onnx").read_bytes()


def test_the_operator_equals_the_layer():
    layer = nn.GRU(5, 7, batch_first=True)
    x = torch.randn(2, 9, 5)
    states = op.gru(x, layer.weight_ih_l0, layer.weight_hh_l0, layer.bias_ih_l0, layer.bias_hh_l0)
    torch.testing.assert_close(states, layer(x)[0])


@pytest.mark.parametrize("shape", [(1, 1, 5), (3, 17, 5)])
def test_the_operator_and_its_gradients_equal_the_reference(shape):
    torch.manual_seed(0)
    layer, x = nn.GRU(5, 7, batch_first=True), torch.randn(shape, requires_grad=True)
    weights = [layer.weight_ih_l0, layer.weight_hh_l0, layer.bias_ih_l0, layer.bias_hh_l0]
    torch.testing.assert_close(op.gru(x, *weights), reference.gru(x, *weights))
    factors = torch.randn((*shape[:2], 7))
    found, true = (
        torch.autograd.grad((states * factors).sum(), [x, *weights])
        for states in (op.forward(layer, x), reference.gru(x, *weights))
    )
    torch.testing.assert_close(found, true)


def test_another_kind_of_layer_is_refused():
    with pytest.raises(ValueError, match="one direction"):
        op.forward(nn.GRU(5, 7, batch_first=True, bidirectional=True), torch.zeros(1, 2, 5))


def test_an_axis_that_the_graph_fixes_is_reported(tmp_path):
    class FixedLength(nn.Module):
        """Takes sequences of eleven steps only."""

        def forward(self, x):
            return x.reshape(2, 55).amax(dim=1)

    with pytest.raises(ParityError, match="length"):
        export_graph(
            FixedLength(),
            torch.zeros(2, 11, 5),
            tmp_path / "fixed.onnx",
            input_name="x",
            output_name="y",
            dynamic_axes={1: "length"},
        )
