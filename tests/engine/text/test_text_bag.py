"""The bag of runs: rows found without searching, sums that padding does not touch, the same answers by the exported graph."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine.artefact.graph import export_graph
from engine.artefact.session import Session
from engine.data.text import PAD_ID
from engine.models.text_bag.family import CHANNELS, LONGEST, NUM_IDS, NUM_SLOTS
from engine.models.text_bag.network import TextBag, build


@pytest.fixture
def network():
    torch.manual_seed(0)
    return TextBag(NUM_SLOTS["64k"]).eval()


def test_graph_of_plain_operators_answers_like_the_network_at_every_length(tmp_path):
    torch.manual_seed(0)
    model = build("64k", 3).eval()
    path = tmp_path / "model.onnx"
    axes = {0: "batch", 1: "length"}
    export_graph(
        model, torch.ones((2, 11), dtype=torch.int64), path, input_name="tokens", output_name="logits", dynamic_axes=axes
    )
    session = Session(path)
    for lengths in ((1,), (2, 1), (7, 30, 1), (128, 5, 64, 64, 2), (0, 3)):
        tokens_BT = torch.full((len(lengths), max(lengths)), PAD_ID)
        for row, length in enumerate(lengths):
            tokens_BT[row, :length] = torch.randint(2, NUM_IDS, (length,))
        with torch.no_grad():
            expected = model(tokens_BT).numpy()
        np.testing.assert_allclose(session.run(tokens_BT.numpy()), expected, atol=1e-5)


def test_features_are_the_rows_of_all_runs_added_up(network):
    text, places = [5, 6, 7, 6], [network.get_buffer(f"places_{place}_IN") for place in range(LONGEST)]
    expected_D = torch.zeros(CHANNELS)
    for start in range(len(text)):
        for length in range(1, min(LONGEST, len(text) - start) + 1):
            row = sum(int(places[place][text[start + place], length - 1]) for place in range(length))
            expected_D += network.slots.weight[row]
    expected_D = (expected_D / np.sqrt(LONGEST * len(text))).clamp(min=0)
    torch.testing.assert_close(network(torch.tensor([[*text, PAD_ID, PAD_ID]]))[0], expected_D)


def test_rows_lie_in_the_table_and_most_runs_have_one_alone(network):
    rows_BTN = network.rows(torch.randint(2, NUM_IDS, (50, 200)))
    assert rows_BTN.min() == 0
    assert rows_BTN.max() < NUM_SLOTS["64k"]
    assert (rows_BTN == 0).sum() == 50 * 3, "the last two characters begin three runs that reach beyond"
    assert len(rows_BTN[..., 2].unique()) > 0.85 * 50 * 198


def test_order_of_characters_matters(network):
    one, other = network(torch.tensor([[5, 6, 7]])), network(torch.tensor([[7, 6, 5]]))
    assert not torch.allclose(one, other, atol=1e-3)


def test_text_of_no_characters_has_no_features(network):
    assert network(torch.tensor([[PAD_ID, PAD_ID]])).abs().sum() == 0


def test_characters_have_the_same_rows_in_every_model():
    torch.manual_seed(1)
    one = TextBag(1024)
    torch.manual_seed(2)
    other = TextBag(1024)
    assert all(torch.equal(*pair) for pair in zip(one.buffers(), other.buffers(), strict=True))
