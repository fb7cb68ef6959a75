"""Every failure ends as an event with a stable code and a hint, and a non-zero exit status."""

from __future__ import annotations

import errno

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch

from automl.contracts.dataset import ItemRecord
from automl.contracts.job import JobLimits, JobSpec, StopReason, TrainConfig
from engine.data.blob import hashes_write
from engine.data.version import DatasetVersion
from engine.errors import OutOfMemoryError, as_engine_error, raise_if_scarce
from tests.engine.jobs import SMALL_RESNET, events, make_evaluation, make_job, run_here


def _failure(workdir):
    assert run_here(workdir) == 1
    failed = events(workdir)[-1]
    assert failed.type == "failed"
    assert failed.message
    assert failed.hint
    assert not (workdir / "artefact").exists()
    return failed


def _respecify(workdir, **changes):
    spec = JobSpec.read(workdir / "job.json")
    spec.model_copy(update=changes).write(workdir / "job.json")


def test_absent_order_is_a_job_failure(tmp_path):
    (tmp_path / "job").mkdir()
    assert _failure(tmp_path / "job").code == "job_invalid"


@pytest.mark.parametrize(
    ("train", "word"),
    [
        (TrainConfig(family="nothing", size="18", params={}), "resnet"),
        (TrainConfig(family="resnet", size="19", params={}), "known: 18"),
        (TrainConfig(family="resnet", size="18", params={"colour": 1}), "no parameter 'colour'"),
        (TrainConfig(family="resnet", size="18", params={"lr": 1e3}), "no value for lr"),
        (TrainConfig(family="resnet", size="18", params={"epochs": True}), "no value for epochs"),
    ],
)
def test_unknown_fields_are_named(tmp_path, cache_dir, train, word):
    workdir = make_job(tmp_path / "job", cache_dir=cache_dir)
    _respecify(workdir, train=train)
    failed = _failure(workdir)
    assert failed.code == "job_invalid"
    assert word in failed.message


def test_blocking_problems_name_their_items(tmp_path, cache_dir):
    # Two labels on an item where the version asks for one.
    workdir = make_job(tmp_path / "job", cache_dir=cache_dir, labels="several")
    text = (workdir / "data" / "version.json").read_text().replace('"labels": "several"', '"labels": "one"')
    (workdir / "data" / "version.json").write_text(text)
    failed = _failure(workdir)
    assert failed.code == "data_invalid"
    records: list[ItemRecord] = DatasetVersion.open(workdir / "data").records()
    assert set(failed.items) == {record.item for record in records if len(record.annotations) > 1}


def test_damaged_pictures_are_all_named(tmp_path, monkeypatch):
    monkeypatch.setattr("engine.data.cache._CHUNK_PICTURES", 4)
    workdir = make_job(tmp_path / "job", cache_dir=tmp_path / "cache")
    version = DatasetVersion.open(workdir / "data")
    broken = [version.records()[place] for place in (5, 11, -1)]
    for record in broken:
        version.blob_path(record.blob).write_bytes(b"no picture")
    failed = _failure(workdir)
    assert failed.code == "item_damaged"
    assert failed.items == tuple(record.item for record in broken)


def test_a_gpu_that_is_not_there_is_a_device_failure(tmp_path, cache_dir):
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    workdir = make_job(tmp_path / "job", cache_dir=cache_dir)
    _respecify(workdir, device="cuda")
    assert _failure(workdir).code == "device_failed"


def test_cell_with_a_wrong_byte_is_not_learned_from(tmp_path):
    task = "tabular_prediction"
    workdir = make_job(
        tmp_path / "job", cache_dir=tmp_path / "cache", task=task, family="table_linear", params={}, num_items=40
    )
    version = DatasetVersion.open(workdir / "data")
    hashes_write(version.data_dir, version.manifest.shards)
    shard = version.data_dir / version.manifest.shards[0]
    rows = pq.read_table(shard)
    cells = rows["row"].to_pylist()
    wrong = [cells[0].replace('"supplier":"', '"supplier":"x'), *cells[1:]]
    assert wrong != cells
    pq.write_table(rows.set_column(rows.schema.get_field_index("row"), "row", pa.array(wrong)), shard)
    assert _failure(workdir).code == "version_bytes_damaged"


def test_absent_weights_are_an_asset_failure(tmp_path, cache_dir, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    workdir = make_job(
        tmp_path / "job", cache_dir=cache_dir, family="linear_probe", params={}, assets_dir=tmp_path / "job" / "assets"
    )
    assert _failure(workdir).code == "asset_missing"


def test_memory_limit_is_kept(tmp_path, cache_dir):
    workdir = make_job(tmp_path / "job", cache_dir=cache_dir, limits=JobLimits(memory_bytes=2**20))
    assert _failure(workdir).code == "out_of_memory"


def test_full_disk_is_named_and_leaves_nothing_half(tmp_path, cache_dir):
    workdir = make_job(tmp_path / "job", cache_dir=cache_dir)
    (workdir / "checkpoints").mkdir()
    (workdir / "checkpoints" / "next.partial").symlink_to("/dev/full")  # the device that is always full
    failed = _failure(workdir)
    assert failed.code == "disk_full"
    assert failed.is_retryable
    assert list((workdir / "checkpoints").iterdir()) == []


def test_label_unknown_to_the_artefact_is_a_data_failure(trained, tmp_path, cache_dir):
    workdir = make_evaluation(tmp_path / "job", artefact=trained / "artefact", cache_dir=tmp_path / "cache")
    manifest = trained / "artefact" / "artefact.json"
    lesser = tmp_path / "lesser"
    lesser.mkdir()
    (lesser / "artefact.json").write_text(manifest.read_text().replace('"cross"', '"blob"'))
    _respecify(workdir, artefact=str(lesser))
    failed = _failure(workdir)
    assert failed.code == "data_invalid"
    assert len(failed.items) == 3


@pytest.mark.parametrize("reason", sorted(set(StopReason) - {StopReason.FINISH}))
def test_stop_ends_the_job_without_an_artefact(tmp_path, cache_dir, reason):
    workdir = make_job(tmp_path / "job", cache_dir=cache_dir, params={**SMALL_RESNET, "epochs": 100})
    (workdir / "control").mkdir()
    (workdir / "control" / "stop").write_text(reason.value)
    assert run_here(workdir) == 0
    assert events(workdir)[-1].stopped == reason
    assert not (workdir / "artefact").exists()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (MemoryError(), "out_of_memory"),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried ..."), "out_of_memory"),
        (RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB"), "out_of_memory"),
        (RuntimeError("can't start new thread"), "out_of_memory"),
        (OSError(errno.ENOSPC, "No space left on device"), "disk_full"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), "disk_full"),
        (OSError(errno.EFBIG, "File too large"), "disk_full"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "out_of_memory"),
        (KeyError("x"), "internal_error"),
    ],
)
def test_foreign_errors_become_ours(error, code):
    assert as_engine_error(error).code == code


def test_a_file_that_cannot_be_read_for_want_of_memory_is_not_called_broken():
    with pytest.raises(OutOfMemoryError):
        raise_if_scarce(OSError(errno.ENOMEM, "Cannot allocate memory"))
    raise_if_scarce(FileNotFoundError(errno.ENOENT, "No such file or directory"))
