"""Rows by what their cells mean: filters and orders of columns, page by page, whatever way numbers and dates are written."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from studio.datasets.items import filters, item_pages
from studio.datasets.models import Item
from tests.studio.datasets.test_rows import rows, target_set
from tests.support.project_setup import home, ingest

__all__ = ["home", "rows"]

pytestmark = pytest.mark.both_databases("platform/studio/datasets/items/item_pages.py")

TABLE = """id,cost,seen,town,a=b,left
r1,"$10,956.16",03/01/2024,Ulm,1,no
r2,$900.00,31/12/2023,ulm,2,no
r3,N/A,15/06/2023,Bonn,3,no
r4,($5.00),,Jena 10,4,yes
r5,"$1,200.50",14/01/2024,,5,yes
r6,$950.00,29/02/2024,Jena 2,6,yes
"""


@pytest.fixture
def clinic(rows):
    ingest(rows.dataset, TABLE.encode(), name="clinic.csv")
    target_set(rows.client(), rows, "left")
    return rows


def named(clinic, ids: list[str]) -> list[str]:
    cells = {item.id: item.text for item in Item.objects.filter(id__in=ids)}
    return [next(f"r{n}" for n in range(1, 7) if f'"r{n}"' in cells[item]) for item in ids]


def found(clinic, *tests: str, status: int = 200, **more: str):
    """What a filter finds: by pages and by positions, which must agree."""
    client, folder = clinic.client(), f"/api/datasets/{clinic.dataset.id}/items"
    query = [("cell", test) for test in tests] + list(more.items())
    ids, cursor = [], ""
    while cursor is not None and not more:
        page = client.get(f"{folder}?{urlencode([*query, ('limit', '2'), *([('cursor', cursor)] if cursor else [])])}")
        assert page.status_code == status, page.content
        if status != 200:
            return page.json()
        ids += [item["id"] for item in page.json()["items"]]
        cursor = page.json()["next_cursor"]
    placed, cursor = [], ""
    while cursor is not None:
        part = client.get(f"{folder}/positions?{urlencode([*query, *([('cursor', cursor)] if cursor else [])])}")
        assert part.status_code == status, part.content
        if status != 200:
            return part.json()
        assert len(part.json()["ids"]) == part.json()["num_items"]
        placed += part.json()["ids"]
        cursor = part.json()["next_cursor"]
    assert more or ids == placed
    return named(clinic, placed)


def test_rows_are_found_by_what_their_cells_mean(clinic, monkeypatch):
    monkeypatch.setattr(item_pages, "WINDOW", 4)
    monkeypatch.setattr(item_pages, "CELLS_WINDOW", 4)
    monkeypatch.setattr(filters, "_CELLS_AT_ONCE", 3)
    assert found(clinic, "cost>=950") == ["r1", "r5", "r6"]
    assert found(clinic, "cost>=-5", "cost<=900") == ["r2", "r4"]
    assert found(clinic, "cost=950") == ["r6"]
    assert found(clinic, "cost=") == ["r3"]
    assert found(clinic, "town!=") == ["r1", "r2", "r3", "r4", "r6"]
    assert found(clinic, "town=Ulm", "town=") == ["r1", "r5"]
    assert found(clinic, "town~JENA") == ["r4", "r6"]
    assert found(clinic, "seen>=2023-12-31", "seen<=2024-01-14") == ["r1", "r2", "r5"]
    assert found(clinic, "left=yes", "cost!=") == ["r4", "r5", "r6"]
    assert found(clinic, "a%3Db<=2") == ["r1", "r2"]


def test_what_fits_no_column_is_refused_by_name(clinic):
    for test in ("age>=3", "cost", "cost>=much", "town>=3", "seen<=tomorrow"):
        problem = found(clinic, test, status=422)
        assert problem["code"] == "cell_test_invalid", test
    assert found(clinic, order="cell", column="age", status=422)["code"] == "cell_test_invalid"


def test_rows_are_sorted_by_what_their_cells_mean_with_missing_ones_last(clinic):
    assert found(clinic, order="cell", column="cost") == ["r4", "r2", "r6", "r5", "r1", "r3"]
    assert found(clinic, order="cell", column="cost", descending="true") == ["r1", "r5", "r6", "r2", "r4", "r3"]
    assert found(clinic, order="cell", column="seen") == ["r3", "r2", "r1", "r5", "r6", "r4"]
    assert found(clinic, order="cell", column="town") == ["r3", "r6", "r4", "r1", "r2", "r5"]
    assert found(clinic, "cost>=0", order="cell", column="left", descending="true") == ["r5", "r6", "r1", "r2"]


def test_a_bulk_change_reaches_the_rows_that_the_filter_shows(clinic):
    body = {"matching": {"cell": ["cost>=950"]}, "change": {"kind": "delete"}}
    answer = clinic.client().post(f"/api/datasets/{clinic.dataset.id}/bulk", body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert answer.json()["num_items"] == 3
    assert found(clinic, "cost!=") == ["r2", "r4"]
