"""Distillation on Chinese sentiment: a teacher of 118 million weights, students that answer at once.

A frozen multilingual encoder with a linear head is trained on 800 labelled texts; its scores on those and on 4,000 texts
without labels teach a network of word windows, one of gated units, and weighted n-grams. A thousand other texts judge, the
same for all. Each student is also trained on the 800 labels alone. Networks: means of three seeds (``--quick``: one, and few
texts).

Speed is processor time of one text's answer, ONNX Runtime on one thread, both sides in turn in the same run. The teacher and
its scores are kept in ``benchmarks/`` beside the store of assets: they take minutes, and are the same in every run.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch

from automl.contracts.artefact import Report
from automl.contracts.dataset import Split
from automl.contracts.distillation import DistillationReport
from automl.contracts.family import ParamValue
from automl.contracts.job import JobLimits, JobSpec, TrainConfig
from benchmarks._digits import ASSETS_DIR
from benchmarks._reviews import reviews, version_written
from benchmarks.harness import Claim, Options, SkippedError, main
from engine import run
from engine.assets.fetch import AssetMissingError
from engine.assets.store import weights
from engine.compress.distill import distill
from engine.data.text_tokens import version_texts
from engine.data.version import DatasetVersion
from engine.events import EventLog
from engine.job import Job

_KEPT = ASSETS_DIR.parent / "benchmarks" / "distill"
_TEACHER = TrainConfig(family="text_probe", size="multilingual", params={})
_SEEDS = (0, 1, 2)


@dataclass(frozen=True)
class _Size:
    """Texts of one run."""

    num_train: int
    num_validation: int
    num_unlabelled: int


@dataclass(frozen=True)
class _Student:
    """What is taught, and what it should reach of its teacher."""

    train: TrainConfig
    share: float
    speedup: float
    taught_params: Mapping[str, ParamValue] = field(default_factory=dict)
    """What differs where there is a teacher: with six times the texts, fewer rounds."""
    is_random: bool = True


_WHOLE, _QUICK = _Size(800, 200, 4000), _Size(80, 40, 200)
_ROUNDS: Mapping[str, ParamValue] = {"epochs": 6}
_STUDENTS = (
    _Student(TrainConfig(family="text_cnn", size="small", params={}), share=0.95, speedup=100, taught_params=_ROUNDS),
    _Student(TrainConfig(family="text_gru", size="small", params={}), share=0.95, speedup=100, taught_params=_ROUNDS),
    _Student(TrainConfig(family="tfidf_linear", size="64k", params={}), share=0.90, speedup=1000, is_random=False),
)


def measure(options: Options) -> list[Claim]:
    """Four claims a student: what it reaches of its teacher, what teaching gained, how fast with its tokenizer and without."""
    torch.set_num_threads(1)
    size = _QUICK if options.is_quick else _WHOLE
    try:
        weights("multilingual_e5_small", ASSETS_DIR)
    except AssetMissingError as error:
        raise SkippedError(error.message) from error
    home = _KEPT / "-".join(map(str, (size.num_train, size.num_validation)))
    teacher = _taught(home, size)
    unlabelled = _unlabelled(home, size.num_unlabelled)
    claims: list[Claim] = []
    for student in _STUDENTS:
        seeds = _SEEDS if student.is_random and not options.is_quick else _SEEDS[:1]
        taught = student.train.model_copy(update={"params": student.taught_params})
        reports = [_distilled(taught, home, teacher, unlabelled, seed) for seed in seeds]
        alone = [_trained(student.train, home, seed) for seed in seeds]
        claims.extend(_claims(student, reports, alone))
    return claims


def _claims(student: _Student, reports: Sequence[DistillationReport], alone: Sequence[float]) -> Iterator[Claim]:
    name = student.train.family
    ours, anchor = [report.student_metric for report in reports], reports[0].teacher_metric
    seeds = ", ".join(f"{value:.3f}" for value in ours)
    mean = statistics.mean(ours)
    yield Claim("distill", f"accuracy of {name} ({seeds}), of its teacher's", mean, anchor, mean / anchor, student.share)
    seeds = ", ".join(f"{value:.3f}" for value in alone)
    without = statistics.mean(alone)
    yield Claim("distill", f"accuracy of {name} over the same without a teacher ({seeds})", mean, without, mean / without, 1.0)
    middle = sorted(reports, key=lambda report: report.speedup)[len(reports) // 2]
    ms, bytes_ = middle.student, f"{middle.student.model_bytes / 1e6:.1f} of {middle.teacher.model_bytes / 1e6:.0f} MB"
    for said, mine, theirs in (
        (f"ms an answer of {name}, text to scores; {bytes_}", ms.answer_ms, middle.teacher.answer_ms),
        (f"ms an answer of {name}, the graph alone", ms.graph_ms, middle.teacher.graph_ms),
    ):
        yield Claim("distill", said, mine, theirs, theirs / mine, student.speedup)


def _taught(home: Path, size: _Size) -> Path:
    """The teacher's artefact, trained now unless it is kept."""
    workdir = home / "teacher"
    if not (workdir / "artefact").exists():
        version_written(workdir / "data", num_train=size.num_train, num_validation=size.num_validation, seed=0)
        _order(_TEACHER, home, seed=0).write(workdir / "job.json")
        _run(workdir)
    return workdir / "artefact"


def _unlabelled(home: Path, number: int) -> list[str]:
    """Texts that are in no split of the version."""
    version = DatasetVersion.open(home / "teacher" / "data")
    used = set(version_texts(version, version.records()))
    others = sorted({line.strip() for lines in reviews().values() for line in lines} - used)
    return [others[place] for place in np.random.default_rng(0).permutation(len(others))[:number]]


def _distilled(student: TrainConfig, home: Path, teacher: Path, unlabelled: Sequence[str], seed: int) -> DistillationReport:
    with tempfile.TemporaryDirectory() as scratch:
        workdir = _workdir(Path(scratch), student, home, seed)
        with EventLog(workdir / "events.jsonl") as log:
            return distill(Job(workdir, JobSpec.read(workdir / "job.json"), log), teacher, unlabelled)


def _trained(student: TrainConfig, home: Path, seed: int) -> float:
    """Test accuracy of a student that has the labels alone."""
    with tempfile.TemporaryDirectory() as scratch:
        workdir = _workdir(Path(scratch), student, home, seed)
        _run(workdir)
        metrics: Mapping[Split, Mapping[str, float]] = {
            split.split: split.metrics for split in Report.read(workdir / "artefact" / "report.json").splits
        }
    return metrics[Split.TEST]["accuracy"]


def _workdir(folder: Path, student: TrainConfig, home: Path, seed: int) -> Path:
    (folder / "data").symlink_to(home / "teacher" / "data")
    _order(student, home, seed=seed).write(folder / "job.json")
    return folder


def _order(trained: TrainConfig, home: Path, *, seed: int) -> JobSpec:
    return JobSpec(
        id=f"job_{trained.family}",
        kind="train",
        task="text_classification",
        train=trained,
        seed=seed,
        device="cpu",
        cache_dir=str(home / "cache"),
        assets_dir=str(ASSETS_DIR),
        limits=JobLimits(num_threads=1),
    )


def _run(workdir: Path) -> None:
    if run.run(workdir) != 0:
        raise RuntimeError((workdir / "events.jsonl").read_text(encoding="utf-8").splitlines()[-1])


if __name__ == "__main__":
    main(measure)
