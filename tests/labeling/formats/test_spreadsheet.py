"""No cell of a download is a formula to a spreadsheet, and every cell comes back as it was."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automl.contracts.annotation import ClassLabel
from labeling.services import annotation_save_many
from studio.common.spreadsheet import quoted, unquoted
from studio.datasets.models import Item
from studio.datasets.versions.manifest import version_commit
from tests.studio.datasets.test_rows import target_set
from tests.support.project_setup import home, ingest, picture, setup, setup_make, zip_of

__all__ = ["home", "setup"]

EVIL = ["=cmd|' /C calc'!A0", "@SUM(1)", "=1+0", "+1+1", "-2+3", "\t=1", "=HYPERLINK(1)"]
PLAIN = ["-5", "+3.5", "-1e-3", "-", "rose", "'", "it's", "2-1", ""]
CELLS = st.lists(st.one_of(st.text("'=+-@\t\r1.e a", max_size=6), st.sampled_from(EVIL + PLAIN)), max_size=6)


@given(CELLS)
def test_quoting_is_undone_and_leaves_no_formula(cells):
    assert unquoted(quoted(cells)) == cells
    for cell in quoted(cells):
        if len(cell) > 1 and cell[0] in "=+-@\t\r":
            float(cell.replace(",", ".").rstrip("%"))  # nothing but a number


def test_numbers_and_ordinary_texts_stay_as_they_are():
    assert quoted(PLAIN) == PLAIN
    assert all(cell.startswith("'") for cell in quoted(EVIL))


def download(setup, **query) -> dict[str, bytes]:
    version, _ = version_commit(dataset=setup.dataset, actor=setup.actor)
    answer = setup.client().get(f"/api/versions/{version.id}/download", query)
    assert answer.status_code == 200, answer.content
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def cells_of(data: bytes) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")) for cell in row]


def is_safe(cells: list[str]) -> bool:
    return not [cell for cell in cells if len(cell) > 1 and cell[0] in "=+-@\t\r" and not re.fullmatch(r"-\d", cell)]


def test_rows_of_a_table_go_out_quoted_and_come_back(db, home):
    setup = setup_make(task="tabular_prediction")
    table = io.StringIO(newline="")
    csv.writer(table).writerows(
        [
            ["=cmd|x", "plain", "n", "kind"],
            *([evil, f"'{evil}", str(-at), "=a" if at % 2 else "b"] for at, evil in enumerate(EVIL)),
            ["-", "it's", "-7", "b"],
        ]
    )
    ingest(setup.dataset, table.getvalue().encode(), name="t.csv", kind="file")
    target_set(setup.client(), setup, "kind")
    before = set(Item.objects.values_list("text", flat=True))
    assert len(before) == len(EVIL) + 1
    data = download(setup, format="table_rows")["rows.csv"]
    assert is_safe(cells_of(data))
    assert "'=cmd|x" in cells_of(data)
    again = setup_make(email="grace@example.org", task="tabular_prediction")
    ingest(again.dataset, data, name="rows.csv", kind="file")
    assert set(Item.objects.filter(dataset=again.dataset).values_list("text", flat=True)) == before


@pytest.mark.parametrize("form", ["csv_labels", "image_folder"])
def test_labels_and_file_names_go_out_quoted_and_come_back(setup, form):
    label = "=cmd|' /C calc'!A0"
    setup.labels(label, "@SUM(1)", "rose")
    ingest(setup.dataset, zip_of({"=1+1.png": picture(1), "-b.png": picture(2), "c.png": picture(3)}))
    expected = {}
    for item, name in zip(Item.objects.order_by("name"), (label, "@SUM(1)", "rose"), strict=True):
        annotation_save_many(items=[item], annotations=(ClassLabel(label=name),), operation=f"op-{name}", actor=setup.actor)
        expected[item.blob] = name
    files = download(setup, format=form)
    assert is_safe(cells_of(next(data for name, data in files.items() if name.endswith(".csv"))))
    again = setup_make(email="grace@example.org")
    packed = zip_of({name: data for name, data in files.items() if name != "version.json"})
    ingest(again.dataset, packed, labels=form)
    found = {item.blob: item.annotations[0]["label"] for item in Item.objects.filter(dataset=again.dataset)}
    assert found == expected


def test_an_apostrophe_in_a_file_of_somebody_else_is_part_of_the_cell(db, home):
    setup = setup_make(task="tabular_prediction")
    ingest(setup.dataset, b"a,b\n'=1,x\n'-y,z\n", name="t.csv", kind="file")
    texts = sorted(Item.objects.values_list("text", flat=True))
    assert [json.loads(text)["cells"]["a"] for text in texts] == ["'-y", "'=1"]
