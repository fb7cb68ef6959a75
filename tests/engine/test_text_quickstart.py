"""The examples of texts: real reviews, balanced, the same each time, and read by the platform without a complaint."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import zipfile
from collections import Counter

import pytest

from engine.tasks.text_classification import quickstart
from tests.support.platform_process import ASSETS, assets_fetched


@pytest.fixture(scope="module", autouse=True)
def store():
    return assets_fetched("chinese_reviews_positive", "chinese_reviews_negative")


def rows_of(data: bytes) -> list[dict[str, str]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        text = archive.read(quickstart.TABLE_FILE).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_as_many_texts_of_either_label_and_the_same_bytes_each_time(tmp_path):
    fractions: list[float] = []
    quickstart.write_zip(tmp_path / "one.zip", ASSETS, fractions.append)
    quickstart.write_zip(tmp_path / "two.zip", ASSETS)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.zip", "two.zip"]
    rows = rows_of((tmp_path / "one.zip").read_bytes())
    assert Counter(row["label"] for row in rows) == {"negative": 100, "positive": 100, "": 40}
    assert len({row["text"] for row in rows}) == 240
    assert len({row["label"] for row in rows[:20]}) == 2  # mixed, not one label after the other
    assert {10 <= len(row["text"]) <= 160 for row in rows} == {True}
    assert (fractions[-1], fractions) == (1.0, sorted(fractions))


def test_the_command_brings_the_backbone_and_says_where_labels_come_from(tmp_path):
    command = [sys.executable, "-m", "engine.tasks.shared.quickstart", "text_classification", "--assets-dir", str(ASSETS)]
    done = subprocess.run([*command, "--out", str(tmp_path / "z.zip")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert '"labels": "auto"' in done.stdout.splitlines()[-1]
    assert len(rows_of((tmp_path / "z.zip").read_bytes())) == 240
