"""The job ``embed`` on texts: each text gets its own row, whatever its length and company, and what it read with is left."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest
import torch

from automl.contracts.job import JobLimits, JobSpec
from engine import frozen
from engine.data.text import TextTokenizer
from engine.embedding.spec import (
    EDITION,
    GRAPH_FILE,
    MAX_TOKENS,
    MISSING_FILE,
    READER,
    READER_SIZE,
    SHARDS_DIR,
    TEXT_EDITION,
    TEXTS_FILE,
    TOKENIZER_FILE,
    offered_dir,
    shard_read,
    widened,
)
from tests.engine.jobs import events, run_here
from tests.engine.text_store import text_store

TEXTS = [
    *(f"the room was clean and quiet, number {n}" for n in range(30)),
    *("这个地方不大 " * n for n in range(1, 8)),
    "a",
    "",
    "words " * 4000,
]


def job(workdir, texts, shards=(), assets_dir=None, written=None):
    data = workdir / "data"
    (data / SHARDS_DIR).mkdir(parents=True)
    hashes = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    (data / MISSING_FILE).write_text("\n".join(hashes))
    (data / TEXTS_FILE).write_text(json.dumps(list(texts if written is None else written)))
    for number, shard in enumerate(shards):
        (data / SHARDS_DIR / str(number)).symlink_to(shard, target_is_directory=True)
    assets, cache = text_store()
    spec = JobSpec(
        id="job_test", kind="embed", task="text_classification", cache_dir=str(cache), assets_dir=str(assets_dir or assets)
    )
    spec.model_copy(update={"limits": JobLimits(num_threads=1)}).write(workdir / "job.json")
    return hashes


def rows_of(workdir) -> dict[str, np.ndarray]:
    blobs, features = shard_read(workdir / "artefact")
    return {blob.decode(): widened(features[at]) for at, blob in enumerate(blobs)}


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    workdir = tmp_path_factory.mktemp("read") / "job"
    hashes = job(workdir, TEXTS)
    assert run_here(workdir) == 0, events(workdir)[-1]
    return workdir, hashes


def test_every_text_has_the_row_of_the_network_that_reads_it_alone(read):
    workdir, hashes = read
    (finished,) = events(workdir, "finished")
    assert finished.metrics == {"num_rows": 40.0, "num_new": 40.0, "num_unreadable": 0.0}
    assets, cache = text_store()
    network = frozen.load_backbone(READER, READER_SIZE, assets).eval()
    tokenizer = TextTokenizer((offered_dir(cache, TEXT_EDITION) / TOKENIZER_FILE).read_text(encoding="utf-8"))
    assert tokenizer.max_tokens == MAX_TOKENS
    rows = rows_of(workdir)
    for text, blob in zip(TEXTS, hashes, strict=True):
        with torch.no_grad():
            alone = network(torch.tensor([tokenizer.ids(text.strip())])).numpy()[0]
        difference = np.linalg.norm(rows[blob] - alone)  # of two roundings to bfloat16, the runtime's and the shard's
        assert difference <= 0.05 * np.linalg.norm(alone), (text[:40], difference)


def test_what_it_read_with_is_left_for_the_platform(read):
    _, cache = text_store()
    assert (offered_dir(cache, TEXT_EDITION) / GRAPH_FILE).stat().st_size > 1_000_000
    assert not offered_dir(cache, EDITION).exists()  # that of pictures was not asked for


def test_later_texts_take_earlier_shards_in(read, tmp_path):
    before = rows_of(read[0])
    (new,) = job(tmp_path / "more", ["one more text"], [read[0] / "artefact"])
    assert run_here(tmp_path / "more") == 0
    after = rows_of(tmp_path / "more")
    assert set(after) == {*before, new}
    assert all(np.array_equal(after[blob], row) for blob, row in before.items())


def test_a_request_to_stop_leaves_nothing(tmp_path):
    job(tmp_path, TEXTS)
    (tmp_path / "control").mkdir()
    (tmp_path / "control" / "stop").write_text("cancelled")
    assert run_here(tmp_path) == 0
    assert events(tmp_path)[-1].stopped == "cancelled"
    assert not (tmp_path / "artefact").exists()


def test_without_weights_the_job_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    job(tmp_path / "job", TEXTS[:2], assets_dir=tmp_path / "assets")
    assert run_here(tmp_path / "job") == 1
    assert events(tmp_path / "job")[-1].code == "asset_missing"


def test_a_text_too_few_is_refused(tmp_path):
    job(tmp_path, TEXTS[:3], written=TEXTS[:2])
    assert run_here(tmp_path) == 1
    assert events(tmp_path)[-1].code == "data_invalid"
