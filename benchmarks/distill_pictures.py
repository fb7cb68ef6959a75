"""Whether a network without pretrained weights should be taught by the house's best, on a user's own pictures.

The teacher is EfficientNet-Lite0, fine-tuned by the job ``train`` on 240 pictures; the student a network that begins with
random numbers. It learns from the labels alone, from the labels and the teacher's answers to the same pictures, and from both
with a thousand more pictures that nobody has labelled, where the set has so many. All take the same number of steps with the
same settings. Other pictures judge; the ratio is the lower end of the 95 % interval of what the teacher adds, in points, over
all sets and seeds. Every set and seed goes to standard error.
"""

from __future__ import annotations

import dataclasses
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from automl.contracts.artefact import MANIFEST_FILE, MODEL_FILE, ArtefactManifest
from automl.contracts.dataset import Split
from automl.contracts.job import JobSpec, TrainConfig
from benchmarks._digits import ASSETS_DIR, CACHE_DIR
from benchmarks.harness import Claim, Options, main
from benchmarks.small_sets._labelled import LabelledSet
from benchmarks.small_sets.pictures import load
from benchmarks.training_pieces import version_written
from engine import run
from engine.artefact.session import Session
from engine.compress.soft_targets import Recipe
from engine.compress.trainable_model import TrainableModel, with_soft_targets
from engine.events import EventLog
from engine.job import Job
from engine.tasks.image_classification.spec import TASK
from engine.training.prepare import PreparedTrial

_BATCH = 16
_LABELS_ALONE = Recipe(hard_fraction=1.0, temperature=1.0)
_LEAST_UNLABELLED = 200
_LEAST_EPOCHS = 2
_Z = 1.96


@dataclass(frozen=True)
class _Work:
    sets: tuple[str, ...]
    seeds: range
    num_training: int
    num_test: int
    num_unlabelled: int
    teacher: TrainConfig
    students: tuple[TrainConfig, ...]


_SIDE = {"resolution_px": 96, "batch_size": _BATCH}
_LITE = TrainConfig(family="efficientnet_lite", size="0", params={**_SIDE, "epochs": 8})
_MOBILE = TrainConfig(family="mobilenet", size="v3_small_100", params={**_SIDE, "epochs": 40, "mirror": "no"})
_RESNET = TrainConfig(family="resnet", size="18", params={**_SIDE, "resolution_px": 64, "epochs": 12, "mirror": "no"})
_BRIEF = TrainConfig(family="mobilenet", size="v1_25", params={"resolution_px": 64, "epochs": 2})


def measure(options: Options) -> list[Claim]:
    """What the teacher adds on the same pictures, and on more of them, by student."""
    torch.set_num_threads(1)
    work = _Work(
        sets=options.pick(("stamps", "clothes"), smoke=("clothes",)),
        seeds=range(options.pick(3, smoke=1)),
        num_training=options.pick(240, smoke=40),
        num_test=options.pick(300, smoke=20),
        num_unlabelled=options.pick(1_000, smoke=_LEAST_UNLABELLED),
        teacher=options.pick(_LITE, smoke=_BRIEF),
        students=options.pick((_MOBILE,), smoke=(_BRIEF,), full=(_MOBILE, _RESNET)),
    )
    points: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for name in work.sets:
        for seed in work.seeds:
            for key, pair in _taught(name, seed, work):
                points.setdefault(key, []).append(pair)
    return [_claim(student, arm, pairs, work) for (student, arm), pairs in points.items()]


def _claim(student: str, arm: str, pairs: list[tuple[float, float]], work: _Work) -> Claim:
    gains = np.array([taught - alone for taught, alone in pairs])
    spread = _Z * gains.std(ddof=1) / np.sqrt(len(gains)) if len(gains) > 1 else 0.0
    metric = (
        f"least points that a teacher adds to {student}, {arm}; {gains.mean():+.1f} +- {spread:.1f} over {len(gains)} draws"
    )
    taught, alone = (float(np.mean(column)) for column in zip(*pairs, strict=True))
    return Claim("distill_pictures", metric, taught, alone, float(gains.mean() - spread), 0.0)


