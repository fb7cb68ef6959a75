"""The examples of rows: a real table, the same each time, from which either target can be learned."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import zipfile

import pytest

from engine.assets.card import read_card
from engine.assets.fetch import AssetChangedError
from engine.assets.tables import holds_table, table
from engine.tasks.tabular_prediction import quickstart
from engine.tasks.tabular_prediction.options import CATEGORY, NUMBER
from tests.engine.jobs import REPOSITORY
from tests.support.platform_process import ASSETS, assets_fetched


@pytest.fixture(scope="module", autouse=True)
def store():
    return assets_fetched("vega_cars")


def _rows(path):
    with zipfile.ZipFile(path) as archive:
        text = archive.read(quickstart.TABLE_FILE).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_the_same_rows_each_time_with_something_to_fill_in(tmp_path):
    fractions: list[float] = []
    quickstart.write_zip(tmp_path / "one.zip", ASSETS, fractions.append)
    quickstart.write_zip(tmp_path / "two.zip", ASSETS)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.zip", "two.zip"]
    rows = _rows(tmp_path / "one.zip")
    assert len(rows) == 406
    assert {row[quickstart.TARGETS[CATEGORY]] for row in rows} == {"", "Europe", "Japan", "USA"}
    assert sum(not row[quickstart.TARGETS[CATEGORY]] for row in rows) == 16
    assert sum(not row[quickstart.TARGETS[NUMBER]] for row in rows) == 8
    assert sum(not row["horsepower"] for row in rows) == 6
    assert fractions[-1] == 1.0


def test_the_command_asks_for_no_backbone(tmp_path):
    command = [sys.executable, "-m", "engine.tasks.shared.quickstart", "tabular_prediction", "--assets-dir", str(ASSETS)]
    done = subprocess.run(
        [*command, "--out", str(tmp_path / "z.zip")], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[-1] == {"fraction": 1.0, "message": "ready", "labels": "auto"}
    assert all("backbone" not in line["message"] for line in lines)
    assert len(_rows(tmp_path / "z.zip")) == 406


def test_a_list_of_objects_becomes_a_table_and_anything_else_is_refused(tmp_path):
    from engine.assets.tables import _rows as rows_write

    source, target = tmp_path / "cars.json", tmp_path / "table.csv"
    source.write_text('[{"a": 1, "b": "x, y"}, {"a": null, "c": 2.5}]', encoding="utf-8")
    rows_write(source, target)
    assert target.read_text(encoding="utf-8") == 'a,b,c\n1,"x, y",\n,,2.5\n'
    for broken in (b"[1, 2]", b"{", b"\xff\xfe"):
        source.write_bytes(broken)
        with pytest.raises(AssetChangedError):
            rows_write(source, target)
    assert not holds_table(read_card("chinese_reviews_positive"))
    with pytest.raises(ValueError, match="no table"):
        table("chinese_reviews_positive", tmp_path)
