import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from automl.contracts.dataset import Split
from engine.data.blob import HASHES_FILE, hashes_write
from engine.data.version import DatasetVersion, VersionBytesError, VersionDamagedError


def test_records_come_back_as_written_and_split(make_version):
    version = make_version(num_pictures=12)
    records = version.records()
    assert [record.item for record in records] == [f"itm_{n:03d}" for n in range(12)]
    assert [record.item for record in version.records(Split.VALIDATION)] == ["itm_001", "itm_004", "itm_007", "itm_010"]
    assert records[1].annotations[0].label == "odd"
    assert version.blob_path(records[0].blob).read_bytes().startswith(b"\x89PNG")


def test_folder_without_manifest_is_refused(tmp_path):
    with pytest.raises(VersionDamagedError):
        DatasetVersion.open(tmp_path)


def test_missing_shard_is_named(make_version):
    version = make_version(num_pictures=12)
    (version.data_dir / "items-00001.parquet").unlink()
    with pytest.raises(VersionDamagedError, match=r"items-00001\.parquet"):
        version.records()


def test_shard_with_another_label_than_was_written_is_refused(make_version):
    version = make_version(num_pictures=12)
    hashes_write(version.data_dir, version.manifest.shards)
    assert len(DatasetVersion.open(version.data_dir).records()) == 12
    shard = version.data_dir / version.manifest.shards[1]
    rows = pq.read_table(shard)
    annotations = rows["annotations"].to_pylist()
    others = pa.array([annotations[1], *annotations[1:]])
    pq.write_table(rows.set_column(rows.schema.get_field_index("annotations"), "annotations", others), shard)
    with pytest.raises(VersionBytesError, match=r"items-00001\.parquet .* not the file that was written"):
        DatasetVersion.open(version.data_dir).records()
    (version.data_dir / HASHES_FILE).write_text("{")
    with pytest.raises(VersionBytesError, match=HASHES_FILE):
        DatasetVersion.open(version.data_dir).records()


def test_shard_cut_short_is_refused(make_version):
    version = make_version(num_pictures=12)
    short = version.manifest.model_copy(update={"shards": version.manifest.shards[:-1]})
    with pytest.raises(VersionDamagedError, match="promises 12 items and holds 10"):
        DatasetVersion(data_dir=version.data_dir, manifest=short).records()
