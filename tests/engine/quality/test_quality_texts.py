"""A small planted set of texts goes through the job as the platform runs it: each fault is found, and hardly anything else."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from automl.contracts.items import items_of
from automl.contracts.job import JobSpec
from automl.contracts.modality import Modality
from automl.contracts.quality import QUALITY_REPORT_FILE, VECTORS_FILE, FindingKind, NoteCode, QualityReport
from engine.embedding import spec as embedding
from engine.quality.items.text import vectors
from engine.quality.items.text.copies import LEAST_SIMILARITY, copies_of
from engine.quality.items.text.measure import Garbling, measure, normalised
from tests.engine.jobs import events, run_here
from tests.engine.quality.planted_texts import LABELS, PlantedTexts, plant, sentence
from tests.engine.quality.test_quality_report import findings_by_kind
from tests.engine.text_store import reader_put, text_store

FAULTS = [
    FindingKind.EXACT_DUPLICATE,
    FindingKind.NEAR_DUPLICATE,
    FindingKind.LEAK,
    FindingKind.GARBLED,
    FindingKind.LOW_INFORMATION,
    FindingKind.ODD_SIZE,
    FindingKind.ODD_LANGUAGE,
    FindingKind.WRONG_LABEL,
]


def make_job(workdir: Path, *, assets_dir: Path, cache_dir: Path) -> None:
    JobSpec(
        id="job_quality",
        kind="quality",
        task="text_classification",
        cache_dir=str(cache_dir),
        assets_dir=str(assets_dir),
    ).write(workdir / "job.json")


@pytest.fixture(scope="module")
def ran(tmp_path_factory) -> tuple[Path, PlantedTexts]:
    workdir = tmp_path_factory.mktemp("texts")
    planted = plant(workdir / "data", num_clean=260, num_faults=6, seed=3)
    alphabet = [item.text or "" for item in planted.items]
    assets_dir = reader_put(tmp_path_factory.mktemp("store"), alphabet)
    make_job(workdir, assets_dir=assets_dir, cache_dir=text_store()[1])  # the same weights, whatever the alphabet
    assert run_here(workdir) == 0, events(workdir)[-1]
    return workdir, planted


@pytest.mark.parametrize("kind", FAULTS)
def test_every_planted_fault_is_found_and_little_else(ran, kind):
    workdir, planted = ran
    truth, items = planted.truth[kind], set(findings_by_kind(workdir)[kind])
    assert truth
    assert len(truth & items) >= 0.95 * len(truth), truth - items
    assert len(truth & items) >= 0.9 * len(items), items - truth


def test_copies_are_paired_with_their_originals_and_one_is_kept(ran):
    workdir, planted = ran
    by_kind = findings_by_kind(workdir)
    findings = [one for kind in FAULTS[:2] for one in by_kind[kind].values()]
    assert {frozenset((one.item, one.detail["other"])) for one in findings} == planted.pairs
    keepers = defaultdict(set)
    for one in findings:
        keepers[one.detail["cluster"]].add(one.item if one.detail["is_kept"] else None)
    assert all(len(flags - {None}) == 1 for flags in keepers.values())


def test_a_leak_names_both_splits(ran):
    workdir, planted = ran
    splits = {item.item: item.split.value for item in planted.items}
    for one in findings_by_kind(workdir)[FindingKind.LEAK].values():
        assert one.detail["split"] == splits[one.item] != one.detail["other_split"] == splits[one.detail["other"]]


def test_a_suspect_is_suggested_its_true_label(ran):
    workdir, planted = ran
    labels = {item.item: item.labels[0] for item in planted.items}
    for item in planted.truth[FindingKind.WRONG_LABEL]:
        detail = findings_by_kind(workdir)[FindingKind.WRONG_LABEL][item].detail
        assert detail["label"] == labels[item] != detail["suggested"]


def test_the_report_counts_what_the_findings_hold_and_only_kinds_of_texts(ran):
    workdir, planted = ran
    report = QualityReport.read(workdir / "artefact" / QUALITY_REPORT_FILE)
    assert dict(report.num_found) == {kind: len(findings_by_kind(workdir)[kind]) for kind in items_of(Modality.TEXT).findings}
    assert set(findings_by_kind(workdir)) <= set(items_of(Modality.TEXT).findings)
    assert (report.num_items, report.features) == (len(planted.items), "multilingual_e5_small")
    assert set(report.histograms) == {"characters", "letters"}
    for histogram in report.histograms.values():
        assert sum(histogram.counts) == len(planted.items)
        assert len(histogram.edges) == len(histogram.counts) + 1
    low, high = report.label_error_interval or (1.0, 0.0)
    assert 0.0 < low < (report.label_error_fraction or 0.0) < high < 0.2


def test_without_weights_n_grams_judge_and_the_report_notes_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    planted = plant(tmp_path / "data", num_clean=200, num_faults=4, seed=1)
    make_job(tmp_path, assets_dir=tmp_path / "assets", cache_dir=tmp_path / "cache")
    assert run_here(tmp_path) == 0, events(tmp_path)[-1]
    report = QualityReport.read(tmp_path / "artefact" / QUALITY_REPORT_FILE)
    assert report.features == "handmade"
    assert NoteCode.NO_WEIGHTS in {note.code for note in report.notes}
    assert planted.truth[FindingKind.WRONG_LABEL] <= set(findings_by_kind(tmp_path)[FindingKind.WRONG_LABEL])


def test_vectors_that_came_along_are_taken(tmp_path, monkeypatch):
    monkeypatch.setattr("engine.quality.items.text.vectors.reader.load", None)  # would be called for what lacks
    planted = plant(tmp_path / "data", num_clean=120, num_faults=2, seed=1)
    given_ND = np.random.default_rng(0).random((len(planted.items), 16)).astype(np.float16)
    np.save(tmp_path / "data" / VECTORS_FILE, given_ND)
    make_job(tmp_path, assets_dir=tmp_path / "assets", cache_dir=tmp_path / "cache")
    assert run_here(tmp_path) == 0, events(tmp_path)[-1]


def test_the_reader_is_that_of_the_embeddings():
    """Else what the platform has stored could not be taken."""
    ours = vectors.FAMILY, vectors.SIZE, vectors.MAX_TOKENS
    assert ours == (embedding.READER, embedding.READER_SIZE, embedding.MAX_TOKENS)


@pytest.mark.parametrize("texts", [["a"], ["", " "], ["好"] * 3, ["!!!", "？？？", "a b"]])
def test_the_smallest_sets_have_a_report(tmp_path, texts, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    plant(tmp_path / "data", num_clean=len(texts), num_faults=0, seed=0, write=lambda *_: texts[0])
    make_job(tmp_path, assets_dir=tmp_path / "assets", cache_dir=tmp_path / "cache")
    assert run_here(tmp_path) == 0, events(tmp_path)[-1]


def test_a_label_whose_texts_are_all_copies_of_one_another_spoils_nothing(tmp_path, monkeypatch):
    """They stand in one fold, so that some heads see no text of that label."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")

    def made(rng, words, label):
        return (
            sentence(rng, words, label)
            if label == LABELS[0]
            else f"房间里的热水一直都不够热，早上尤其如此{rng.integers(99):02d}"
        )

    plant(tmp_path / "data", num_clean=120, num_faults=0, seed=1, write=made)
    make_job(tmp_path, assets_dir=tmp_path / "assets", cache_dir=tmp_path / "cache")
    assert run_here(tmp_path) == 0, events(tmp_path)[-1]


