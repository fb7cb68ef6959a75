"""Small files that unpack far: told as such, within bounds, and the platform goes on."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from labeling.formats._table_limits import rows_counted
from labeling.formats._values import LabelError
from studio.datasets.files.limits import LIMITS, MIB
from studio.datasets.models import Item, Reject, UploadState
from tests.support.project_setup import ProjectSetup, home, ingest, picture, setup, setup_make

__all__ = ["home", "setup"]


@pytest.fixture
def rows(db, home) -> ProjectSetup:
    return setup_make(task="tabular_prediction")


def parquet(columns: dict[str, pa.Array], **options) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, **options)
    return out.getvalue()


def reject_codes(upload) -> set[str]:
    assert upload.state == UploadState.DONE
    return set(Reject.objects.filter(upload=upload).values_list("code", flat=True))


def test_a_parquet_that_remembers_one_long_cell_stops_in_proportion(rows):
    """A few kilobytes that stand for two gigabytes; what came before stays."""
    values = pa.DictionaryArray.from_arrays(pa.array(np.zeros(200_000, dtype=np.int32)), pa.array(["x" * 10_000]))
    data = parquet({"long": values, "more": values})
    assert len(data) < 4_000
    assert reject_codes(ingest(rows.dataset, data, name="t.parquet", kind="file")) == {"table_unpacks_too_far"}
    assert Item.objects.count() <= 64 * MIB // 20_000


def test_a_parquet_of_fifty_million_nulls_is_refused_with_the_limit(rows):
    data = parquet({"a": pa.nulls(50_000_000, pa.string())})
    assert len(data) < 200_000
    assert reject_codes(ingest(rows.dataset, data, name="t.parquet", kind="file")) == {"table_too_long"}


def test_a_parquet_whose_pages_unpack_too_far_is_not_unpacked(rows):
    data = parquet({"a": pa.array(["0" * MIB] * 300)}, use_dictionary=False, compression="zstd")
    assert len(data) < MIB
    assert reject_codes(ingest(rows.dataset, data, name="t.parquet", kind="file")) == {"table_unpacks_too_far"}


def sheet_of_one_cell(size: int) -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["head"])
    book.active.append(["CELL"])
    plain, out = io.BytesIO(), io.BytesIO()
    book.save(plain)
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in source.namelist():
            with packed.open(name, "w", force_zip64=True) as file:
                first, _, rest = source.read(name).partition(b"CELL")
                file.write(first)
                for _ in range(size // MIB if rest else 0):
                    file.write(b"A" * MIB)
                file.write(rest)
    return out.getvalue()


@pytest.mark.parametrize("task", ["tabular_prediction", "text_classification", "image_classification"])
def test_a_sheet_of_one_huge_cell_is_refused_before_it_is_unpacked(db, home, task):
    data = sheet_of_one_cell(400 * MIB)
    assert len(data) < MIB
    kind = "labels_csv" if task == "image_classification" else "file"
    upload = ingest(setup_make(task=task).dataset, data, name="t.xlsx", kind=kind, labels="csv" if kind != "file" else "none")
    assert "table_unpacks_too_far" in reject_codes(upload)


def test_a_tar_of_zeros_is_left_where_it_unpacks_too_far(setup):
    plain = tarfile.TarInfo("zeros.png")
    plain.size = 2_000 * MIB
    member = tarfile.TarInfo("a.png")
    good = picture(1)
    member.size = len(good)
    out = io.BytesIO()
    with gzip.open(out, "wb", compresslevel=6) as stream:
        stream.write(member.tobuf() + good + b"\0" * (-len(good) % 512))
        stream.write(plain.tobuf())
        for _ in range(300):  # far fewer than it says: nobody gets to the end
            stream.write(b"\0" * MIB)
    assert len(out.getvalue()) < MIB
    upload = ingest(setup.dataset, out.getvalue(), name="bomb.tar.gz")
    assert reject_codes(upload) == {"file_too_large", "compression_bomb"}
    assert Item.objects.count() == 1


def test_a_long_table_of_short_lines_is_read_whole_and_one_beyond_the_limit_is_reported(rows):
    lines = b"a,b\n" + b"".join(b"%d,1\n" % number for number in range(30_000))
    upload = ingest(rows.dataset, lines, name="t.csv", kind="file")
    assert (upload.num_items, reject_codes(upload)) == (30_000, set())
    assert sum(1 for _ in rows_counted(range(LIMITS.max_rows))) == LIMITS.max_rows
    with pytest.raises(LabelError, match="table_too_long"):
        sum(1 for _ in rows_counted(range(LIMITS.max_rows + 2)))


def test_ordinary_packed_tables_are_taken_whole(rows):
    """Categories of few values unpack far, and are ordinary."""
    chance = np.random.default_rng(1)
    names = pa.array(["a category of some length", "another category", "and one more of them"])
    columns = {
        f"c{at}": pa.DictionaryArray.from_arrays(pa.array(chance.integers(0, 3, 20_000).astype(np.int32)), names)
        for at in range(20)
    }
    upload = ingest(rows.dataset, parquet(columns), name="t.parquet", kind="file")
    assert reject_codes(upload) == set()
    assert upload.num_items + upload.num_duplicates == 20_000
