"""A training is gone through before it starts: what runs is measured, what would fail is named, planted faults are found."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from automl.contracts.annotation import Box, ClassLabel
from automl.contracts.dataset import ItemRecord, MediaFacts, Split, blob_path, record_to_row
from automl.contracts.job import JobSpec, PreflightOrder
from automl.contracts.preflight import PREFLIGHT_FILE, PreflightReport, PreflightStage, StageOutcome
from automl.contracts.table import Column, ColumnKind, ColumnRole, Row, TableSchema
from automl.planning.facts import facts_of
from engine.data.version import DatasetVersion
from engine.events import EventLog
from engine.job import Job
from engine.preflight.estimate import PLACE, Timed, estimated
from engine.preflight.faults import faults_of
from engine.preflight.part import VersionItems, hardest
from engine.preflight.rehearsal import Rehearsal, Spent, StageClock
from engine.table.table import FitNeeds
from engine.tasks import task_part
from engine.training.config import training_request
from engine.training.ways import way_of
from tests.engine.jobs import brief_order, events, fill_store, host_cache, make_job, run_here

PICTURES, TEXTS, BOXES, TABLE = "image_classification", "text_classification", "object_detection", "tabular_prediction"


def _order(workdir: Path, *, time_s: float = 55.0, **order) -> Path:
    """A directory with an order to try what ``make_job`` would train."""
    store = order.pop("store_of", None)
    assets = None if store is None else fill_store(workdir.with_name("assets"), store, order.get("size"))
    make_job(workdir, cache_dir=host_cache(), assets_dir=assets, **order)
    spec = JobSpec.read(workdir / "job.json")
    trial = PreflightOrder(trials=(spec.train,), time_s=time_s)
    spec.model_copy(update={"kind": "preflight", "train": None, "preflight": trial}).write(workdir / "job.json")
    return workdir


def _report(workdir: Path) -> PreflightReport:
    assert run_here(workdir) == 0, events(workdir)[-1]
    return PreflightReport.read(workdir / "artefact" / PREFLIGHT_FILE)


def test_a_training_that_runs_is_measured_and_leaves_nothing_behind(tmp_path):
    workdir = _order(tmp_path / "job", **brief_order(TABLE, "gradient_boosting"))
    report = _report(workdir)
    (trial,) = report.trials
    assert [(stage.stage, stage.outcome) for stage in trial.stages] == [(each, StageOutcome.PASSED) for each in PreflightStage]
    assert trial.estimated_s > trial.once_s > 0
    assert trial.memory_bytes > 2**28
    assert (report.num_read, report.num_items) == (40, 40)
    assert not any((workdir / "rehearsals").iterdir())
    assert not list(host_cache().glob("*/*-job_test-*"))


def test_a_damaged_text_fails_the_training_and_the_rest_is_tried_without_it(tmp_path):
    workdir = _order(tmp_path / "job", **brief_order(TEXTS, "tfidf_linear"))
    record = DatasetVersion.open(workdir / "data").records(Split.TRAIN)[3]
    (workdir / "data" / blob_path(record.blob)).write_bytes(b"another text")
    (trial,) = _report(workdir).trials
    assert (trial.failure.stage, trial.failure.code, trial.failure.items) == ("data", "item_damaged", (record.item,))
    assert {stage.outcome for stage in trial.stages[1:]} == {StageOutcome.PASSED}


def test_a_training_that_fails_says_where_and_one_without_time_says_that(tmp_path):
    workdir = _order(tmp_path / "job", num_items=30)
    spec = JobSpec.read(workdir / "job.json")
    sound = spec.preflight.trials[0]
    gone = sound.model_copy(update={"start_from": "art_none"})
    wrong = sound.model_copy(update={"params": {**sound.params, "lr": 7.0}})
    spec.model_copy(update={"preflight": PreflightOrder(trials=(wrong, gone))}).write(workdir / "job.json")
    failures = [trial.failure for trial in _report(workdir).trials]
    assert [(failure.stage, failure.code) for failure in failures] == [("data", "job_invalid"), ("data", "start_unsuitable")]
    late = _report(_order(tmp_path / "late", time_s=0.01, num_items=30)).trials[0]
    assert {stage.outcome for stage in late.stages} == {StageOutcome.NOT_REACHED}


def test_a_family_that_used_up_the_time_it_was_given_is_taken_to_use_up_its_budget(tmp_path):
    workdir = make_job(tmp_path / "job", cache_dir=host_cache(), **brief_order(TABLE, "table_ensemble"))
    spec = JobSpec.read(workdir / "job.json")
    train = spec.train.model_copy(update={"params": {**spec.train.params, "budget_s": 60}})
    with EventLog(workdir / "events.jsonl") as log:
        request = training_request(Job(workdir, spec, log), train)
    facts = facts_of(DatasetVersion.open(workdir / "data").manifest)

    def fit(wall_s: float, needs: FitNeeds | None = None) -> Spent:
        clock = StageClock(spent={PreflightStage.STEP: Spent(wall_s, wall_s / 1.5)})
        shown = Rehearsal((), clock, time_s=10.0, needs=needs)
        timed, way = Timed(shown, train, facts), way_of(TABLE)
        others = {"hard": timed, "alone": {"table_network": 1.5}}
        found = estimated([timed], request, facts, way=way, limits=spec.limits, start=Spent(), is_kept=False, **others)
        return found.whole - PLACE

    assert fit(2.0).wall_s == pytest.approx(2.0)
    assert (fit(7.4).wall_s, fit(7.4).cpu_s) == (pytest.approx(1.5 * 60), pytest.approx(60)), "others have a third of the core"
    assert fit(7.4, FitNeeds(20.0, {"table_network": 4.0}, 60.0)).cpu_s == pytest.approx(26.0), "its members take no more"


def _went(monkeypatch, *moments: tuple[float, PreflightStage | None, str]) -> Rehearsal:
    """A trial that said so at these moments, on an idle host."""
    now = iter((0.0, *(moment[0] for moment in moments), moments[-1][0]))
    monkeypatch.setattr(Spent, "so_far", classmethod(lambda cls: cls(*[next(now)] * 2)))
    clock = StageClock(_since=Spent.so_far())
    for _, stage, word in moments:
        if stage is None:
            clock.learn(word)
        else:
            clock.enter(stage, word=word)
    clock.end()
    return Rehearsal((), clock)


def test_what_comes_first_and_what_the_first_epoch_takes_beyond_the_second_do_not_grow(tmp_path, monkeypatch):
    workdir = make_job(tmp_path / "job", cache_dir=host_cache(), num_items=30)
    train = JobSpec.read(workdir / "job.json").train
    facts = facts_of(DatasetVersion.open(workdir / "data").manifest)
    data, step = PreflightStage.DATA, PreflightStage.STEP
    read = ((0.0, data, "load"), (2.0, data, "cache"), (3.0, step, ""))
    moments = zip((8.0, 14.0, 15.0, 17.0, 18.0), ("begun", "step", "epoch", "step", "epoch"), strict=True)
    network = Timed(_went(monkeypatch, *read, *((moment, None, part) for moment, part in moments)), train, facts)
    assert (network.reading.cpu_s, network.before.cpu_s) == (1.0, 5.0)
    assert [each.cpu_s for each in (network.steps.step, network.steps.judged, network.steps.cold)] == [2.0, 1.0, 4.0]
    looked = ((13.0, step, "features"), (15.0, step, "features"), (16.0, step, "train"), (18.0, step, "train"))
    head = Timed(_went(monkeypatch, *read, *looked), train, facts, is_frozen=True)
    assert [each.cpu_s for each in (head.reading, head.before, head.learning)] == [3.0, 10.0, 3.0]


def test_the_hardest_items_are_the_most_unusual_and_each_label_is_there(tmp_path):
    workdir = make_job(tmp_path / "job", cache_dir=tmp_path / "cache", num_items=60)
    items = VersionItems.read(DatasetVersion.open(workdir / "data"))
    sizes = {Split.TRAIN: 8, Split.VALIDATION: 3, Split.TEST: 3}
    part = hardest(items, sizes, without=frozenset({items.ids[0]}), seed=0)
    assert part.num(Split.TRAIN) >= 8
    bytes_N = np.array(items.table["size_bytes"].to_pylist())
    train = items.places(Split.TRAIN, frozenset({items.ids[0]}))
    assert train[bytes_N[train].argmax()] in part.places[Split.TRAIN]
    assert 0 not in part.places[Split.TRAIN]
    labels = [label for place in part.places[Split.TRAIN] for label in items.labels_of(place)]
    assert all(labels.count(name) >= 2 for name in items.version.manifest.label_set.names)


# Faults. Each changes a sound example; nothing is trained.

Records = list[ItemRecord]


@dataclass(frozen=True)
class Fault:
    """What is planted in the example of a task, and the problem that must be found."""

    task: str
    code: str
    plant: Callable[[Records, Path], Records | None]


def _replaced(records: Records, place: int, **changes) -> Records:
    records[place] = records[place].model_copy(update=changes)
    return records


def _bytes(place: int, content: Callable[[bytes], bytes] | bytes) -> Callable[[Records, Path], Records]:
    """An item with other bytes, as they might have come in."""

    def plant(records: Records, folder: Path) -> Records:
        record = records[place]
        old = (folder / blob_path(record.blob)).read_bytes()
        new = content if isinstance(content, bytes) else content(old)
        digest = hashlib.sha256(new).hexdigest()
        path = folder / blob_path(digest)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(new)
        return _replaced(records, place, blob=digest)

    return plant


def _picture(mode: str, size: tuple[int, int] = (80, 60), form: str = "TIFF") -> bytes:
    buffer = BytesIO()
    pixels = np.random.default_rng(0).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
    picture = Image.fromarray(pixels)
    picture = Image.fromarray(pixels[..., 0].astype(np.uint16) * 257) if mode == "I;16" else picture.convert(mode)
    picture.save(buffer, form)
    return buffer.getvalue()


def _jpeg(old: bytes) -> bytes:
    buffer = BytesIO()
    Image.open(BytesIO(old)).convert("RGB").save(buffer, "JPEG")
    return buffer.getvalue()


def _again(old: bytes) -> bytes:
    """The same pixels in other bytes."""
    buffer = BytesIO()
    Image.open(BytesIO(old)).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue() + b" "


def _annotated(*annotations, place: int = 0) -> Callable[[Records, Path], Records]:
    return lambda records, _folder: _replaced(records, place, annotations=annotations)


def _box(x: float, y: float, width: float, height: float) -> Callable[[Records, Path], Records]:
    def plant(records: Records, _folder: Path) -> Records:
        place = next(place for place, record in enumerate(records) if record.annotations)
        label = records[place].annotations[0].label
        return _replaced(records, place, annotations=(Box(label=label, x=x, y=y, width=width, height=height),))

    return plant


def _only(label: str | None) -> Callable[[Records, Path], Records]:
    """One label carried by all, or by one item alone."""

    def plant(records: Records, _folder: Path) -> Records:
        names = sorted({record.annotations[0].label for record in records})
        if label is None:
            return [record.model_copy(update={"annotations": (ClassLabel(label=names[0]),)}) for record in records]
        first = next(r for r in records if r.annotations[0].label == names[0] and r.split is Split.TRAIN)
        return [r for r in records if r.annotations[0].label != names[0] or r is first]

    return plant


def _in_test_too(records: Records, _folder: Path) -> Records:
    test = next(place for place, record in enumerate(records) if record.split is Split.TEST)
    return _replaced(records, test, blob=records[0].blob)


def _copied_to_test(content: Callable[[bytes], bytes]) -> Callable[[Records, Path], Records]:
    def plant(records: Records, folder: Path) -> Records:
        test = next(place for place, record in enumerate(records) if record.split is Split.TEST)
        return _bytes(test, content((folder / blob_path(records[0].blob)).read_bytes()))(records, folder)

    return plant


def _without(split: Split) -> Callable[[Records, Path], Records]:
    return lambda records, _folder: [record for record in records if record.split is not split]


def _cells(change: Callable[[dict[str, str], int], None]) -> Callable[[Records, Path], Records]:
    """Cells of all rows changed; a column that is new becomes a feature."""

    def plant(records: Records, folder: Path) -> Records:
        known: set[str] = set()
        for place, record in enumerate(records):
            cells = dict(json.loads(record.row or "{}")["cells"])
            change(cells, place)
            known |= cells.keys()
            content = Row(cells=cells).canonical()
            digest = hashlib.sha256(content.encode()).hexdigest()
            _replaced(records, place, row=content, blob=digest)
        version = DatasetVersion.open(folder).manifest
        new = sorted(known - {column.name for column in version.columns.columns})
        columns = (*version.columns.columns, *(Column(name=name, kind=ColumnKind.CATEGORY) for name in new))
        version.model_copy(update={"columns": TableSchema(columns=columns)}).write(folder / "version.json")
        return records

    return plant


def _ignored(records: Records, folder: Path) -> Records:
    version = DatasetVersion.open(folder).manifest
    columns = tuple(
        column.model_copy(update={"role": ColumnRole.IGNORED}) if column.role is ColumnRole.FEATURE else column
        for column in version.columns.columns
    )
    version.model_copy(update={"columns": TableSchema(columns=columns)}).write(folder / "version.json")
    return records


def _long(records: Records, _folder: Path) -> Records:
    return _replaced(records, 0, media=records[0].media.model_copy(update={"num_characters": 6_000}))


FAULTS = (
    Fault(PICTURES, "picture_unreadable", _bytes(0, b"GIF89a and nothing else")),
    Fault(PICTURES, "picture_unreadable", _bytes(0, lambda old: _jpeg(old)[:400])),  # cut off
    Fault(PICTURES, "picture_unreadable", _bytes(0, b"")),
    Fault(
        PICTURES, "item_damaged", lambda records, folder: (folder / blob_path(records[0].blob)).write_bytes(b"x") and records
    ),
    Fault(PICTURES, "picture_unreadable", lambda records, folder: (folder / blob_path(records[0].blob)).unlink() or records),
    Fault(PICTURES, "mode_odd", _bytes(0, _picture("I;16"))),
    Fault(PICTURES, "mode_odd", _bytes(0, _picture("CMYK"))),
    Fault(PICTURES, "picture_blank", _bytes(0, lambda old: _jpeg(_blank()))),
    Fault(PICTURES, "picture_huge", _bytes(0, lambda old: _wide())),
    Fault(
        PICTURES, "picture_tiny", lambda r, _: _replaced(r, 0, media=MediaFacts(width=8, height=8, format="png", size_bytes=99))
    ),
    Fault(PICTURES, "picture_in_two_splits", _copied_to_test(_again)),
    Fault(PICTURES, "in_two_splits", _in_test_too),
    Fault(PICTURES, "label_unknown", _annotated(ClassLabel(label="nobody knows it"))),
    Fault(PICTURES, "label_missing", _annotated()),
    Fault(PICTURES, "label_with_few_items", _only("one")),
    Fault(PICTURES, "label_without_items", _only(None)),
    Fault(PICTURES, "validation_empty", _without(Split.VALIDATION)),
    Fault(PICTURES, "test_empty", _without(Split.TEST)),
    Fault(BOXES, "box_outside", _box(5_000, 5_000, 20, 20)),
    Fault(BOXES, "box_tiny", _box(5, 5, 0.5, 20)),
    Fault(BOXES, "box_over_edge", _box(5, 5, 20_000, 20)),
    Fault(BOXES, "boxes_missing", lambda rs, _: [r.model_copy(update={"annotations": ()}) for r in rs]),
    Fault(TEXTS, "text_unreadable", _bytes(0, "fünf Äpfel".encode("latin-1"))),
    Fault(TEXTS, "text_garbled", _bytes(0, "Ã¤rger Ã¼ber Ã¶l und fÃ¼nf StÃ¼hle".encode())),
    Fault(TEXTS, "text_without_letters", _bytes(0, b"... --- !!!")),
    Fault(TEXTS, "text_blank", lambda r, _: _replaced(r, 0, media=r[0].media.model_copy(update={"num_characters": 0}))),
    Fault(TEXTS, "text_long", _long),
    Fault(TEXTS, "text_in_two_splits", _copied_to_test(lambda old: old.upper())),
    Fault(TABLE, "target_missing", _annotated()),
    Fault(TABLE, "no_features", _ignored),
    Fault(TABLE, "constant", _cells(lambda cells, _place: cells.update(room="A 1"))),
    Fault(TABLE, "identifier", _cells(lambda cells, place: cells.update(row_id=f"R-{place:06d}-{place * 7919 % 9973}"))),
    Fault(TABLE, "leaks_target", _cells(lambda cells, _place: cells.update(verdict=cells["grade"].upper()))),
    Fault(TABLE, "mostly_missing", _cells(lambda cells, place: cells.update(note="x") if place % 10 == 0 else None)),
    Fault(TABLE, "mixed", _cells(lambda cells, place: cells.update(thickness_mm="inf" if place % 30 else "thick"))),
    Fault(TABLE, "duplicate_column", _cells(lambda cells, _place: cells.update(maker=cells.get("supplier", "")))),
    Fault(TABLE, "sentinel", _cells(lambda cells, place: cells.update(thickness_mm="-999") if place % 9 == 0 else None)),
)


def _blank() -> bytes:
    buffer = BytesIO()
    Image.new("RGB", (90, 90), (20, 90, 20)).save(buffer, "PNG")
    return buffer.getvalue()


def _wide() -> bytes:
    buffer = BytesIO()
    Image.new("1", (8_000, 5_200)).save(buffer, "PNG")
    return buffer.getvalue()


def _codes(job: Job) -> set[str]:
    version = DatasetVersion.open(job.data_dir)
    found = faults_of(VersionItems.read(version), way_of(job.spec.task).problems(version), job, time_s=20.0)
    return {problem.code for problem in found.problems}


def _written(folder: Path, records: Sequence[ItemRecord]) -> None:
    """A version with these items in place of those that it had."""
    pq.write_table(pa.Table.from_pylist([record_to_row(record) for record in records]), folder / "items-00000.parquet")
    by_split = {split: sum(record.split is split for record in records) for split in Split}
    changes = {"num_items": len(records), "num_items_by_split": by_split}
    DatasetVersion.open(folder).manifest.model_copy(update=changes).write(folder / "version.json")


def _missed(task: str, faults: Iterable[tuple[int, Fault]], folder: Path) -> list[str]:
    found = []
    num_items = 120 if task == TABLE else 40
    for number, fault in faults:
        workdir = folder / str(number)
        task_part(task, "example").write(workdir / "data", num_items=num_items)
        spec = JobSpec(id="job_x", kind="preflight", task=task, cache_dir="cache", assets_dir="assets")
        with EventLog(workdir / "events.jsonl") as log:
            job = Job(workdir, spec, log)
            if number < 0:
                found += [f"{task}: {code} without a fault" for code in _codes(job) & {each.code for each in FAULTS}]
                continue
            planted = fault.plant(DatasetVersion.open(job.data_dir).records(), job.data_dir)
            if planted is not None:
                _written(job.data_dir, planted)
            if fault.code not in _codes(job):
                found.append(f"{number}: {fault.code}")
    return found


@pytest.mark.parametrize("task", sorted({fault.task for fault in FAULTS}))
def test_planted_faults_are_found_and_none_in_a_sound_example(task, tmp_path):
    own = [(number, fault) for number, fault in enumerate(FAULTS) if fault.task == task]
    assert _missed(task, [(-1, own[0][1]), *own], tmp_path) == []
