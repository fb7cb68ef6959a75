"""The recurrent family: words in their order, from both ends, and the same answer by the exported graph at every length."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine.artefact.graph import export_graph
from engine.artefact.session import Session
from engine.data.text import PAD_ID
from engine.models.text_gru.network import TextGru, build


@pytest.fixture
def network():
    torch.manual_seed(0)
    return TextGru(8).eval()


def test_graph_answers_like_the_network_at_every_length(tmp_path):
    torch.manual_seed(0)
    model = build("small", 3).eval()
    path = tmp_path / "model.onnx"
    export_graph(
        model,
        torch.ones((2, 11), dtype=torch.int64),
        path,
        input_name="tokens",
        output_name="logits",
        dynamic_axes={0: "batch", 1: "length"},
    )
    session = Session(path)
    for lengths in ((1,), (2, 1), (7, 30, 1), (128, 5, 64, 64, 2), (0, 3)):
        tokens_BT = torch.full((len(lengths), max(lengths)), PAD_ID)
        for row, length in enumerate(lengths):
            tokens_BT[row, :length] = torch.randint(2, 8000, (length,))
        with torch.no_grad():
            expected = model(tokens_BT).numpy()
        np.testing.assert_allclose(session.run(tokens_BT.numpy()), expected, atol=1e-5)


def test_order_of_words_matters(network):
    one, other = network(torch.tensor([[5, 6, 7]])), network(torch.tensor([[7, 6, 5]]))
    assert not torch.allclose(one, other, atol=1e-3)


def test_both_ends_read_alike(network):
    """With the same weights, what the right row says of a text is what the left one says of it turned round."""
    network.from_right.load_state_dict(network.from_left.state_dict())
    text, turned = torch.tensor([[5, 6, 7, 8, PAD_ID]]), torch.tensor([[8, 7, 6, 5, PAD_ID]])
    from_left, from_right = network(text)[0].reshape(2, 2, 8).unbind(1)
    turned_left, turned_right = network(turned)[0].reshape(2, 2, 8).unbind(1)
    torch.testing.assert_close(from_right, turned_left)
    torch.testing.assert_close(turned_right, from_left)


def test_means_of_a_text_of_no_words_are_zero(network):
    features_D = network(torch.tensor([[PAD_ID, PAD_ID]]))[0]
    assert torch.isfinite(features_D).all()
    assert features_D[16:].abs().sum() == 0
