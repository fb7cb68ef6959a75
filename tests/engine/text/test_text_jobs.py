"""Jobs on texts from order to artefact, and the shipped artefact in the hands of the runtime that answers."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from safetensors.torch import load_file

from automl.contracts.annotation import ClassLabel
from automl.contracts.artefact import ArtefactManifest, GoldenSamples, TextDecode
from automl.contracts.dataset import MediaFacts, Split
from automl.contracts.job import JobSpec
from automl.contracts.report import Report
from automl.contracts.task import OutputKind
from engine.assets.card import read_card
from engine.data.generated import SPLITS, GeneratedItem, Subject, write_version
from engine.data.text import TextTokenizer
from engine.data.text_vocabulary import characters
from engine.tasks import task_part, task_spec
from runtime import selftest
from runtime.predictor import Predictor
from tests.engine.jobs import events, fill_store, make_job, run_here
from tests.engine.text_store import counted_once

TASK = "text_classification"


@pytest.fixture(scope="module")
def counted():
    return counted_once()


def test_several_labels_are_learned_with_thresholds(counted):
    manifest = ArtefactManifest.read(counted / "artefact" / "artefact.json")
    assert manifest.output is OutputKind.LABEL_SCORES
    assert isinstance(manifest.decode, TextDecode)
    assert set(manifest.thresholds) == set(manifest.label_set.names)
    assert manifest.metrics[Split.VALIDATION]["f1_macro"] > 0.9
    report = Report.read(counted / "artefact" / "report.json")
    assert {split.split for split in report.splits} == {Split.VALIDATION, Split.TEST}
    assert all(split.confusion == () for split in report.splits)


def test_runtime_answers_a_new_text(counted):
    predictor = Predictor()
    predictor.setup(counted / "artefact")
    item = predictor.decode(b"This time the noodles took a while. This time the courier was a little odd.")
    labels = {annotation["label"] for annotation in predictor.encode(predictor.predict(item), item)}
    assert labels == {"food", "delivery"}


def test_artefact_replays_in_the_shipped_runtime(counted):
    shown = selftest.replay(counted / "artefact")
    assert shown.is_passed
    assert shown.max_difference < shown.tolerance / 10
    golden = GoldenSamples.read(counted / "artefact" / "samples" / "expected.json")
    assert len({sample.scores for sample in golden.samples}) == len(golden.samples)


def test_a_rare_one_of_two_labels_ships_with_the_threshold_that_finds_it(tmp_path, cache_dir):
    """Of texts that say "late" nearly half are complaints, and no others: at one half nearly none would be found."""
    workdir = make_job(tmp_path / "job", cache_dir=cache_dir, family="tfidf_linear", size="words", params={}, task=TASK)
    shutil.rmtree(workdir / "data")
    random, items = np.random.default_rng(0), []
    for number in range(400):
        is_late = number % 5 == 0
        label = "complaint" if is_late and number % 25 < 10 else "remark"
        said = [
            *random.choice(["parcel", "noodles", "room", "bill", "courier", "bed"], 3),
            "late" if is_late else "fine",
            str(number),
        ]
        text = " ".join(random.permutation(said))
        facts = MediaFacts(format="txt", size_bytes=len(text), num_characters=len(text))
        split = SPLITS[number // 25 % len(SPLITS)]
        items.append(GeneratedItem(f"{number}.txt", text.encode(), facts, split, (ClassLabel(label=label),)))
    write_version(workdir / "data", items, Subject(task_spec(TASK), ("complaint", "remark"), {"labels": "one"}))
    order = JobSpec.read(workdir / "job.json")
    order.model_copy(update={"objective": "average_precision_macro"}).write(workdir / "job.json")
    assert run_here(workdir) == 0, events(workdir)[-1]
    manifest = ArtefactManifest.read(workdir / "artefact" / "artefact.json")
    border = manifest.thresholds["complaint"]
    assert 0.0 < border < 0.5
    assert manifest.thresholds["remark"] == pytest.approx(1.0 - border)
    (test,) = (split for split in Report.read(workdir / "artefact" / "report.json").splits if split.split is Split.TEST)
    complaint = next(each for each in test.per_class if each.label == "complaint")
    assert complaint.recall == 1.0
    predictor = Predictor()
    predictor.setup(workdir / "artefact")
    late = [predictor.decode(each.content) for each in items if b"late" in each.content]
    found = [predictor.encode(predictor.predict(item), item)[0] for item in late]
    unsure = [each for each in found if each["label"] == "complaint" and each["score"] < 0.5]
    assert len(unsure) > len(found) / 10
    assert all(each["score"] >= border for each in unsure)


def test_artefact_is_judged_on_another_version(counted, tmp_path, cache_dir):
    workdir = tmp_path / "evaluation"
    workdir.mkdir()
    task_part(TASK, "example").write(workdir / "data", num_items=60, labels="several", seed=9)
    JobSpec(
        id="job_evaluation",
        kind="evaluate",
        task=TASK,
        artefact=str(counted / "artefact"),
        split=Split.TRAIN,
        cache_dir=str(cache_dir),
        assets_dir=str(workdir / "assets"),
    ).write(workdir / "job.json")
    assert run_here(workdir) == 0, events(workdir)[-1]
    (split,) = Report.read(workdir / "artefact" / "report.json").splits
    assert split.num_items == 36
    assert split.metrics["f1_macro"] > 0.9


def test_a_damaged_text_ends_the_job_with_its_name(tmp_path, cache_dir):
    workdir = make_job(tmp_path / "job", cache_dir=cache_dir, family="tfidf_linear", params={}, task=TASK, seed=4)
    blob = next(path for path in sorted((workdir / "data" / "blobs").rglob("*")) if path.is_file())
    blob.write_bytes(b"\xff\xff")
    assert run_here(workdir) == 1
    failed = events(workdir)[-1]
    assert failed.code == "item_damaged"
    assert len(failed.items) == 1


def test_family_of_pictures_is_refused(tmp_path, cache_dir):
    workdir = make_job(tmp_path / "job", cache_dir=cache_dir, family="resnet", params={}, task=TASK)
    assert run_here(workdir) == 1
    assert events(workdir)[-1].code == "job_invalid"
    assert "reads image" in events(workdir)[-1].message


def test_probe_reads_with_the_tokenizer_of_its_weights(tmp_path, cache_dir):
    """Made-up weights under the real card; the tokenizer beside them is one that a test can know."""
    assets_dir = tmp_path / "assets"
    fill_store(assets_dir, "text_probe", size="english")
    name = read_card("minilm_l6").tokenizer
    (assets_dir / name).mkdir()
    alphabet = characters(["abcdefghijklmnopqrstuvwxyz ,.快递价格房间"], num_ids=60, max_tokens=99)
    (assets_dir / name / "tokenizer.json").write_text(alphabet, encoding="utf-8")
    read_card(name).write(assets_dir / name / "card.json")
    workdir = make_job(
        tmp_path / "job",
        cache_dir=cache_dir,
        assets_dir=assets_dir,
        family="text_probe",
        size="english",
        params={"max_tokens": 64},
        task=TASK,
        num_items=40,
    )
    assert run_here(workdir) == 0, events(workdir)[-1]
    artefact = workdir / "artefact"
    shipped = TextTokenizer((artefact / "tokenizer.json").read_text(encoding="utf-8"))
    assert shipped.max_tokens == 64
    assert shipped.ids("快递") == TextTokenizer(alphabet).ids("快递")
    assert json.loads((artefact / "artefact.json").read_text(encoding="utf-8"))["licences"][0]["spdx"] == "Apache-2.0"
    stored = load_file(artefact / "weights.safetensors")
    given = load_file(assets_dir / "minilm_l6" / "weights.safetensors")
    assert np.array_equal(stored["backbone.layers.0.query.weight"], given["layers.0.query.weight"])
    assert np.abs(stored["head.weight"].numpy()).sum() > 0
    assert selftest.replay(artefact).is_passed