def test_a_request_to_stop_ends_the_job(tmp_path):
    plant(tmp_path / "data", num_clean=20, num_faults=1, seed=1)
    make_job(tmp_path, assets_dir=tmp_path / "assets", cache_dir=tmp_path / "cache")
    (tmp_path / "control").mkdir()
    (tmp_path / "control" / "stop").write_text("cancelled")
    assert run_here(tmp_path) == 0
    assert events(tmp_path)[-1].stopped == "cancelled"
    assert not (tmp_path / "artefact").exists()


CHINESE = "酒店的位置很好，离地铁站只有五分钟的路程，早餐也不错。"


@pytest.mark.parametrize(
    ("text", "garbling"),
    [
        (CHINESE, None),
        ("Garçon, l’été à la plage était “très” agréable, où êtes-vous né ?", None),
        ("Übergrößenträger müssen früh schön möglichst ähnliche Räume wählen", None),
        ("联通", None),
        ("厚！厚！厚！厚！厚！厚！厚！", None),
        ("ok 👍👍🏽 ¡qué bueno! ñandú", None),
        (CHINESE.encode().decode("latin-1"), Garbling.ENCODING),
        (CHINESE.encode().decode("cp1252", errors="replace"), Garbling.ENCODING),
        (CHINESE.encode("gbk").decode("latin-1"), Garbling.ENCODING),
        (CHINESE.encode().decode("gbk", errors="replace"), Garbling.ENCODING),
        ("l’été à la plage".encode().decode("cp1252"), Garbling.ENCODING),
        (f"{CHINESE[:8]}锟斤拷锟斤拷", Garbling.BROKEN),
        ("plain \x00\x01\x02 text", Garbling.BROKEN),
        ("房间\ufffd\ufffd很大", Garbling.BROKEN),
    ],
)
def test_garbled_texts_are_distinguished_from_sound_ones(text, garbling):
    assert measure(text).garbling is garbling


@pytest.mark.parametrize(
    ("text", "script"),
    [
        (CHINESE, "han"),
        ("ホテルの部屋はとても静かで、朝食も美味しかったです", "kana"),
        ("The position of this hotel is fine", "latin"),
        ("Очень хорошая гостиница", "cyrillic"),
        ("预装的LINUX会影响安装XP或VISTA系统吗", None),
        ("ok!", None),
        ("12345678901234567890", None),
    ],
)
def test_a_text_is_in_the_script_of_nearly_all_its_letters(text, script):
    assert measure(text).script == script


def test_case_width_space_and_marks_make_no_other_text():
    assert normalised(" Ｈｅｌｌｏ，  WORLD! ") == normalised("hello world") == "helloworld"
    assert normalised("！！") != normalised("？？")


def test_copies_are_found_among_thousands_and_by_chains_in_templates():
    rng = np.random.default_rng(0)
    characters = [chr(code) for code in range(0x4E00, 0x5200)]
    texts = ["".join(rng.choice(characters, 40)) for _ in range(3000)]
    edited = [f"{text[:17]}X{text[18:]}" for text in texts[:200]]
    template = [f"{texts[0][:38]}{number:03d}" for number in range(100)]
    copies = copies_of([*texts, *edited, *template], ["train"] * 3300, lambda _done, _total: None)
    pairs = {(copy.first, copy.second) for copy in copies}
    assert {(row, 3000 + row) for row in range(200)} <= pairs
    assert all(LEAST_SIMILARITY <= copy.similarity < 1 and not copy.is_exact for copy in copies)
    assert {row for pair in pairs for row in pair if row >= 3200} == set(range(3200, 3300))
    assert not {pair for pair in pairs if pair[1] < 3000}
