"""Every model family found below ``engine/models/`` keeps the same promises."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from automl.contracts.family import FamilySpec
from automl.contracts.job import TrainConfig
from engine.assets.card import read_card
from engine.models import families_for, family_names, family_part, family_spec
from engine.tasks import task_names, task_spec
from engine.training.config import GradientConfig, checked_params, resolution_of
from tests.engine.jobs import REPOSITORY

_SIZES = [(name, size.name) for name in family_names() for size in family_spec(name).sizes]
_SIDE_PX = 64


@pytest.fixture(params=family_names())
def name(request):
    return request.param


@pytest.fixture(params=_SIZES, ids="-".join)
def sized(request):
    name, size = request.param
    return family_part(name, "network"), family_spec(name).size(size)


def test_there_are_families_and_unknown_names_list_them():
    assert family_names()
    with pytest.raises(ValueError, match=family_names()[0]):
        family_spec("no_such_family")


def test_name_is_the_folder(name):
    assert family_spec(name).name == name


def test_every_task_has_a_family_and_every_family_a_task():
    matched = {family.name for task in task_names() for family in families_for(task_spec(task))}
    assert matched == set(family_names())
    assert all(families_for(task_spec(task)) for task in task_names())


def test_spec_imports_without_torch(name):
    program = f"import sys, engine.models.{name}.family; print('torch' in sys.modules or 'numpy' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_spec_survives_its_json(name):
    spec = family_spec(name)
    assert FamilySpec.model_validate_json(spec.model_dump_json()) == spec


def test_parameters_have_names_of_their_own_and_defaults_that_train(name):
    spec = family_spec(name)
    names = [param.name for param in spec.params]
    assert len(set(names)) == len(names)
    params = checked_params(spec, TrainConfig(family=name, size=spec.sizes[0].name, params={}))
    assert params == {param.name: param.default for param in spec.params}
    assert resolution_of(spec.sizes[0], params) == spec.sizes[0].resolution_px
    if not spec.is_frozen:
        assert GradientConfig.of(params).epochs >= 1


def test_pretrained_sizes_have_a_card_and_a_licence(name):
    spec = family_spec(name)
    cards = [read_card(size.asset) for size in spec.sizes if size.asset is not None]
    assert {card.licence for card in cards} == set(spec.licences)
    for size, card in zip([size for size in spec.sizes if size.asset is not None], cards, strict=True):
        assert card.preprocessing is not None
        assert card.preprocessing.resolution_px == size.resolution_px
    if spec.is_frozen:
        assert len(cards) == len(spec.sizes)


def test_pretrained_network_sees_what_its_card_says(sized):
    network, size = sized
    if size.asset is None:
        return
    preprocessing = read_card(size.asset).preprocessing
    model = network.build(size.name).eval()
    mean = torch.tensor(preprocessing.mean).reshape(1, 3, 1, 1)
    std = torch.tensor(preprocessing.std).reshape(1, 3, 1, 1)
    seen = []
    model.stem.register_forward_pre_hook(lambda _, arguments: seen.append(arguments[0]))
    pictures_BCHW = torch.rand(1, 3, 32, 32) * 255
    with torch.no_grad():
        model(pictures_BCHW)
    assert torch.allclose(seen[0], (pictures_BCHW - mean) / std, atol=1e-5)


def test_numbers_of_the_spec_are_counted(sized):
    network, size = sized
    model = network.build(size.name).eval()
    assert sum(parameter.numel() for parameter in model.parameters()) == size.num_parameters
    side = size.resolution_px
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        model(torch.zeros(1, 3, side, side))
    assert counter.get_total_flops() == 2 * size.macs


def test_network_yields_what_it_says(sized):
    network, size = sized
    model = network.build(size.name).eval()
    with torch.no_grad():
        features_BD = model(torch.rand(2, 3, _SIDE_PX, _SIDE_PX) * 255)
        assert network.build(size.name, 5).eval()(torch.rand(2, 3, _SIDE_PX, _SIDE_PX)).shape == (2, 5)
    assert features_BD.shape == (2, model.num_features)
    assert torch.isfinite(features_BD).all()


def test_layout_in_memory_does_not_change_the_answer(sized):
    network, size = sized
    torch.manual_seed(0)
    model = network.build(size.name).eval()
    pictures_BCHW = torch.rand(2, 3, _SIDE_PX, _SIDE_PX) * 255
    with torch.no_grad():
        plain_BD = model(pictures_BCHW)
        last_BD = model.to(memory_format=torch.channels_last)(pictures_BCHW.to(memory_format=torch.channels_last))
    torch.testing.assert_close(last_BD, plain_BD, rtol=1e-3, atol=1e-4)


def test_every_weight_gets_a_gradient(sized):
    network, size = sized
    model = network.build(size.name, 3).train()
    model(torch.rand(2, 3, _SIDE_PX, _SIDE_PX) * 255).square().sum().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())


def test_pretrained_weights_load_strictly(sized):
    network, size = sized
    if size.asset is None:
        return
    torch.manual_seed(1)
    weights = network.build(size.name, 1000).state_dict()
    model = network.build(size.name)
    network.load_pretrained(model, weights)
    assert all(torch.equal(tensor, weights[name]) for name, tensor in model.state_dict().items())
    weights.pop(next(iter(weights)))
    with pytest.raises(RuntimeError, match="Missing key"):
        network.load_pretrained(network.build(size.name), weights)


def test_cost_grows_with_the_picture(name):
    spec, cost = family_spec(name), family_part(name, "family").cost
    for size in spec.sizes:
        small, large = cost((_SIDE_PX, _SIDE_PX, 3), size.name), cost((2 * _SIDE_PX, 2 * _SIDE_PX, 3), size.name)
        assert 0 < small.memory_bytes < large.memory_bytes
        assert 0 < small.flops < large.flops
        assert large.flops == pytest.approx(4 * small.flops, rel=0.01)
