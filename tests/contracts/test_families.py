"""Every model family found below ``engine/models/`` keeps the same promises."""

from __future__ import annotations

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from automl.contracts.family import Cost, FamilySpec, FeatureKind
from automl.contracts.job import TrainConfig
from automl.contracts.modality import Modality
from automl.planning.facts import VersionFacts
from automl.planning.items import planned_items
from engine.assets.card import read_card
from engine.data.text import PAD_ID
from engine.models import families_for, family_names, family_part, family_spec
from engine.models.shared.params import max_tokens_of, resolution_of
from engine.tasks import task_names, task_spec
from engine.tasks.instance_segmentation import loss as instance_loss
from engine.tasks.instance_segmentation.augment import MASK_SIDE
from engine.training.config import GradientConfig, checked_params
from tests.engine.jobs import pretrained_weights
from tests.support.imports import heavy_imports

_LEARNS_ROWS = [name for name in family_names() if family_spec(name).yields is FeatureKind.ROWS]
"""Families without a network; ``test_row_families`` asks them for more."""
_READS_LINES = [name for name in family_names() if family_spec(name).yields is FeatureKind.TEXT_LINES]
"""Families of two networks, which see pictures and lines: ``tests/engine/ocr`` asks them."""
_OTHERS = {*_LEARNS_ROWS, *_READS_LINES}
_NETWORKS = [family_spec(name) for name in family_names() if name not in _OTHERS]
_VARIANTS = {
    ("mobilenet", "v2_35"),
    ("mobilenet", "v3_small_75"),
    ("resnet", "18d"),
    ("resnet", "50"),
    ("resnet", "next50_32x4d"),
    ("resnet", "se_18"),
}
"""That differ in more than numbers from those that a search tries by itself, or from the smallest where it tries none."""
_LARGE = 100_000_000
"""Parameters from which on a network is not computed; ``tests/engine/test_published_networks.py`` counts those of all."""
_COMPUTED = [
    (spec.name, size.name)
    for spec in _NETWORKS
    for size in spec.sizes
    if (size in spec.searched().sizes or (spec.name, size.name) in _VARIANTS) and size.num_parameters < _LARGE
]
_SIDE_PX = 64
_NUM_TOKENS = 24
_NUM_COLUMNS = 8
_NUM_LABELS = 2
_FACTS = VersionFacts(num_train=60, num_validation=20, num_test=20, num_labels=2, rarest_label_items=30, num_columns=8)
_ITEMS_OF = {
    Modality.IMAGE: lambda number: torch.rand(number, 3, _SIDE_PX, _SIDE_PX) * 255,
    Modality.TEXT: lambda number: torch.randint(5, 100, (number, _NUM_TOKENS)),
}
"""What networks take: pictures 0..255, or tokens of texts."""
_WHOLE_ITEM_OF = {
    Modality.IMAGE: lambda size: torch.zeros(1, 3, size.resolution_px, size.resolution_px),
    Modality.TEXT: lambda size: torch.full((1, size.max_tokens), 5),
}
"""One item as large as a size reads it."""
_TARGETS = torch.cat(
    [torch.tensor([[[0.1, 0.2, 0.6, 0.7, 1.0]], [[0.3, 0.3, 0.9, 0.9, 2.0]]]), torch.ones(2, 1, MASK_SIDE**2)], dim=2
)
"""A box on each of two pictures, filled by its object."""
_NOTHING = torch.cat([torch.full((2, 1, 5), -1.0), torch.zeros(2, 1, MASK_SIDE**2)], dim=2)


def _targets(rows_BMC, *, outlines):
    """What a detector learns from: boxes, and masks where it gives some."""
    return rows_BMC if outlines else rows_BMC[..., :5]


_HEADS = ("detector", "segmenter", "anomaly_detector")
"""What makes the whole of a network that comes with its own kind of head."""


@pytest.fixture(params=family_names())
def name(request):
    return request.param


@pytest.fixture(params=_COMPUTED, ids="-".join)
def sized(request):
    name, size = request.param
    return family_part(name, "network"), family_spec(name).size(size)


@pytest.fixture
def is_detector(request, sized):
    name, _ = request.node.callspec.params["sized"]
    return family_spec(name).yields in {FeatureKind.BOXES, FeatureKind.INSTANCES}


@pytest.fixture
def outlines(request, sized):
    """Whether the network also gives masks of objects."""
    name, _ = request.node.callspec.params["sized"]
    return family_spec(name).yields is FeatureKind.INSTANCES


