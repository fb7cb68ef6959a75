"""Heads that learn from all items: parts that take turns, the temperature, and what judges a trial."""

from __future__ import annotations

import numpy as np
import pytest
from safetensors.numpy import load_file

from automl.contracts.artefact import ANSWERS_FILE, ArtefactManifest
from automl.contracts.dataset import ItemRecord, MediaFacts, Split
from automl.contracts.job import JobLimits, Metric
from automl.contracts.report import Report
from engine.answers import class_scores, label_scores
from engine.data.version import DatasetVersion
from engine.tasks.shared.classification.metrics import Answers, metrics_of
from engine.tasks.shared.classification.ranking import calibration_error
from engine.training import steps
from engine.training.folds import folds_of, num_folds_for
from engine.training.temperature import best_temperature
from engine.training.turns import NUM_PARTS
from tests.engine.jobs import brief_order, events, host_cache, make_job, run_here


def _records(groups: list[str]) -> list[ItemRecord]:
    media = MediaFacts(format="txt", size_bytes=1, num_characters=1)
    return [
        ItemRecord(
            item=f"itm_{place}",
            name=f"{place}.txt",
            blob="0" * 64,
            media=media,
            split=Split.TRAIN,
            group=group,
            annotations=(),
            provenance="person:usr_1",
        )
        for place, group in enumerate(groups)
    ]


