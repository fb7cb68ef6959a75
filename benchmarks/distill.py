"""Distillation on Chinese sentiment: a teacher of 118 million weights, students that answer at once.

A frozen multilingual encoder with a linear head is trained on 800 labelled texts; its scores on those and on 12,000 texts
without labels teach a bag of n-grams, weighted n-grams and a network of word windows (``--full``: one of gated units too). A
thousand other texts judge, the same for all. Each student is also trained on the 800 labels alone. Networks: means of three
seeds (``--quick``: one, and few texts).

Speed is processor time with ONNX Runtime on one thread, both sides in turn in the same run: of one text's answer, as somebody
waits for it, and of texts in batches, as a store of them is read. The teacher and its scores are kept in ``benchmarks/`` beside
the store of assets: they take minutes, and are the same in every run.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from automl.contracts.dataset import Split
from automl.contracts.distillation import DistillationReport
from automl.contracts.job import JobLimits, JobSpec, TrainConfig
from automl.contracts.report import Report
from benchmarks._digits import ASSETS_DIR
from benchmarks._distill_pace import BATCH, BatchPace, batch_paces
from benchmarks._reviews import NUM_TEST, reviews, version_written
from benchmarks.harness import Claim, Options, SkippedError, main
from engine import run
from engine.assets.fetch import AssetMissingError
from engine.assets.store import weights
from engine.compress.distill import distill
from engine.compress.text_model import TextModel
from engine.compress.text_students import student_config
from engine.data.text_tokens import version_texts
from engine.data.version import DatasetVersion
from engine.events import EventLog
from engine.job import Job
from engine.models import family_spec

_SHARE_KEPT = Path(os.environ.get("MODELYARD_BENCH_CACHE", ASSETS_DIR.parent / "benchmarks")) / "distill"
_TEACHER = TrainConfig(family="text_probe", size="multilingual", params={})
_SEEDS = (0, 1, 2)


@dataclass(frozen=True)
class _Size:
    """Texts of one run."""

    num_train: int
    num_validation: int
    num_unlabelled: int
    num_test: int = NUM_TEST


@dataclass(frozen=True)
class _Student:
    """What is taught, and what it should reach of its teacher."""

    train: TrainConfig
    share: float
    """Of its teacher's accuracy."""
    speedup: float
    """Of one answer, text to scores."""
    rate: float
    """Times the teacher's texts a second in batches."""
    is_random: bool = True


_WHOLE, _QUICK, _SMOKE = _Size(800, 200, 12_000), _Size(80, 40, 200), _Size(20, 10, 20, num_test=100)
_BAG, _COUNTS = TrainConfig(family="text_bag", size="64k", params={}), TrainConfig(family="tfidf_linear", size="64k", params={})
_CNN, _GRU = (TrainConfig(family=family, size="small", params={}) for family in ("text_cnn", "text_gru"))
_STUDENTS = (
    _Student(_BAG, share=0.95, speedup=100, rate=1000),
    _Student(_COUNTS, share=0.95, speedup=100, rate=100, is_random=False),
    _Student(_CNN, share=0.95, speedup=100, rate=100),
    _Student(_GRU, share=0.95, speedup=100, rate=100),
)
"""The last is left to ``--full``."""


def measure(options: Options) -> list[Claim]:
    """Six claims a student: what it reaches of its teacher, what teaching gained, how fast alone and in batches."""
    torch.set_num_threads(1)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    size = options.pick(_WHOLE, smoke=_SMOKE, quick=_QUICK)
    students = options.pick(_STUDENTS[:-1], smoke=_STUDENTS[:1], full=_STUDENTS)
    try:
        weights("multilingual_e5_small", ASSETS_DIR)
    except AssetMissingError as error:
        raise SkippedError(error.message) from error
    home = _SHARE_KEPT / "-".join(map(str, (size.num_train, size.num_validation, *options.pick((), smoke=("smoke",)))))
    teacher = _taught(home, size, options.pick(_TEACHER, smoke=_COUNTS))
    unlabelled = _unlabelled(home, size.num_unlabelled)
    claims: list[Claim] = []
    for student in students:
        seeds = options.pick(_SEEDS, smoke=_SEEDS[:1], quick=_SEEDS[:1]) if student.is_random else _SEEDS[:1]
        taught = _student_config(student.train, size)
        found = [_distilled(taught, home, teacher, unlabelled, seed) for seed in seeds]
        alone = [_trained(student.train, home, seed) for seed in seeds]
        claims.extend(_claims(student, [report for report, _ in found], alone))
        claims.extend(_rate_claims(student, [latencies for _, latencies in found]))
    return claims