@pytest.fixture
def is_segmenter(request, sized):
    name, _ = request.node.callspec.params["sized"]
    return family_spec(name).yields is FeatureKind.MASKS


@pytest.fixture
def is_one_class(request, sized):
    name, _ = request.node.callspec.params["sized"]
    return family_spec(name).yields is FeatureKind.ANOMALIES


def _items(family, number):
    """What a network of the family takes."""
    return _ITEMS_OF[family.reads](number)


@pytest.fixture
def items(request):
    """Two items for the family at hand."""
    name, _ = request.node.callspec.params["sized"]
    return _items(family_spec(name), 2)


def _shape(family, *, times=1):
    """What ``cost`` is asked for: so many times the side of a picture, or for twice that four times the tokens or columns."""
    side = _SIDE_PX * times
    if family.reads is Modality.IMAGE:
        return (side, side, 3)
    if family.yields is FeatureKind.ROWS:
        return _NUM_COLUMNS * times * times, _NUM_LABELS
    return (_NUM_TOKENS * times * times,)


def _whole(network, size, num_labels):
    """What is trained: a network with its own head, a detector or a segmenter."""
    backbone = network.build(size.name)
    for head in _HEADS:
        if hasattr(backbone, head):
            return getattr(backbone, head)(num_labels)
    return network.build(size.name, num_labels)


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
    modules = tuple(f"engine.models.{each}.family" for each in family_names())
    assert heavy_imports(modules, ("torch", "numpy"))[f"engine.models.{name}.family"] == []


def test_spec_survives_its_json(name):
    """But for its first trials, which are of no use to who reads it."""
    spec = family_spec(name)
    shown = spec.model_copy(update={"first_trials": ()})
    assert FamilySpec.model_validate_json(spec.model_dump_json()) == shown


def test_parameters_have_names_of_their_own_and_defaults_that_train(name):
    spec = family_spec(name)
    names = [param.name for param in spec.params]
    assert len(set(names)) == len(names)
    params = checked_params(spec, TrainConfig(family=name, size=spec.sizes[0].name, params={}))
    assert params == {param.name: param.default for param in spec.params}
    assert resolution_of(spec.sizes[0], params) == spec.sizes[0].resolution_px
    assert max_tokens_of(spec.sizes[0], params) == spec.sizes[0].max_tokens
    if not spec.is_frozen and name not in _LEARNS_ROWS:
        assert GradientConfig.of(params).epochs >= 1


def test_choices_that_are_words_are_read_in_both_languages(name):
    choices = [param for param in family_spec(name).params if param.kind == "choice"]
    for param in choices:
        words = {choice for choice in param.choices if isinstance(choice, str)}
        assert words <= param.choice_titles.keys(), (
            f"{param.name}: nobody says {sorted(words - param.choice_titles.keys())} in Chinese"
        )


def test_pretrained_sizes_have_a_card_and_a_licence(name):
    spec = family_spec(name)
    cards = [read_card(size.asset) for size in spec.sizes if size.asset is not None]
    assert {card.licence for card in cards} == set(spec.licences)
    for size, card in zip([size for size in spec.sizes if size.asset is not None], cards, strict=True):
        assert (card.preprocessing is not None) == (spec.reads is Modality.IMAGE)
        assert (card.tokenizer is not None) == (spec.reads is Modality.TEXT)
        if card.tokenizer is not None:
            assert read_card(card.tokenizer).licence == card.licence
        elif spec.yields is FeatureKind.VECTOR:
            assert card.preprocessing.resolution_px == size.resolution_px
    if spec.is_frozen and name not in _LEARNS_ROWS:
        for size in (size for size in spec.sizes if size.asset is None):
            network = family_part(name, "network").build(size.name)
            is_designed = not any(True for _ in network.parameters())
            assert hasattr(network, "learn") or is_designed, "what is not trained was trained before, counts or is by design"


def test_pretrained_network_sees_what_its_card_says(sized):
    network, size = sized
    if size.asset is None:
        return
    preprocessing = read_card(size.asset).preprocessing
    if preprocessing is None:  # a reader's tokenizer says what it sees
        return
    model = network.build(size.name).eval()
    mean = torch.tensor(preprocessing.mean).reshape(1, 3, 1, 1)
    std = torch.tensor(preprocessing.std).reshape(1, 3, 1, 1)
    seen = []
    model.stem.register_forward_pre_hook(lambda _, arguments: seen.append(arguments[0]))
    pictures_BCHW = torch.rand(1, 3, 32, 32) * 255
    with torch.no_grad():
        model(pictures_BCHW)
    assert torch.allclose(seen[0], (pictures_BCHW - mean) / std, atol=1e-5)


