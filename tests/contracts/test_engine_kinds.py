"""Every kind of items that is learned from in batches, every kind of answers and every way of training, found by listing."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import numpy as np
import pytest
import torch

from automl.contracts import items as contracts
from automl.contracts.artefact import GoldenSample
from automl.contracts.dataset import Split
from automl.contracts.family import FeatureKind
from automl.contracts.items import items_of
from automl.contracts.job import RefitOrder
from automl.contracts.listing import kind_in, kind_names
from automl.contracts.modality import Modality
from automl.contracts.task import OutputKind
from automl.planning.facts import VersionFacts
from automl.planning.items import planned_items
from engine import answers, items
from engine.answers import answer_kind
from engine.data.version import DatasetVersion
from engine.errors import JobInvalidError
from engine.items import item_kind
from engine.items.kind import Trial
from engine.models import families_for, family_part, family_spec
from engine.quality import items as quality_items
from engine.tasks import task_names, task_part, task_spec
from engine.training import ways
from engine.training.ways import way_of
from runtime.answers import answers_kind
from runtime.items import items_kind

ANSWERS = {
    "class_scores": (2, [0.2, 0.8]),
    "label_scores": (2, [0.2, 0.7]),
    "boxes": (2, [[0.1, 0.2, 0.3, 0.4, 0.9, 1.0], [0.0, 0.0, 0.0, 0.0, 0.0, -1.0]]),
    "number": (0, [3.5]),
    "mask": (2, [[[1.0, 1.0], [-1.0, -1.0]], [[0.9, 0.8], [0.7, 0.6]]]),
    "instances": (2, [[0.1, 0.2, 0.3, 0.4, 0.9, 1.0, 0.9, 0.8, 0.2, 0.7], [0.0] * 5 + [-1.0] + [0.0] * 4]),
    "quads": (1, [[0.1, 0.2, 0.5, 0.2, 0.5, 0.4, 0.1, 0.4, 0.9, 65.0, 49.0], [0.0] * 11]),
    "vector": (2, [0.6, 0.8]),
    "heat_map": (2, [[0.1, 0.2, 0.1], [0.3, 0.8, 0.2]]),
}
"""Number of labels and an answer of each kind."""
_SCORES = {
    OutputKind.BOXES: np.s_[..., -2],
    OutputKind.INSTANCES: np.s_[..., 4],
    OutputKind.QUADS: np.s_[..., 8],
    OutputKind.MASK: np.s_[1],
}
"""Where they stand in an answer, if not in its last numbers."""
TASK_OF = {"image": ("image_classification", "resnet"), "text": ("text_classification", "text_bag")}
"""A task and a family that needs no weights, for each kind of items."""
KINDS_THAT_PLAN = {kind: family for kind, (_, family) in TASK_OF.items()} | {"row": "gradient_boosting"}
NUM_ITEMS = 6
ROOT = Path(__file__).resolve().parents[2]


def test_each_kind_is_tried():
    assert set(ANSWERS) == set(kind_names(answers.__name__)) == {output.value for output in OutputKind}
    assert set(TASK_OF) == set(kind_names(items.__name__))
    for package in ("automl.planning.items", "automl.contracts.items", "engine.slices.items"):
        assert set(KINDS_THAT_PLAN) == set(kind_names(package)), package


def test_what_tasks_consume_has_one_way_each():
    consumed = [kind for name in kind_names(ways.__name__) for kind in kind_in(ways.__name__, name).consumes]
    assert sorted(consumed) == sorted(FeatureKind)
    for name in task_names():
        assert task_spec(name).consumes in way_of(name).consumes


def test_a_task_without_refits_has_a_way_that_refuses_them():
    order = RefitOrder(members=("first",), learns=(Split.TRAIN,))
    tasks = [name for name in task_names() if not task_spec(name).can_refit]
    assert {"tabular_prediction", "anomaly_detection"} <= set(tasks)
    for name in tasks:
        with pytest.raises(JobInvalidError, match="not fitted anew"):
            way_of(name).refit(order, None)


@pytest.mark.parametrize(
    ("find", "error"), [(lambda: item_kind("smell"), ValueError), (lambda: way_of("smelling"), JobInvalidError)]
)
def test_unknown_kind_is_an_error_that_names_it(find, error):
    with pytest.raises(error, match="smell"):
        find()


@pytest.mark.parametrize("find", [items_of, planned_items], ids=lambda find: find.__name__)
@pytest.mark.parametrize("modality", Modality)
def test_items_of_every_modality_have_a_kind_or_an_error_that_names_it(modality, find):
    if modality.items in {*TASK_OF, "row"}:
        assert items_kind(modality.items).name == modality.items
        assert find(modality)
    else:
        with pytest.raises(ValueError, match=f"has no '{modality.items}'"):
            find(modality)


@pytest.mark.parametrize("name", sorted(KINDS_THAT_PLAN))
def test_a_larger_trial_of_every_kind_takes_longer_and_no_size_is_lost_that_learns_more(name):
    kind, family = kind_in("automl.planning.items", name), family_spec(KINDS_THAT_PLAN[name])
    params = {param.name: param.default for param in family.params}
    small, large = (VersionFacts(number, 10, 10, 3, 1, 1, 5) for number in (100, 1_000))
    cost = family_part(family.name, "family").cost(kind.sample_shape(family.sizes[0], params, small), family.sizes[0].name)
    needs = [kind.needs(family, family.sizes[0], params, cost=cost, facts=facts) for facts in (small, large)]
    assert 0 < needs[0].flops < needs[1].flops
    assert 0 < needs[0].memory_bytes <= needs[1].memory_bytes
    sizes = kind.worthwhile(family.sizes, large)
    assert sizes == family.sizes[: len(sizes)]
    assert kind.first_size(family.sizes, 0, large) in sizes


@pytest.mark.parametrize(
    "package",
    ["automl/contracts/items", "automl/planning/items", "engine/items", "engine/embedding/items", "engine/quality/items"],
)
def test_a_kind_imports_no_other(package):
    name = package.replace("/", ".")
    kinds = set(kind_names(name))
    assert kinds
    for kind in kinds:
        place = ROOT / package / kind
        others = "|".join(sorted(kinds - {kind}))
        for path in place.rglob("*.py") if place.is_dir() else [place.with_suffix(".py")]:
            assert not re.search(rf"\b{re.escape(name)}\.({others})\b", path.read_text()), path


def test_nobody_else_names_a_kind():
    """Specs of tasks, families and methods say what they are of; everything else asks by the name that it is given."""
    names = re.compile(r"Modality\.[A-Z]|OutputKind\.[A-Z]|isinstance\(.*Decode\)|\.tokenizer is (not )?None")
    own = {"items", "answers", "rows", "tasks", "models", "assets", "methods"}
    paths = [path.relative_to(ROOT) for package in ("automl", "engine") for path in (ROOT / package).rglob("*.py")]
    found = {
        path.as_posix()
        for path in paths
        if not own & set(path.parts) and names.search((ROOT / path).read_text(encoding="utf-8"))
    }
    assert found == {"automl/contracts/modality.py"}


def test_findings_are_named_exactly_where_a_job_looks_for_them():
    named = {name for name in kind_names(contracts.__name__) if kind_in(contracts.__name__, name).findings}
    assert named == set(kind_names(quality_items.__name__))


@pytest.mark.parametrize("output", OutputKind)
def test_an_answer_is_kept_as_the_runtime_compares_it(output):
    num_labels, values = ANSWERS[output.value]
    labels, answer = tuple("abcdefgh")[:num_labels], np.array(values, dtype=np.float32)
    sample = GoldenSample.model_validate({"file": "0.png", **answer_kind(output).golden(answer)})
    kind = answers_kind(output.value)(labels)
    kind.check(answer)
    expected = {"labels": labels, "detections": (), **sample.model_dump(mode="json")}
    assert kind.difference(expected, answer, None) < 1e-6
    other = answer.copy()
    other[_SCORES.get(output, np.s_[..., -1])] += np.float32(0.01)
    assert kind.difference(expected, other, None) == pytest.approx(0.01, rel=1e-3)


@pytest.mark.parametrize("output", OutputKind)
def test_averaged_scores_are_the_same_in_a_graph(output):
    averaging = answer_kind(output).averaging
    if averaging is None:
        return
    scores_NL = np.array([ANSWERS[output.value][1], [0.5, 0.5]], dtype=np.float32)
    for divisor in (0.5, 1.0, 3.0):
        expected_NL = averaging.tempered(scores_NL, divisor)
        np.testing.assert_allclose(averaging.tempered_tensor(torch.from_numpy(scores_NL), divisor), expected_NL, atol=1e-6)
    np.testing.assert_allclose(averaging.tempered(scores_NL, 1.0), scores_NL, atol=1e-6)


@pytest.fixture(scope="module", params=sorted(TASK_OF))
def kind(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def reading(kind, tmp_path_factory):
    """A reader of the kind, made for a family, with the version that it reads."""
    task, name = TASK_OF[kind]
    folder = tmp_path_factory.mktemp(kind)
    task_part(task, "example").write(folder / "data")
    version = DatasetVersion.open(folder / "data")
    family = next(family for family in families_for(task_spec(task)) if family.name == name)
    size = next(size for size in family.sizes if size.asset is None)
    params = {param.name: param.default for param in family.params}
    trial = Trial(family, size, params, version, version.records(Split.TRAIN), folder / "assets")
    return item_kind(kind).reader(trial), version, task, folder


def test_items_are_packed_once_in_one_shape(reading):
    reader, version, _, folder = reading
    packed = reader.packed(version, folder / "cache", on_progress=lambda done, total: None, should_stop=lambda: False)
    records = version.records()
    rows_N = packed.indices(records[:NUM_ITEMS])
    assert len(packed.array) == len(records)
    batches = packed.batches(rows_N, 3)
    assert sorted(np.concatenate(batches).tolist()) == list(range(NUM_ITEMS))
    assert all(1 <= len(places) <= 3 for places in batches)
    assert len(packed.graph_input(rows_N)) == len(packed.blank(NUM_ITEMS)) == NUM_ITEMS
    batch = packed.network_input(torch.from_numpy(packed.array[rows_N].copy()), torch.device("cpu"))
    assert len(batch) == NUM_ITEMS


def test_a_sample_is_read_by_the_runtime_as_the_graph_was_asked(kind, reading):
    reader, version, task, folder = reading
    decode = task_part(task, "portable").decode(**reader.decode_values)
    assert decode.kind == kind
    for name, content in reader.files.items():
        (folder / name).write_text(content, encoding="utf-8")
    example = reader.example()
    read = items_kind(kind)(decode.model_dump(mode="json"), (example.name,), folder)
    assert len({example.items_B.shape[axis] for axis in (0, *example.axes)}) == 1 + len(example.axes)
    for record in version.records()[:NUM_ITEMS]:
        sample = reader.sample(version.blob_path(record.blob), record.blob)
        (feed,) = read.feeds(read.decode(sample.content)).values()
        np.testing.assert_array_equal(feed[0], sample.item)
        assert feed.dtype == sample.item.dtype == example.items_B.numpy().dtype


def test_an_artefact_opens_the_reader_that_it_was_made_with(kind, reading):
    reader, _, task, folder = reading
    decode = task_part(task, "portable").decode(**reader.decode_values)
    for name, content in reader.files.items():
        (folder / name).write_text(content, encoding="utf-8")
    opened = item_kind(kind).opened(decode, folder)
    assert (opened.files, opened.decode_values, opened.graph_values) == (
        reader.files,
        reader.decode_values,
        reader.graph_values,
    )
    weights = hashlib.sha256(b"").hexdigest()
    assert opened.frozen(weights).key == reader.frozen(weights).key
    assert item_kind(kind).is_alike((decode, folder), (decode, folder))
    assert item_kind(kind).joined([reader, opened]).decode_values == reader.decode_values


@pytest.mark.parametrize("output", OutputKind)
def test_the_platform_knows_without_torch_which_answers_are_averaged(output):
    assert answers_kind(output.value).is_averaged == (answer_kind(output).averaging is not None)
