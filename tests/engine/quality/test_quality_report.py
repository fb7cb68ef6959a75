"""A small planted set goes through the job as the platform runs it: each fault is found, and hardly anything else."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from automl.contracts.dataset import blob_path
from automl.contracts.items import items_of
from automl.contracts.job import JobSpec
from automl.contracts.modality import Modality
from automl.contracts.quality import (
    FINDINGS_FILE,
    QUALITY_REPORT_FILE,
    FindingKind,
    NoteCode,
    QualityReport,
    finding_from_row,
)
from tests.engine.jobs import embedding_store, events, run_here
from tests.engine.quality.planted import Planted, plant
from tests.engine.quality.planted_pictures import drawn_backgrounds, drawn_cutouts

ONE_BY_ONE = [
    FindingKind.BLURRED,
    FindingKind.DARK,
    FindingKind.BRIGHT,
    FindingKind.LOW_INFORMATION,
    FindingKind.ODD_ASPECT,
    FindingKind.ODD_SIZE,
    FindingKind.ODD_COLOUR,
]
PAIRED = [FindingKind.EXACT_DUPLICATE, FindingKind.NEAR_DUPLICATE, FindingKind.LEAK]


def make_job(workdir: Path, *, assets_dir: Path, cache_dir: Path, seed: int = 0) -> None:
    JobSpec(
        id="job_quality",
        kind="quality",
        task="image_classification",
        seed=seed,
        cache_dir=str(cache_dir),
        assets_dir=str(assets_dir),
    ).write(workdir / "job.json")


def findings_by_kind(workdir: Path) -> dict[FindingKind, dict]:
    out: dict[FindingKind, dict] = defaultdict(dict)
    for row in pq.read_table(workdir / "artefact" / FINDINGS_FILE).to_pylist():
        finding = finding_from_row(row)
        assert finding.item not in out[finding.kind]
        out[finding.kind][finding.item] = finding
    return out


def unreadable(planted: Planted) -> set[str]:
    """One that breaks off, and one whose bytes are those of another."""
    return {planted.items[3].item, planted.items[4].item}


@pytest.fixture(scope="module")
def ran(tmp_path_factory) -> tuple[Path, Planted]:
    workdir = tmp_path_factory.mktemp("quality")
    rng = np.random.default_rng(5)
    planted = plant(
        workdir / "data",
        cutouts=drawn_cutouts(rng, 30),
        backgrounds=drawn_backgrounds(rng, 6),
        num_clean=130,
        num_faults=5,
        seed=5,
    )
    exchanged = workdir / "data" / blob_path(planted.items[4].blob)
    exchanged.write_bytes((workdir / "data" / blob_path(planted.items[5].blob)).read_bytes())
    truncated = workdir / "data" / blob_path(planted.items[3].blob)
    truncated.write_bytes(truncated.read_bytes()[:200])
    assets_dir, cache_dir = embedding_store()
    make_job(workdir, assets_dir=assets_dir, cache_dir=cache_dir)
    assert run_here(workdir) == 0, events(workdir)[-1]
    return workdir, planted


@pytest.mark.parametrize("kind", [*ONE_BY_ONE, *PAIRED])
def test_every_planted_fault_is_found_and_little_else(ran, kind):
    workdir, planted = ran
    truth = planted.truth[kind] - unreadable(planted)
    items = set(findings_by_kind(workdir)[kind])
    assert truth
    assert len(truth & items) >= 0.95 * len(truth), truth - items
    assert len(truth & items) >= 0.9 * len(items), items - truth


def test_copies_are_paired_with_their_originals(ran):
    workdir, planted = ran
    by_kind = findings_by_kind(workdir)
    pairs = {frozenset((one.item, one.detail["other"])) for kind in PAIRED[:2] for one in by_kind[kind].values()}
    assert pairs == {pair for pair in planted.pairs if not pair & unreadable(planted)}


def test_one_of_each_cluster_is_kept(ran):
    keepers = defaultdict(list)
    for one in findings_by_kind(ran[0])[FindingKind.NEAR_DUPLICATE].values():
        keepers[one.detail["cluster"]].append(one.detail["is_kept"])
    assert keepers
    assert all(sum(flags) == 1 for flags in keepers.values())


def test_a_leak_names_both_splits(ran):
    workdir, planted = ran
    splits = {item.item: item.split.value for item in planted.items}
    for one in findings_by_kind(workdir)[FindingKind.LEAK].values():
        assert one.detail["split"] == splits[one.item] != one.detail["other_split"] == splits[one.detail["other"]]


def test_an_unreadable_picture_is_a_finding_and_the_others_go_on(ran):
    workdir, planted = ran
    assert set(findings_by_kind(workdir)[FindingKind.UNREADABLE]) == unreadable(planted)


def test_the_report_counts_what_the_findings_hold(ran):
    workdir, planted = ran
    report = QualityReport.read(workdir / "artefact" / QUALITY_REPORT_FILE)
    assert report.num_items == len(planted.items)
    assert dict(report.num_found) == {kind: len(findings_by_kind(workdir)[kind]) for kind in items_of(Modality.IMAGE).findings}
    assert sum(one.num_items for one in report.labels) == report.num_annotated
    for histogram in report.histograms.values():
        assert sum(histogram.counts) == len(planted.items) - len(unreadable(planted))
        assert len(histogram.edges) == len(histogram.counts) + 1


def test_without_weights_the_report_notes_it_and_still_finds_copies(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    rng = np.random.default_rng(1)
    planted = plant(
        tmp_path / "data",
        cutouts=drawn_cutouts(rng, 10),
        backgrounds=drawn_backgrounds(rng, 3),
        num_clean=34,
        num_faults=2,
        seed=1,
    )
    make_job(tmp_path, assets_dir=tmp_path / "assets", cache_dir=tmp_path / "cache")
    assert run_here(tmp_path) == 0, events(tmp_path)[-1]
    report = QualityReport.read(tmp_path / "artefact" / QUALITY_REPORT_FILE)
    assert report.features == "handmade"
    assert NoteCode.NO_WEIGHTS in {note.code for note in report.notes}
    assert set(findings_by_kind(tmp_path)[FindingKind.NEAR_DUPLICATE]) == planted.truth[FindingKind.NEAR_DUPLICATE]


def test_a_request_to_stop_ends_the_job(tmp_path):
    rng = np.random.default_rng(1)
    plant(
        tmp_path / "data",
        cutouts=drawn_cutouts(rng, 5),
        backgrounds=drawn_backgrounds(rng, 1),
        num_clean=24,
        num_faults=1,
        seed=1,
    )
    assets_dir, cache_dir = embedding_store()
    make_job(tmp_path, assets_dir=assets_dir, cache_dir=cache_dir)
    (tmp_path / "control").mkdir()
    (tmp_path / "control" / "stop").write_text("cancelled")
    assert run_here(tmp_path) == 0
    assert events(tmp_path)[-1].stopped == "cancelled"
    assert not (tmp_path / "artefact").exists()