def test_numbers_of_the_spec_are_counted(request, sized, is_detector, is_segmenter, outlines):
    """Of a detector or a segmenter with one label: unlike a classifier's, its head is a good part of it.

    Counting takes shapes and no values: nothing is computed.
    """
    network, size = sized
    reads = family_spec(request.node.callspec.params["sized"][0]).reads
    with torch.device("meta"), FlopCounterMode(display=False) as counter, torch.no_grad():
        model = (_whole(network, size, 1) if is_detector or is_segmenter else network.build(size.name)).eval()
        raw = model(_WHOLE_ITEM_OF[reads](size))
        if outlines:
            rows_1D6 = torch.zeros(1, instance_loss.MAX_INSTANCES, 6)
            model.masks(raw, rows_1D6, rows_1D6[..., 0].long())
    assert sum(parameter.numel() for parameter in model.parameters()) == size.num_parameters
    assert counter.get_total_flops() == 2 * size.macs


def test_network_yields_what_it_says(sized, is_detector, is_segmenter, is_one_class, outlines, items):
    network, size = sized
    if is_one_class:
        backbone = network.build(size.name).eval()
        with torch.no_grad():
            features = backbone(items)
            scores = backbone.anomaly_detector(2).eval()(items)
        assert features.shape == (*scores.shape, backbone.num_features)
        assert len(scores) == 2
        assert ((scores >= 0) & (scores <= 1)).all()
        return
    if is_segmenter:
        with torch.no_grad():
            logits = _whole(network, size, 3).eval()(items)
        assert logits.shape == (2, 4, _SIDE_PX, _SIDE_PX)
        assert torch.isfinite(logits).all()
        return
    if is_detector:
        detector = _whole(network, size, 3).eval()
        with torch.no_grad():
            raw = detector(items)
            boxes_BA4, scores_BAL = detector.candidates(raw)
            loss = detector.criterion(raw, _targets(_TARGETS, outlines=outlines))
            nothing = detector.criterion(raw, _targets(_NOTHING, outlines=outlines))
            if outlines:
                rows_B26 = torch.tensor([[0.1, 0.2, 0.5, 0.5, 0.9, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0, -1.0]]).expand(2, 2, 6)
                masks_B2PP = detector.masks(raw, rows_B26, torch.tensor([[3, 0], [5, 0]]))
                assert masks_B2PP.shape == (2, 2, instance_loss.MASK_SIDE, instance_loss.MASK_SIDE)
                assert ((masks_B2PP[:, 0] > 0) & (masks_B2PP[:, 0] < 1)).all()
                assert not masks_B2PP[:, 1].any()
        assert boxes_BA4.shape == (*scores_BAL.shape[:2], 4)
        assert scores_BAL.shape[::2] == (2, 3)
        assert ((scores_BAL >= 0) & (scores_BAL <= 1)).all()
        assert (boxes_BA4[..., 2:] >= boxes_BA4[..., :2]).all()
        assert torch.isfinite(boxes_BA4).all()
        assert loss.shape == ()
        assert torch.isfinite(loss)
        assert torch.isfinite(nothing)
        return
    model = network.build(size.name).eval()
    with torch.no_grad():
        features_BD = model(items)
    with torch.no_grad(), torch.device("meta"):  # of which only the shape counts
        assert network.build(size.name, 5).eval()(items.to("meta")).shape == (2, 5)
    assert features_BD.shape == (2, model.num_features)
    assert torch.isfinite(features_BD).all()


def test_padding_does_not_change_the_answer(request, sized):
    name, _ = request.node.callspec.params["sized"]
    if family_spec(name).reads is not Modality.TEXT:
        return
    network, size = sized
    torch.manual_seed(0)
    model = network.build(size.name).eval()
    pad_id = getattr(model, "pad_id", PAD_ID)
    short_BT, long_BT = torch.randint(5, 100, (1, 7)), torch.randint(5, 100, (1, _NUM_TOKENS))
    if hasattr(model, "learn"):
        model.learn(
            torch.cat([short_BT, long_BT[:, :7]]).numpy(), {param.name: param.default for param in family_spec(name).params}
        )
    padded_BT = torch.cat([short_BT, torch.full((1, _NUM_TOKENS - 7), pad_id)], dim=1)
    with torch.no_grad():
        alone, beside = model(short_BT)[0], model(torch.cat([padded_BT, long_BT]))[0]
    assert alone.abs().sum() > 0
    torch.testing.assert_close(beside, alone, rtol=1e-4, atol=1e-5)


