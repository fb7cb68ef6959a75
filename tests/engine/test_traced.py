"""A graph whose structure was traced before is that of a fresh trace, to the byte; what changes the structure is seen."""

from __future__ import annotations

import shutil

import numpy as np
import onnx
import pytest
import torch
from onnx import numpy_helper
from onnxscript import rewriter
from torch import Tensor, nn

from engine.artefact import traced
from engine.artefact.graph import export_graph

_EXAMPLE = torch.zeros((2, 3, 5, 6))


class _Network(nn.Module):
    """Convolution and norm that are folded into one, a weight used twice, buffers that are saved or not, a constant."""

    def __init__(self, seed: int, *, shift: float = 0.5, constant: float = 2.0, hidden: float = 3.0, width: int = 4):
        super().__init__()
        torch.manual_seed(seed)
        self.shift = shift
        self.convolution = nn.Conv2d(3, width, 3)
        self.norm = nn.BatchNorm2d(width)
        nn.init.normal_(self.norm.weight)
        self.norm.running_mean.normal_()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)
        self.second.weight = self.first.weight
        self.register_buffer("temperature", torch.rand(1) + 1)
        self.register_buffer("hidden", torch.tensor([hidden]), persistent=False)
        self.constant = torch.tensor([constant])

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        features_BD = torch.relu(self.norm(self.convolution(pictures_BCHW))).mean((2, 3))
        logits_BD = self.second(self.first(features_BD) + self.shift) * self.constant / self.hidden
        return torch.softmax(logits_BD / self.temperature, dim=1)


def _bytes(module, path, cache_dir, example=_EXAMPLE, output_name="y"):
    export_graph(module, example, path, input_name="x", output_name=output_name, dynamic_axes={0: "batch"}, cache_dir=cache_dir)
    return path.read_bytes()


def _structures(cache_dir):
    return sorted((cache_dir / "graphs").glob("structure-*.onnx"))


@pytest.fixture(scope="module")
def cache_dir(tmp_path_factory):
    """A host that has traced the network once."""
    cache = tmp_path_factory.mktemp("cache")
    _bytes(_Network(0), cache / "first.onnx", cache)
    (stored,) = _structures(cache)
    assert _Network(0).first.weight.detach().numpy().tobytes() not in stored.read_bytes()
    return cache


@pytest.mark.parametrize("seed", [0, 1])
def test_other_weights_in_a_kept_graph_are_those_of_a_fresh_trace(cache_dir, tmp_path, monkeypatch, seed):
    fresh = _bytes(_Network(seed), tmp_path / "fresh.onnx", None)
    monkeypatch.setattr(torch.onnx, "export", None)  # whoever traces fails
    assert _bytes(_Network(seed), tmp_path / "kept.onnx", cache_dir) == fresh


def test_rules_asked_of_their_own_operator_alone_simplify_to_the_same_bytes(cache_dir, tmp_path, monkeypatch):
    rules = [rule._rule for rule in rewriter._DEFAULT_REWRITE_RULES]
    monkeypatch.setattr(rewriter, "_DEFAULT_REWRITE_RULES", tuple(rules))
    assert _bytes(_Network(0), tmp_path / "plain.onnx", cache_dir) == (cache_dir / "first.onnx").read_bytes()


def test_what_is_no_weight_makes_another_structure(cache_dir):
    usual = traced.structure_of(_Network(0), ())
    assert traced.structure_of(_Network(1), ()) == usual
    others = [
        _Network(0, shift=0.25),
        _Network(0, constant=4.0),
        _Network(0, hidden=4.0),
        _Network(0, width=5),
        nn.Sequential(_Network(0)),
    ]
    untied = _Network(0)
    untied.second.weight = nn.Parameter(untied.first.weight.detach().clone())
    double = _Network(0).double()
    names = [traced.structure_of(module, ()) for module in (*others, untied, double)]
    assert len({usual, *names, traced.structure_of(_Network(0), ("y",))}) == len(names) + 2


def test_other_code_makes_another_structure(monkeypatch, tmp_path):
    usual = traced.structure_of(_Network(0), ())
    (tmp_path / "network.py").write_text("A = 1\n")
    monkeypatch.setattr(traced.engine, "__path__", [*traced.engine.__path__, str(tmp_path)])
    traced._code.cache_clear()
    assert traced.structure_of(_Network(0), ()) != usual
    monkeypatch.undo()
    traced._code.cache_clear()
    assert traced.structure_of(_Network(0), ()) == usual


def test_what_cannot_be_named_is_traced_each_time(tmp_path):
    module = _Network(0)
    module.note = lambda: None
    assert traced.structure_of(module, ()) is None
    assert _bytes(module, tmp_path / "graph.onnx", tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_a_kept_graph_that_was_cut_off_is_made_again(cache_dir, tmp_path):
    first = (cache_dir / "first.onnx").read_bytes()
    shutil.copytree(cache_dir / "graphs", tmp_path / "graphs")
    (stored,) = _structures(tmp_path)
    whole = stored.read_bytes()
    stored.write_bytes(whole[: len(whole) // 2])
    assert _bytes(_Network(0), tmp_path / "again.onnx", tmp_path) == first
    assert stored.read_bytes() == whole


def test_weights_that_no_answer_shows_are_zero(cache_dir, tmp_path):
    """Near the end of the range a processor takes a hundred times as long for each product."""
    network = _Network(3)
    with torch.no_grad():
        network.first.weight[0] = 1e-39
        network.convolution.weight[0] = 1e-25
    model = onnx.load_from_string(_bytes(network, tmp_path / "graph.onnx", cache_dir))
    weights = [np.abs(numpy_helper.to_array(each)) for each in model.graph.initializer if len(each.dims) > 1]
    assert sum(int((each == 0).sum()) for each in weights) >= 4 + 27
    assert all((each[each > 0] > 1e-20).all() for each in weights)
