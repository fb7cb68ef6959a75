"""A real table with planted faults goes through the job as the platform runs it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.datasets import load_breast_cancer

from automl.contracts.dataset import Label, LabelSet, Split
from automl.contracts.job import JobSpec
from automl.contracts.quality import (
    COLUMNS_FILE,
    ITEMS_FILE,
    LABELS_FILE,
    QUALITY_REPORT_FILE,
    FindingKind,
    NoteCode,
    QualityItem,
    QualityReport,
    items_to_columns,
)
from automl.contracts.table import Column, ColumnKind, ColumnRole, Row, TableSchema
from engine.quality.items.row import work
from tests.engine.jobs import events, run_here
from tests.engine.quality.test_quality_report import findings_by_kind

FLIPPED, COPIED, LEAKED, ODD = range(30, 510, 40), range(50, 62), range(100, 112), range(150, 162)


def _item(number: int, cells: dict[str, str], label: str, split: Split, copy_number: int = 1) -> QualityItem:
    text = Row(cells=cells, copy_number=copy_number).model_dump_json()
    return QualityItem(
        item=f"itm_{number:06d}",
        name=f"cells.csv#{number}",
        blob=hashlib.sha256(text.encode()).hexdigest(),
        width=0,
        height=0,
        size_bytes=len(text),
        split=split,
        group=str(number),
        is_annotated=True,
        labels=(label,),
        text=text,
    )


def _write(workdir: Path, items: list[QualityItem], columns: TableSchema) -> None:
    data_dir = workdir / "data"
    data_dir.mkdir(parents=True)
    pq.write_table(pa.table(items_to_columns(items)), data_dir / ITEMS_FILE)
    LabelSet(labels=(Label(name="malignant"), Label(name="benign"))).write(data_dir / LABELS_FILE)
    columns.write(data_dir / COLUMNS_FILE)
    JobSpec(id="job_quality", kind="quality", task="tabular_prediction", cache_dir="cache", assets_dir="assets").write(
        workdir / "job.json"
    )


@pytest.fixture(scope="module")
def planted(tmp_path_factory) -> Path:
    workdir = tmp_path_factory.mktemp("rows")
    data = load_breast_cancer()
    names = [name.replace(" ", "_") for name in data.feature_names]
    labels = [str(data.target_names[target]) for target in data.target]
    rows = [dict(zip(names, map(repr, map(float, row)), strict=True)) for row in data.data]
    for number in ODD:
        rows[number] = {
            name: repr(float(cell) * (40 if place % 2 else -3)) for place, (name, cell) in enumerate(rows[number].items())
        }
    other = {"malignant": "benign", "benign": "malignant"}
    given = [other[label] if number in FLIPPED else label for number, label in enumerate(labels)]
    items = [
        _item(number, rows[number] | {"diagnosis": given[number]}, given[number], Split.TRAIN) for number in range(len(rows))
    ]
    items += [
        _item(1000 + number, rows[number] | {"diagnosis": given[number]}, given[number], Split.TRAIN, copy_number=2)
        for number in COPIED
    ]
    items += [_item(2000 + number, rows[number] | {"diagnosis": given[number]}, given[number], Split.TEST) for number in LEAKED]
    target = Column(name="diagnosis", kind=ColumnKind.CATEGORY, role=ColumnRole.TARGET)
    _write(workdir, items, TableSchema(columns=(*(Column(name=name, kind=ColumnKind.NUMBER) for name in names), target)))
    assert run_here(workdir) == 0, events(workdir)[-1]
    return workdir


def _ids(*numbers: range, offset: int = 0) -> set[str]:
    return {f"itm_{offset + number:06d}" for part in numbers for number in part}


def test_rows_that_repeat_are_copies_and_across_splits_leaks(planted):
    by_kind = findings_by_kind(planted)
    copies = _ids(COPIED) | _ids(COPIED, offset=1000)
    assert copies <= set(by_kind[FindingKind.EXACT_DUPLICATE])
    assert set(by_kind[FindingKind.LEAK]) == _ids(LEAKED) | _ids(LEAKED, offset=2000)
    leak = by_kind[FindingKind.LEAK][f"itm_{LEAKED[0]:06d}"].detail
    assert (leak["other"], leak["split"], leak["other_split"]) == (f"itm_{2000 + LEAKED[0]:06d}", "train", "test")


def test_flipped_labels_are_doubted(planted):
    doubted = findings_by_kind(planted)[FindingKind.WRONG_LABEL]
    assert len(_ids(FLIPPED) & set(doubted)) >= 9
    first = sorted(doubted.values(), key=lambda one: -one.severity)[: len(FLIPPED)]
    assert sum(one.item in _ids(FLIPPED) for one in first) >= 8


def test_rows_far_from_all_others_are_odd(planted):
    odd = set(findings_by_kind(planted)[FindingKind.OUTLIER])
    assert len(_ids(ODD) & odd) >= 10
    assert len(odd - _ids(ODD)) <= 12


def test_an_odd_row_names_the_cells_that_make_it_so(tmp_path):
    draw = np.random.default_rng(4)
    rows = [{name: f"{draw.normal():.3f}" for name in ("a", "b", "c", "d")} | {"town": "Ulm"} for _ in range(200)]
    rows[7] |= {"b": "95.5", "d": "-120"}
    items = [_item(number, cells | {"diagnosis": "benign"}, "benign", Split.TRAIN) for number, cells in enumerate(rows)]
    target = Column(name="diagnosis", kind=ColumnKind.CATEGORY, role=ColumnRole.TARGET)
    kinds = dict.fromkeys("abcd", ColumnKind.NUMBER) | {"town": ColumnKind.CATEGORY}
    _write(tmp_path, items, TableSchema(columns=(*(Column(name=name, kind=kind) for name, kind in kinds.items()), target)))
    assert run_here(tmp_path) == 0, events(tmp_path)[-1]
    found = findings_by_kind(tmp_path)[FindingKind.OUTLIER]["itm_000007"]
    assert set(found.detail["columns"]) == {"b", "d"}


def test_where_rows_repeat_by_nature_nobody_is_bothered(tmp_path):
    random = np.random.default_rng(0)
    schema = TableSchema(columns=(Column(name="class", kind=ColumnKind.CATEGORY), Column(name="sex", kind=ColumnKind.CATEGORY)))
    items = [
        _item(number, {"class": f"c{random.integers(3)}", "sex": f"s{random.integers(2)}"}, "benign", Split.TRAIN, number + 1)
        for number in range(200)
    ]
    _write(tmp_path, items, schema)
    assert run_here(tmp_path) == 0, events(tmp_path)[-1]
    report = QualityReport.read(tmp_path / "artefact" / QUALITY_REPORT_FILE)
    assert report.num_found[FindingKind.EXACT_DUPLICATE] == 0
    assert NoteCode.ROWS_REPEAT in {note.code for note in report.notes}


def test_of_very_many_rows_some_are_drawn(tmp_path, monkeypatch):
    monkeypatch.setattr(work, "MOST_LOOKED_AT", 100)
    schema = TableSchema(columns=(Column(name="x", kind=ColumnKind.NUMBER),))
    items = [_item(number, {"x": str(number)}, "benign", Split.TRAIN) for number in range(300)]
    _write(tmp_path, items, schema)
    assert run_here(tmp_path) == 0, events(tmp_path)[-1]
    report = QualityReport.read(tmp_path / "artefact" / QUALITY_REPORT_FILE)
    assert (report.num_items, next(note.value for note in report.notes if note.code is NoteCode.SAMPLED)) == (300, 100)


def test_a_table_without_columns_to_learn_from_is_refused(tmp_path):
    target = Column(name="y", kind=ColumnKind.NUMBER, role=ColumnRole.TARGET)
    _write(tmp_path, [_item(1, {"y": "1"}, "benign", Split.TRAIN)], TableSchema(columns=(target,)))
    assert run_here(tmp_path) == 1
    assert events(tmp_path)[-1].code == "data_invalid"