def test_layout_in_memory_does_not_change_the_answer(sized, items):
    network, size = sized
    torch.manual_seed(0)
    model = _whole(network, size, 3).eval()
    with torch.no_grad():
        plain = model(items)
        moved = items.to(memory_format=torch.channels_last) if items.ndim == 4 else items
        last = model.to(memory_format=torch.channels_last)(moved)
    torch.testing.assert_close(last, plain, rtol=1e-3, atol=1e-4)


def test_every_weight_gets_a_gradient(sized, is_detector, is_one_class, outlines, items):
    if is_one_class:
        return  # it is never trained
    network, size = sized
    model = _whole(network, size, 3).train()
    given = model(items)
    (model.criterion(given, _targets(_TARGETS, outlines=outlines)) if is_detector else given.square().sum()).backward()
    assert all(parameter.grad is not None for parameter in model.parameters())


def test_a_batch_that_shows_nothing_is_learned_from(sized, is_detector, outlines):
    if not is_detector:
        return
    network, size = sized
    torch.manual_seed(0)
    model = _whole(network, size, 3).train()
    loss = model.criterion(model(torch.rand(2, 3, _SIDE_PX, _SIDE_PX) * 255), _targets(_NOTHING, outlines=outlines))
    assert loss > 0
    loss.backward()
    grads = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    assert grads
    assert all(torch.isfinite(grad).all() for grad in grads)


def test_pretrained_weights_load_strictly(sized):
    network, size = sized
    if size.asset is None:
        return
    torch.manual_seed(1)
    weights = pretrained_weights(size.asset, is_calibrated=False)
    model = network.build(size.name)
    network.load_pretrained(model, weights)
    kernels = [tensor for tensor in model.state_dict().values() if tensor.ndim == (2 if hasattr(model, "words") else 4)]
    loaded = [kernel for kernel in kernels if any(torch.equal(kernel, given) for given in weights.values())]
    assert len(loaded) >= (1.0 if hasattr(model, "head") else 0.7) * len(kernels), "necks and decoders are new"
    weights.pop(next(iter(weights)))
    with pytest.raises(RuntimeError, match="Missing key"):
        network.load_pretrained(model, weights)


def test_every_size_says_how_much_of_an_item_it_reads(name):
    """Which number that is, the kind of items knows: one that is missing leaves nothing to read or to learn from."""
    spec = family_spec(name)
    kind = planned_items(spec.reads)
    for size in spec.sizes:
        assert all(side > 0 for side in kind.sample_shape(size, {}, _FACTS))
        assert kind.needs(spec, size, {}, cost=Cost(memory_bytes=1, flops=1), facts=_FACTS).flops > 0


def test_what_begins_with_random_numbers_is_searched_only_where_it_has_proven_itself(name):
    """Decision 0059; first trials are what was measured."""
    spec = family_spec(name)
    if (spec.reads, spec.yields, spec.is_frozen) != (Modality.IMAGE, FeatureKind.VECTOR, False):
        return
    sizes = spec.searched().sizes
    proven = {sizes[trial.size_index].name for trial in spec.first_trials if trial.size_index < len(sizes)}
    assert {size.name for size in spec.sizes if size.is_searched and size.asset is None} <= proven
    assert list(spec.sizes) == sorted(spec.sizes, key=lambda size: size.macs), "in order of cost"


def test_cost_grows_with_the_item(name):
    spec, cost = family_spec(name), family_part(name, "family").cost
    for size in spec.sizes:
        small, large = cost(_shape(spec), size.name), cost(_shape(spec, times=2), size.name)
        assert 0 < small.memory_bytes < large.memory_bytes
        assert 0 < small.flops < large.flops
        assert large.flops == pytest.approx(4 * small.flops, rel=0.05 if spec.yields is FeatureKind.ROWS else 0.01)


def test_cost_of_rows_grows_with_the_labels(name):
    spec, cost = family_spec(name), family_part(name, "family").cost
    if spec.yields is not FeatureKind.ROWS:
        return
    for size in spec.sizes:
        few, many = cost((_NUM_COLUMNS, 2), size.name), cost((_NUM_COLUMNS, 1_000), size.name)
        assert few.memory_bytes < many.memory_bytes
        assert few.flops <= many.flops <= 1_000 * few.flops