def _student_config(student: TrainConfig, size: _Size) -> TrainConfig:
    """As the platform teaches it."""
    family = family_spec(student.family)
    taught = family.model_copy(update={"sizes": (family.size(student.size),)})
    return student_config(taught, num_labelled=size.num_train, num_unlabelled=size.num_unlabelled)


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
    for metric, mine, theirs in (
        (f"ms an answer of {name}, text to scores; {bytes_}", ms.answer_ms, middle.teacher.answer_ms),
        (f"ms an answer of {name}, the graph alone", ms.graph_ms, middle.teacher.graph_ms),
    ):
        yield Claim("distill", metric, mine, theirs, theirs / mine, student.speedup)


def _rate_claims(student: _Student, rates: Sequence[tuple[BatchPace, BatchPace]]) -> Iterator[Claim]:
    theirs, ours = sorted(rates, key=lambda pair: pair[0].whole_s / pair[1].whole_s)[len(rates) // 2]
    name = student.train.family
    for metric, mine, other in (
        (f"texts/s of {name} in batches of {BATCH}, text to scores", ours.whole_s, theirs.whole_s),
        (f"texts/s of {name} in batches of {BATCH}, the graph alone", ours.graph_s, theirs.graph_s),
    ):
        yield Claim("distill", metric, 1.0 / mine, 1.0 / other, other / mine, student.rate)


def _taught(home: Path, size: _Size, teacher: TrainConfig) -> Path:
    """The teacher's artefact, trained now unless it is kept."""
    workdir = home / "teacher"
    if not (workdir / "artefact").exists():
        numbers = {Split.TEST: size.num_test, Split.TRAIN: size.num_train, Split.VALIDATION: size.num_validation}
        version_written(workdir / "data", numbers, seed=0)
        _order(teacher, home, seed=0).write(workdir / "job.json")
        _run(workdir)
    return workdir / "artefact"


def _unlabelled(home: Path, number: int) -> list[str]:
    """Texts that are in no split of the version."""
    version = DatasetVersion.open(home / "teacher" / "data")
    used = set(version_texts(version, version.records()))
    others = sorted({line.strip() for lines in reviews().values() for line in lines} - used)
    return [others[place] for place in np.random.default_rng(0).permutation(len(others))[:number]]


def _distilled(
    student: TrainConfig, home: Path, teacher: Path, unlabelled: Sequence[str], seed: int
) -> tuple[DistillationReport, tuple[BatchPace, BatchPace]]:
    """What the job reports, and both sides' pace in batches, the teacher's first."""
    with tempfile.TemporaryDirectory() as scratch:
        workdir = _workdir(Path(scratch), student, home, seed)
        with EventLog(workdir / "events.jsonl") as log:
            job = Job(workdir, JobSpec.read(workdir / "job.json"), log)
            report = distill(job, teacher, unlabelled)
        version = DatasetVersion.open(workdir / "data")
        texts = version_texts(version, version.records(Split.TEST))
        return report, batch_paces(TextModel.open(teacher), TextModel.open(job.artefact_dir), texts)


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
        cache_dir=str(_SHARE_KEPT.parent),
        assets_dir=str(ASSETS_DIR),
        limits=JobLimits(num_threads=1),
    )


def _run(workdir: Path) -> None:
    if run.run(workdir) != 0:
        raise RuntimeError((workdir / "events.jsonl").read_text(encoding="utf-8").splitlines()[-1])


if __name__ == "__main__":
    main(measure)