def test_every_item_is_held_back_once_with_its_group_and_labels_are_shared_out():
    groups = [f"g{place // 2}" for place in range(100)]
    targets = np.array([(place // 2) % 5 for place in range(100)])
    folds = folds_of(_records(groups), targets, 5)
    assert sorted(np.concatenate([fold.held_back for fold in folds]).tolist()) == list(range(100))
    for fold in folds:
        assert not {groups[place] for place in fold.learned} & {groups[place] for place in fold.held_back}
        assert np.bincount(targets[fold.held_back], minlength=5).tolist() == [4] * 5


def test_parts_do_not_depend_on_the_order_of_the_items():
    groups = [f"g{place}" for place in range(30)]
    targets = np.arange(30) % 3
    backwards = folds_of(_records(groups[::-1]), targets[::-1], 5)
    forwards = folds_of(_records(groups), targets, 5)
    parts = [{groups[::-1][place] for place in fold.held_back} for fold in backwards]
    assert parts == [{groups[place] for place in fold.held_back} for fold in forwards]


@pytest.mark.parametrize(("items", "labels", "folds"), [(500, 10, 5), (19_000, 2, 5), (15_000, 20, 3), (50_000, 2, 1)])
def test_the_more_there_is_the_fewer_parts(items, labels, folds):
    assert num_folds_for(items, labels) == folds


def test_one_group_cannot_be_held_back():
    assert folds_of(_records(["same"] * 5), np.zeros(5), 5) == []


def _scores(sharpness: float, is_several: bool) -> tuple[np.ndarray, np.ndarray]:
    """Answers whose logits are ``sharpness`` times what the truth was drawn from."""
    generator = np.random.default_rng(0)
    logits_NL = 2.0 * generator.normal(size=(4_000, 3))
    if is_several:
        honest_NL = 1.0 / (1.0 + np.exp(-logits_NL))
        return 1.0 / (1.0 + np.exp(-sharpness * logits_NL)), (generator.random(honest_NL.shape) < honest_NL).astype(np.int64)
    honest_NL = np.exp(logits_NL) / np.exp(logits_NL).sum(axis=1, keepdims=True)
    predicted_NL = np.exp(sharpness * logits_NL)
    targets = (generator.random((4_000, 1)) > honest_NL.cumsum(axis=1)).sum(axis=1)
    return predicted_NL / predicted_NL.sum(axis=1, keepdims=True), targets


@pytest.mark.parametrize("is_several", [False, True])
@pytest.mark.parametrize("sharpness", [0.4, 1.0, 3.0])
def test_the_temperature_undoes_what_made_scores_dishonest(sharpness, is_several):
    scores_NL, targets = _scores(sharpness, is_several)
    averaging = (label_scores if is_several else class_scores).KIND.averaging
    divisor = best_temperature(scores_NL.astype(np.float32), targets, averaging)
    assert divisor == pytest.approx(sharpness, rel=0.1)
    honest_NL = averaging.tempered(scores_NL.astype(np.float32), divisor)
    assert calibration_error(honest_NL, targets) < 0.03
    assert (honest_NL.argmax(axis=1) == scores_NL.argmax(axis=1)).mean() > 0.999
    back_NL = averaging.tempered(honest_NL, 1.0 / divisor)
    np.testing.assert_allclose(back_NL, scores_NL, atol=2e-3)


def test_a_few_items_say_nothing_of_how_sure_a_model_may_be():
    scores_NL, targets = _scores(0.4, is_several=False)
    assert best_temperature(scores_NL[:10].astype(np.float32), targets[:10], class_scores.KIND.averaging) == 1.0


def test_a_probe_learns_from_validation_and_is_judged_by_answers_to_items_unseen(probed):
    folder = probed / "artefact"
    manifest, report = ArtefactManifest.read(folder / "artefact.json"), Report.read(folder / "report.json")
    data = DatasetVersion.open(probed / "data")
    assert manifest.learned == (Split.TRAIN, Split.VALIDATION)
    assert report.judgement is not None
    num_learned = len(data.records(Split.TRAIN)) + len(data.records(Split.VALIDATION))
    assert (report.judgement.by, report.judgement.num_folds, report.judgement.num_items) == ("folds", 5, num_learned)
    stored = load_file(folder / ANSWERS_FILE)
    assert {name: len(found) for name, found in stored.items()} == {split.value: len(data.records(split)) for split in Split}
    assert report.tempering is not None
    assert report.tempering.temperature > 0


def test_a_network_is_judged_by_the_split_and_says_when_its_weights_were_kept(trained):
    report = Report.read(trained / "artefact" / "report.json")
    assert report.judgement is not None
    assert report.judgement.by == "split"
    assert report.judgement.epoch in {1.0, 2.0}
    validation = next(split for split in report.splits if split.split is Split.VALIDATION)
    assert report.judgement.metrics == validation.metrics
    assert metrics_of(
        Answers.of(load_file(trained / "artefact" / ANSWERS_FILE)["validation"], _truth(trained))
    ) == pytest.approx(validation.metrics)


def _few_texts(folder, *, folds_s):
    order = {key: value for key, value in brief_order("text_classification", "text_cnn").items() if key != "store_of"}
    job = make_job(folder, cache_dir=host_cache(), limits=JobLimits(folds_s=folds_s), **order)
    assert run_here(job) == 0, events(job)[-1]
    return job


@pytest.fixture
def turns_taken(monkeypatch):
    """Items learned from and held back by each further network, in the order of training."""
    seen, fit_until = [], steps.fit_until

    def watched(model, prepared, *args, **kwargs):
        learned, held_back = ({record.item for record in prepared.records[split]} for split in (Split.TRAIN, Split.VALIDATION))
        seen.append((learned, held_back))
        return fit_until(model, prepared, *args, **kwargs)

    monkeypatch.setattr(steps, "fit_until", watched)
    return seen


def test_a_network_of_few_items_is_judged_by_all_of_them_and_stays_what_it_was(turns_taken, tmp_path):
    alone, judged = _few_texts(tmp_path / "alone", folds_s=1e-6), _few_texts(tmp_path / "judged", folds_s=600.0)
    data = DatasetVersion.open(judged / "data")
    train, validation = ({record.item for record in data.records(split)} for split in (Split.TRAIN, Split.VALIDATION))
    assert len(turns_taken) == NUM_PARTS  # none where they would cost too much
    assert sorted(item for _, held_back in turns_taken for item in held_back) == sorted(train)
    assert all(learned == (train | validation) - held_back for learned, held_back in turns_taken)

    reports = [Report.read(job / "artefact" / "report.json").judgement for job in (alone, judged)]
    assert [(each.by, each.num_folds, each.num_items) for each in reports] == [
        ("split", 1, len(validation)),
        ("folds", NUM_PARTS + 1, len(train) + len(validation)),
    ]
    assert reports[0].epoch == reports[1].epoch
    before, after = (load_file(job / "artefact" / ANSWERS_FILE) for job in (alone, judged))
    assert before.keys() == {"validation", "test"}
    assert after.keys() == {"train", "validation", "test"}
    weights = [load_file(job / "artefact" / "weights.safetensors") for job in (alone, judged)]
    assert all((weights[0][name] == weights[1][name]).all() for name in weights[0] if not name.startswith("head"))
    points = [[(each.split, each.step) for each in events(job) if isinstance(each, Metric)] for job in (alone, judged)]
    assert points[0] == points[1]


def _truth(workdir):
    data = DatasetVersion.open(workdir / "data")
    names = list(data.manifest.label_set.names)
    return np.array([names.index(record.annotations[0].label) for record in data.records(Split.VALIDATION)])