def _taught(name: str, seed: int, work: _Work) -> Iterator[tuple[tuple[str, str], tuple[float, float]]]:
    """By student and what it was taught on: its right answers in percent, and those of the same without a teacher."""
    with tempfile.TemporaryDirectory() as folder:
        small, place = load(name, seed, Path(folder)), Path(folder)
        extra = small.test[work.num_test : work.num_test + work.num_unlabelled]
        few = dataclasses.replace(small, training=small.training[: work.num_training])
        teacher = _job(place / "teacher", few, work, seed, work.teacher)
        if run.run(teacher) != 0:
            raise RuntimeError((teacher / "events.jsonl").read_text(encoding="utf-8"))
        same = _opened(teacher, teacher, place / "same")
        more = None
        if len(extra) >= _LEAST_UNLABELLED:
            shown = dataclasses.replace(few, training=[*few.training, *extra])
            shown_job = _job(
                place / "shown", shown, dataclasses.replace(work, num_training=len(shown.training)), seed, work.teacher
            )
            more = _opened(shown_job, teacher, place / "more")
        known = {record.name for record in same.prepared.records[Split.TRAIN]}
        best = _right(same.network, same.prepared)
        for student in work.students:
            alone = _trained(same, student, _LABELS_ALONE, known)
            found = {"the same pictures": _trained(same, student, Recipe(), known)}
            if more is not None:
                found["more pictures"] = _trained(more, student, Recipe(), known)
            for arm, taught in found.items():
                sys.stderr.write(f"{name} {seed}, {student.family} {student.size}, {arm}: {taught:.1f}, alone {alone:.1f}, ")
                sys.stderr.write(f"teacher {best:.1f}\n")
                yield (f"{student.family} {student.size}", arm), (taught, alone)


def _trained(teacher: TrainableModel, train: TrainConfig, recipe: Recipe, known: set[str]) -> float:
    """Right answers of a student; with more pictures it sees each less often, so that all take as many steps."""
    records = teacher.prepared.records[Split.TRAIN]
    epochs = max(_LEAST_EPOCHS, round(int(train.params["epochs"]) * len(known) / len(records)))
    student = teacher.student(train.model_copy(update={"params": {**train.params, "epochs": epochs}}))
    truth = {Split.TRAIN: _labels(student.prepared)}
    plain = dataclasses.replace(student.prepared, targets={**student.prepared.targets, **truth})
    prepared = with_soft_targets(plain, teacher.scores_NL, recipe)
    is_strange_N = np.array([record.name not in known for record in records])
    prepared.targets[Split.TRAIN][is_strange_N, : len(prepared.labels)] = 0.0
    prepared.targets[Split.TRAIN][is_strange_N, -1] = 0.0
    student = dataclasses.replace(student, prepared=prepared)
    return _right(student.fine_tuned(student.network, span=(0.0, 1.0)), prepared)


def _labels(prepared: PreparedTrial) -> np.ndarray:
    """Of items of training, out of the table of soft targets."""
    return prepared.targets[Split.TRAIN][:, : len(prepared.labels)].argmax(axis=1)


def _right(network: nn.Module, prepared: PreparedTrial) -> float:
    """Right answers to the items of test in percent."""
    rows, items = prepared.rows(Split.TEST), prepared.items
    found = []
    with torch.no_grad():
        for start in range(0, len(rows), _BATCH):
            items_B = items.network_input(torch.from_numpy(items.array[rows[start : start + _BATCH]]), torch.device("cpu"))
            found.append(network.eval()(items_B).argmax(dim=1).numpy())
    return 100 * float((np.concatenate(found) == prepared.targets[Split.TEST]).mean())


def _job(workdir: Path, small: LabelledSet, work: _Work, seed: int, train: TrainConfig) -> Path:
    workdir.mkdir()
    version_written(small, workdir / "data", work.num_training, work.num_test)
    common = {"device": "cpu", "cache_dir": str(CACHE_DIR), "assets_dir": str(ASSETS_DIR)}
    JobSpec(id="job_teacher", kind="train", task=TASK.name, train=train, seed=seed, **common).write(workdir / "job.json")
    return workdir


def _opened(workdir: Path, teacher: Path, work: Path) -> TrainableModel:
    """A teacher with its answers to the pictures of another job."""
    work.mkdir()
    artefact = teacher / "artefact"
    job = Job(workdir, JobSpec.read(workdir / "job.json"), EventLog(workdir / "events.jsonl"))
    manifest = ArtefactManifest.read(artefact / MANIFEST_FILE)
    return TrainableModel.open(job, artefact, manifest, Session(artefact / MODEL_FILE), work)


if __name__ == "__main__":
    main(measure)
