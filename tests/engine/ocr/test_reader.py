"""Networks that find and read lines, what they learn from, and how they are judged."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from PIL import Image

from automl.contracts.dataset import Split
from engine.data.version import DatasetVersion
from engine.models.pp_ocr import network
from engine.tasks.ocr import data, example, metrics
from engine.tasks.shared.edits import confusions, num_edits
from engine.tasks.shared.line_graphs import LineReader, folded
from engine.training.reading.batches import LineBatches
from engine.training.reading.data import CutLine
from engine.training.reading.detect import maps_of
from runtime.answers.quads import CORNERS


@pytest.fixture(scope="module")
def version(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ocr")
    example.write(folder, num_items=10, side_px=96)
    return DatasetVersion.open(folder)


def test_weights_load_in_the_order_in_which_networks_compute():
    torch.manual_seed(0)
    given = network.build("small", 5)
    for part in ("detector", "recogniser"):
        tensors = [each for name, each in given.get_submodule(part).state_dict().items() if "num_batches" not in name]
        weights = {f"{place:04}": tensor for place, tensor in enumerate(tensors)}
        other = network.build("small", 5).get_submodule(part)
        network.load_pretrained(other, weights)
        assert all(
            torch.equal(one, same) for one, same in zip(other.parameters(), given.get_submodule(part).parameters(), strict=True)
        )
        weights.popitem()
        with pytest.raises(ValueError, match="shorter"):
            network.load_pretrained(other, weights)
    assert network.symbols_of({"symbols": torch.tensor(list("a\n文\n ".encode()), dtype=torch.uint8)}) == ["a", "文", " "]


def test_shapes_of_both_networks_and_room_for_more_symbols():
    reader = network.build("scratch", 7).eval()
    with torch.no_grad():
        assert reader.detector(torch.zeros(1, 3, 64, 96)).shape == (1, 64, 96)
        before = reader.recogniser(torch.zeros(2, 3, 48, 80))
        network.extend(reader, 2)
        after = reader.recogniser(torch.zeros(2, 3, 48, 80))
    assert (before.shape, after.shape) == ((2, 10, 8), (2, 10, 10))
    assert torch.equal(after[..., :8], before)
    small = network.build("small", 3).train()
    assert not any(module.training for module in small.modules() if isinstance(module, torch.nn.BatchNorm2d))


def test_norms_are_folded_into_the_convolutions_of_what_is_exported():
    torch.manual_seed(0)
    recogniser = network.build("scratch", 7).get_submodule("recogniser").eval()
    norms = [module for module in recogniser.modules() if isinstance(module, torch.nn.BatchNorm2d)]
    for norm in norms:
        norm.running_mean.normal_(0, 0.2)
        norm.running_var.uniform_(0.5, 2.0)
    shipped, lines = folded(recogniser), torch.randint(0, 256, (2, 3, 48, 80)).float()
    assert not any(isinstance(module, torch.nn.BatchNorm2d) for module in shipped.modules())
    with torch.no_grad():
        torch.testing.assert_close(shipped(lines), recogniser(lines), rtol=1e-4, atol=1e-5)
    assert norms == [module for module in recogniser.modules() if isinstance(module, torch.nn.BatchNorm2d)]


@pytest.mark.parametrize("num_outputs", [5, 300])
def test_the_likeliest_symbol_is_found_wherever_it_stands(num_outputs):
    logits_BTV = torch.randn((2, 400, num_outputs), generator=torch.Generator().manual_seed(0))
    recogniser = torch.nn.Module()
    recogniser.forward = lambda pixels: logits_BTV
    found = LineReader(recogniser)(torch.zeros((2, 48, 8, 3), dtype=torch.uint8))
    best, symbols = torch.softmax(logits_BTV, dim=-1).max(dim=-1)
    assert torch.equal(found, torch.stack([symbols.float(), best], dim=-1))


def test_maps_have_cores_within_borders():
    core, border, known = maps_of([np.array([[10.0, 10], [90, 10], [90, 30], [10, 30]])], width=100, height=40)
    assert core[20, 50] == 1.0
    assert core[11, 50] == 0.0
    assert border[10, 50] == pytest.approx(0.7)
    assert border[20, 50] < border[14, 50] < border[11, 50]
    assert known[core > 0].all()
    assert known[0, 0] == 0.0
    # Less (1 - r^2) of the area by the circumference on each side.
    distance = 80 * 20 * (1 - 0.4**2) / 200
    assert core.sum() == pytest.approx((80 - 2 * distance) * (20 - 2 * distance), rel=0.15)


def test_batches_hold_every_line_once_with_room_for_its_symbols():
    lines = [CutLine(Image.new("RGB", (20 + 30 * number, 60)), 6.0, text) for number, text in enumerate(("a", "bb", "ab", "?"))]
    batches = LineBatches(lines, {"a": 1, "b": 2}, 2)
    found = list(batches.epoch(np.random.default_rng(0), "light"))
    assert len(found) == len(batches) == 2
    assert sum(len(batch.num_steps_B) for batch in found) == 3, "one has no symbol that is known"
    assert sorted(symbol for batch in found for symbol in batch.symbols.tolist()) == [1, 1, 2, 2, 2]
    for batch in found:
        assert batch.lines_BHWC.shape[2] == 8 * int(batch.num_steps_B.max())
        assert (batch.num_steps_B >= batch.num_symbols_B).all()


@pytest.mark.parametrize(
    ("truth", "given", "edits", "pairs"),
    [("", "", 0, []), ("B8", "88", 1, [("B", "8")]), ("abc", "ac", 1, [("b", "")]), ("", "x", 1, [("", "x")])],
)
def test_edits_and_what_was_taken_for_what(truth, given, edits, pairs):
    assert num_edits(truth, given) == edits
    assert sorted(confusions(truth, given)) == sorted(pairs)


def test_a_line_counts_where_it_overlaps_by_half_and_says_the_same(version):
    records = version.records(Split.TRAIN)
    truth = data.targets(records, ("text",), {})
    answers = truth.copy()
    answers[0, 0, CORNERS + 1] = ord("?")
    answers[1, 0, :CORNERS] += 0.9
    report = metrics.split_report(Split.TRAIN, records, answers, truth, labels=("text",), thresholds={"text": 0.5})
    lines, number = report.text_lines, int((truth[..., CORNERS] > 0).sum())
    assert (lines.num_lines, lines.num_found, lines.num_right) == (number, number - 1, number - 2)
    assert [(each.given, each.count) for each in lines.confused] == [("?", 1)]
    assert {each.num_edits for each in lines.wrong} >= {1}
    assert report.metrics["detection_f1"] == pytest.approx(1 - 1 / number)
    assert report.metrics["end_to_end_f1"] == pytest.approx(1 - 2 / number)
    assert all(low <= report.metrics[name] <= high for name, (low, high) in report.intervals.items())
    illegible = truth.copy()
    illegible[0, 0, CORNERS + 1 :] = 0.0
    assert metrics.metrics(answers, illegible, ("text",))["end_to_end_f1"] > report.metrics["end_to_end_f1"]
