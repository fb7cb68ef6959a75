"""Where a model does worse: planted faults are found and come first, and where there is no fault none is called worse."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from automl.contracts.annotation import Box, ClassLabel, Value
from automl.contracts.base import Text
from automl.contracts.dataset import MediaFacts, Split
from automl.contracts.item_facts import FACTS_FILE, ItemFacts
from automl.contracts.job import JobSpec
from automl.contracts.listing import kind_names
from automl.contracts.report import Report, SplitReport
from automl.contracts.table import Column, ColumnKind, ColumnRole, Row, TableSchema
from engine.data.cache import PackedPictures
from engine.data.generated import GeneratedItem, Subject, write_version
from engine.data.version import DatasetVersion, VersionDamagedError
from engine.slices import items
from engine.slices.fact import MIN_ITEMS, Fact, parts_of
from engine.slices.find import adjusted, slices
from engine.slices.items import facts_kind
from engine.slices.metadata import metadata_facts
from engine.table.reader import read_rows
from engine.tasks import task_names, task_part, task_spec
from engine.tasks.shared.outcomes import Outcomes, right_or_wrong
from engine.tasks.tabular_prediction.options import CATEGORY, NUMBER, PREDICTS_OPTION
from engine.training.rows.data import RowRecords, targets_of
from engine.training.slicing import JudgedSplit, sliced
from tests.engine.data.version_factory import encoded, soft_picture
from tests.engine.jobs import host_cache, run_here, trained_once

NUM = 300
SEEDS = 20


def version_of(folder: Path, made: Sequence[GeneratedItem], task: str, labels: Sequence[str]) -> DatasetVersion:
    write_version(folder, made, Subject(task_spec(task), labels))
    return DatasetVersion.open(folder)


def is_dark(number: int) -> bool:
    return number % 6 == 0


def picture(number: int) -> Image.Image:
    """Every sixth is dark; sizes have nothing to do with that."""
    drawn = soft_picture(24 + number % 7, 24 + number % 11, seed=number)
    return drawn.point(lambda level: level // 8) if is_dark(number) else drawn


def made_picture(number: int, annotations) -> GeneratedItem:
    drawn = picture(number)
    content = encoded(drawn, "PNG")
    media = MediaFacts(width=drawn.width, height=drawn.height, format="png", size_bytes=len(content))
    return GeneratedItem(f"{number}.png", content, media, Split.TEST, tuple(annotations))


def report_of(task: str, judged: JudgedSplit, labels: Sequence[str], thresholds=None) -> SplitReport:
    """As training and evaluations make it."""
    report = task_part(task, "metrics").split_report(
        Split.TEST, judged.records, judged.answers, judged.targets, labels=labels, thresholds=thresholds or {}
    )
    return sliced(report, judged, task=task_spec(task), labels=labels, thresholds=thresholds or {})


def test_every_kind_of_items_that_a_task_has_is_cut():
    assert {task_spec(name).modality.items for name in task_names()} == set(kind_names(items.__name__))
    with pytest.raises(ValueError, match="smell"):
        facts_kind("smell")


def test_dark_pictures_that_a_trained_model_gets_wrong_come_first(tmp_path):
    """Judged by the job itself: what it says is the truth, but for dark pictures."""
    artefact = trained_once() / "artefact"
    labels = Report.read(artefact / "report.json").labels

    def judged(folder: Path, truth: Sequence[str]) -> Report:
        made = [made_picture(number, [ClassLabel(label=label)]) for number, label in enumerate(truth)]
        write_version(folder / "data", made, Subject(task_spec("image_classification"), labels))
        JobSpec(
            id="job_evaluation",
            kind="evaluate",
            task="image_classification",
            artefact=str(artefact),
            split=Split.TEST,
            cache_dir=str(host_cache()),
            assets_dir=str(folder / "assets"),
        ).write(folder / "job.json")
        assert run_here(folder) == 0
        return Report.read(folder / "artefact" / "report.json")

    first = judged(tmp_path / "first", [labels[number % len(labels)] for number in range(NUM)])
    answers = [item.prediction[0].label for item in first.splits[0].items]
    others = {label: labels[(place + 1) % len(labels)] for place, label in enumerate(labels)}
    truth = [others[annotation] if is_dark(number) else annotation for number, annotation in enumerate(answers)]
    report = judged(tmp_path / "second", truth).splits[0]
    found = report.slices
    assert found is not None
    worst = found.slices[0]
    assert (worst.fact, worst.is_worse, worst.low) == ("brightness", True, None)
    assert worst.title is not None
    assert (worst.title.en, worst.title.zh) == ("Dark pictures", "偏暗的图片")
    assert worst.measured == 0.0
    assert worst.interval[1] < worst.rest_interval[0]
    numbers = {int(report.items[place].item.removeprefix("itm_")) for place in report.slice_items[0]}
    assert len(numbers) == worst.num_items >= MIN_ITEMS
    assert all(is_dark(number) for number in numbers)


def test_crowded_pictures_whose_objects_are_missed_come_first(tmp_path):
    def boxes(number: int) -> list[Box]:
        return [Box(label="a", x=float(2 * at), y=1.0, width=2.0, height=9.0) for at in range(1 + number % 10)]

    made = [made_picture(number, boxes(number)) for number in range(NUM)]
    version = version_of(tmp_path / "data", made, "object_detection", ["a", "b"])
    records = version.records(Split.TEST)
    targets = task_part("object_detection", "data").targets(records, ("a", "b"), {})
    answers = np.full((NUM, 12, 6), (0.0, 0.0, 0.0, 0.0, 0.0, -1.0), dtype=np.float32)
    for number, record in enumerate(records):
        drawn = [each for each in record.annotations if isinstance(each, Box)]
        seen = drawn if len(drawn) < 9 else drawn[:2]
        sides = np.array([record.media.width, record.media.height] * 2)
        for place, box in enumerate(seen):
            answers[number, place] = [*(np.array([box.x, box.y, box.width, box.height]) / sides), 0.9, 0]
    packed = PackedPictures.open_or_build(version, tmp_path / "cache", 32)
    report = report_of(
        "object_detection", JudgedSplit(records, answers, targets, packed, version.data_dir), ("a", "b"), {"a": 0.5, "b": 0.5}
    )
    assert report.slices is not None
    worst = report.slices.slices[0]
    assert report.slices.measure == "f1"
    assert (worst.fact, worst.is_worse, worst.high) == ("objects", True, None)
    assert worst.low is not None
    assert 9.0 <= worst.low <= 10.0
    assert worst.measured < 0.5
    assert worst.rest > 0.9


def test_long_texts_that_are_wrong_come_first(tmp_path):
    lengths = np.random.default_rng(0).integers(5, 400, NUM)
    made = [
        GeneratedItem(
            f"{number}.txt",
            f"{number} ".ljust(int(length), "x").encode(),
            MediaFacts(format="txt", size_bytes=int(length), num_characters=int(length)),
            Split.TEST,
            (ClassLabel(label="ab"[number % 2]),),
        )
        for number, length in enumerate(lengths)
    ]
    version = version_of(tmp_path / "data", made, "text_classification", ["a", "b"])
    records = version.records(Split.TEST)
    targets = task_part("text_classification", "data").targets(records, ("a", "b"), {})
    is_wrong = np.array([(record.media.num_characters or 0) > 350 for record in records])
    scores = np.eye(2, dtype=np.float32)[np.where(is_wrong, 1 - targets, targets)] * 0.8 + 0.1
    report = report_of("text_classification", JudgedSplit(records, scores, targets, None, version.data_dir), ("a", "b"))
    assert report.slices is not None
    worst = report.slices.slices[0]
    assert worst.title is not None
    assert (worst.fact, worst.is_worse, worst.title.en, worst.high) == ("length", True, "Long texts", None)


@pytest.mark.parametrize("labels", [("no", "yes"), ()])
def test_the_category_of_a_table_that_is_wrong_comes_first(labels, tmp_path):
    generator = np.random.default_rng(1)
    towns = generator.choice(["Ulm", "Bern", "Graz", ""], NUM)
    truth = generator.integers(0, 2, NUM)
    made = []
    for age, town, target in zip(generator.integers(18, 90, NUM), towns, truth, strict=True):
        content = Row(cells={"age": str(age), **({"town": str(town)} if town else {})}).canonical().encode()
        media = MediaFacts(format="row", size_bytes=len(content), num_cells=2 if town else 1)
        annotation = ClassLabel(label=labels[target]) if labels else Value(value=float(target))
        made.append(GeneratedItem("", content, media, Split.TEST, (annotation,), is_row=True))
    schema = TableSchema(
        columns=(
            Column(name="age", kind=ColumnKind.NUMBER),
            Column(name="town", kind=ColumnKind.CATEGORY),
            Column(name="truth", kind=ColumnKind.CATEGORY if labels else ColumnKind.NUMBER, role=ColumnRole.TARGET),
        )
    )
    options = {PREDICTS_OPTION: CATEGORY if labels else NUMBER}
    write_version(tmp_path, made, Subject(task_spec("tabular_prediction"), labels, options, schema))
    own = read_rows(DatasetVersion.open(tmp_path))[Split.TEST]
    is_wrong = towns == "Graz"
    if labels:
        answers = np.eye(2, dtype=np.float32)[np.where(is_wrong, 1 - truth, truth)] * 0.8 + 0.1
    else:
        answers = (truth + np.where(is_wrong, 3.0, 0.1) * generator.normal(size=NUM)).astype(np.float32)[:, None]
    judged = JudgedSplit(RowRecords(own.rows), answers, targets_of(own.rows, labels), own.table, tmp_path)
    found = report_of("tabular_prediction", judged, labels).slices
    assert found is not None
    worst = found.slices[0]
    assert (worst.fact, worst.name.en, worst.value, worst.is_worse) == ("column:town", "town", "Graz", True)
    assert worst.num_items == int(is_wrong.sum())
    assert found.is_higher_better is bool(labels)
    assert worst.worse_by_interval[0] > 0.0
    unknown = [
        part for fact in facts_kind("row").facts(judged.records, own.table) for part in parts_of(fact) if part.value == ""
    ]
    assert [part.fact.key for part in unknown] == ["column:town"]


def test_what_people_keep_of_items_cuts_them_too(tmp_path):
    made = [
        GeneratedItem(
            f"{number}.txt",
            f"{number}".encode(),
            MediaFacts(format="txt", size_bytes=3, num_characters=3),
            Split.TEST,
            (ClassLabel(label="ab"[number % 2]),),
        )
        for number in range(NUM)
    ]
    version = version_of(tmp_path / "data", made, "text_classification", ["a", "b"])
    records = version.records(Split.TEST)
    sites = {record.item: "north" if number % 5 == 0 else "south" for number, record in enumerate(records)}
    doses = {record.item: str(number / 10) for number, record in enumerate(records) if number >= 40}
    ItemFacts(values={"site": sites, "dose": doses}).write(version.data_dir / FACTS_FILE)
    targets = task_part("text_classification", "data").targets(records, ("a", "b"), {})
    is_wrong = np.array([sites[record.item] == "north" for record in records])
    scores = np.eye(2, dtype=np.float32)[np.where(is_wrong, 1 - targets, targets)] * 0.8 + 0.1
    found = report_of("text_classification", JudgedSplit(records, scores, targets, None, version.data_dir), ("a", "b")).slices
    assert found is not None
    assert (found.slices[0].fact, found.slices[0].value, found.slices[0].is_worse) == ("kept:site", "north", True)
    dose, _ = metadata_facts(version.data_dir, [record.item for record in records])
    parts = list(parts_of(dose))
    assert (dose.scale, parts[0].value, int(parts[0].mask().sum())) == ("number", "", 40)
    assert parts[-1].low is not None
    (version.data_dir / FACTS_FILE).write_text("{")
    with pytest.raises(VersionDamagedError):
        metadata_facts(version.data_dir, [])


def noise(seed: int, *, is_share: bool) -> tuple[list[Fact], Outcomes]:
    """Answers that have nothing to do with what is known of the items."""
    generator = np.random.default_rng(seed)
    facts = [Fact(f"f{n}", Text.same(f"f{n}"), generator.gamma(2.0, size=NUM), "number") for n in range(8)]
    facts += [
        Fact(f"c{n}", Text.same(f"c{n}"), generator.choice(["a", "b", "c", "d", ""], NUM).astype(object), reports_unknown=True)
        for n in range(4)
    ]
    if is_share:
        return facts, right_or_wrong(generator.random(NUM) < 0.8)
    return facts, Outcomes("absolute_error", np.abs(generator.standard_t(3, NUM)), is_higher_better=False)


@pytest.mark.parametrize("is_share", [True, False])
def test_of_noise_next_to_nothing_is_called_worse(is_share):
    names = [f"itm_{number}" for number in range(NUM)]
    found = [slices(*noise(seed, is_share=is_share), item_ids=names, listed=names) for seed in range(SEEDS)]
    assert all(each is not None and each.report.num_tested > 50 for each in found)
    assert sum(each is not None and each.report.num_worse > 0 for each in found) <= 1


@pytest.mark.parametrize("is_share", [True, False])
def test_very_many_items_are_weighed_in_time_and_as_few(is_share):
    """Beyond the number at which means are tested as if normal; a fault of a tenth is found."""
    num = 30_000
    generator = np.random.default_rng(0)
    age_N = generator.normal(50.0, 10.0, num)
    bad_N = generator.random(num) < np.where(age_N > 62.0, 0.3, 0.2)
    outcomes = right_or_wrong(~bad_N) if is_share else Outcomes("absolute_error", bad_N.astype(float), is_higher_better=False)
    names = [str(number) for number in range(num)]
    found = slices([Fact("age", Text.same("age"), age_N, "number")], outcomes, item_ids=names, listed=names[:100])
    assert found is not None
    assert [each.is_worse for each in found.report.slices][:1] == [True]
    assert found.report.slices[0].high is None
    assert all(place < 100 for place in found.places[0])
    assert len(found.places[0]) < found.report.slices[0].num_items


def test_p_values_are_those_of_fisher_and_of_benjamini_and_hochberg():
    is_right = np.array([False] * 20 + [True] * 20 + [False] * 5 + [True] * 55)
    fact = Fact("f", Text.same("f"), np.array(["in"] * 40 + ["out"] * 60, dtype=object))
    names = [str(number) for number in range(100)]
    found = slices([fact], right_or_wrong(is_right), item_ids=names, listed=names)
    assert found is not None
    (one,) = found.report.slices
    # The tail of the hypergeometric distribution, summed in whole numbers.
    cases = [comb(25, k) * comb(75, 40 - k) for k in range(20, 26)]
    assert one.p_value == pytest.approx(float(Fraction(sum(cases), comb(100, 40))), rel=1e-9)
    assert found.report.num_tested == 2
    assert one.adjusted_p_value == pytest.approx(2 * one.p_value)
    assert adjusted(np.array([0.04, 0.01, 0.03, 0.5])) == pytest.approx([0.16 / 3, 0.04, 0.16 / 3, 0.5])


def test_parts_are_what_their_ends_say():
    values_N = np.concatenate([np.random.default_rng(0).normal(0.5, 0.1, 990), np.full(10, np.nan)])
    parts = list(parts_of(Fact("f", Text.same("f"), values_N, "number", (Text.same("low"), Text.same("high")))))
    assert [part.title.en if part.title else None for part in parts] == ["low", None, None, None, None, "high"]
    assert np.sum([part.mask() for part in parts]) == 990
    for part in parts:
        inside = values_N[part.mask()]
        assert part.low is None or inside.min() >= part.low == round(part.low, 3)
        assert part.high is None or inside.max() < part.high
    halves = parts_of(Fact("f", Text.same("f"), values_N[:60], "number", (Text.same("low"), Text.same("high"))))
    assert [part.title for part in halves] == [None, None]
    few = Fact("f", Text.same("f"), np.array([1.0] * 50 + [2.0] * 30 + [7.0] * 5), "number")
    assert [(part.low, part.high) for part in parts_of(few)] == [(None, 2.0), (2.0, 7.0)]


def test_too_few_items_are_not_cut():
    names = [str(number) for number in range(2 * MIN_ITEMS - 1)]
    fact = Fact("f", Text.same("f"), np.arange(len(names), dtype=float), "number")
    assert slices([fact], right_or_wrong(np.zeros(len(names), dtype=bool)), item_ids=names, listed=names) is None


def test_an_older_report_still_loads():
    report = Report.read(trained_once() / "artefact" / "report.json").model_dump(mode="json")
    for split in report["splits"]:
        split.pop("slices", None)
        split.pop("slice_items", None)
    older = Report.model_validate_json(json.dumps(report))
    assert all(split.slices is None and split.slice_items == () for split in older.splits)
    assert "slice" not in older.model_dump_json()
