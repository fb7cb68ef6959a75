"""From a fitted model of rows to an artefact: graph, parity, judgement of every split that was held back, report, manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automl.contracts.coverage import CoverageReport
from automl.contracts.dataset import LabelSet, Split
from automl.contracts.report import CurvePoint, Report, SplitReport
from automl.contracts.table import Row
from engine.artefact.reference import JudgedContents, evenly_spaced, reference_splits
from engine.artefact.rows import RowSession, graph_write, parity_check
from engine.artefact.write import NUM_SAMPLES, OWN_TOLERANCE, TOLERANCE, ArtefactWriter, samples_write
from engine.coverage import AnsweredItems, coverage_of
from engine.errors import ParityError
from engine.job import EarlyEnd, Job
from engine.table.reader import CellRows, table_of
from engine.table.table import FitNeeds, RowModel
from engine.tasks import task_part
from engine.training.lineage import manifest_of
from engine.training.rows.data import PreparedRows, RowRecords
from engine.training.rows.report import table_report
from engine.training.slicing import JudgedSplit, sliced

_EXPORT_AT, _PARITY_AT, _EVALUATE_AT, _TEST_AT, _TABLE_AT = 0.8, 0.83, 0.85, 0.88, 0.9
_COMPARED_ROWS = 500
_ROUNDING = 16.0
"""Steps of float32 by which a number may be off besides: a sum of a thousand trees rounds in another order."""


@dataclass(frozen=True)
class FittedRows:
    """A fitted model with the record of its fit."""

    model: RowModel
    held_back_NK: NDArray[np.float32] | None
    """Where validation was learned: answers to its rows by models that had not seen them; else None."""
    curves: list[CurvePoint]
    fit_seconds: float
    halt: EarlyEnd | None
    """Why the fit had to end before its end."""
    needs: FitNeeds | None = None
    """As of ``RowEnsemble``."""


def artefact(fitted: FittedRows, prepared: PreparedRows, job: Job) -> Mapping[str, float]:
    """Writes the artefact and returns the shipped graph's metrics on validation.

    Args:
        fitted: the model.
        prepared: what it was trained on.
        job: whose directory gets the artefact.

    Raises:
        ParityError: the graph does not answer like the model.
        StoppedError: the job was asked to stop.
    """
    train_seconds = job.control.elapsed_s
    portable = task_part(prepared.task.name, "portable")
    inputs, (output,) = portable.inputs(prepared.columns), portable.outputs(len(prepared.labels), target=prepared.target)
    writer = ArtefactWriter(job.artefact_dir)
    job.progress("export", _EXPORT_AT)
    graph_write(writer.model_path, fitted.model, inputs, output)
    output_kind, decode = portable.output_kind(prepared.options), portable.decode(prepared.columns, prepared.target)
    samples_write(writer.folder, _samples(fitted.model, prepared), labels=prepared.labels, output=output_kind)
    job.control.raise_if_stopped()
    job.progress("parity", _PARITY_AT)
    session = RowSession(writer.model_path, num_threads=job.spec.limits.num_threads)
    own_tolerance, tolerance = tolerances(prepared)
    writer.check_parity(decode, output_kind, tolerance=own_tolerance)
    few = prepared.table(Split.VALIDATION).take(slice(0, _COMPARED_ROWS))
    parity_check(session, fitted.model, few, tolerance=own_tolerance)
    splits, answers, thresholds = _judged(session, prepared, fitted.held_back_NK, job)
    job.control.raise_if_stopped()
    report = Report(
        labels=prepared.labels,
        splits=splits,
        curves=tuple(fitted.curves),
        train_seconds=train_seconds,
        latency_ms=RowSession(writer.model_path).latency_ms(few.take(slice(0, 1))),
        model_bytes=writer.model_path.stat().st_size,
        table=table_report(
            session,
            fitted.model,
            prepared,
            answers[Split.VALIDATION],
            is_learned=fitted.held_back_NK is not None,
            fit_seconds=fitted.fit_seconds,
            job=job,
            at=_TABLE_AT,
        ),
        coverage=_coverage(prepared, answers, thresholds),
    )
    label_set = prepared.version.manifest.label_set
    manifest = manifest_of(
        prepared,
        prepared.version,
        job,
        splits=splits,
        thresholds=thresholds,
        output=output_kind,
        decode=decode,
        inputs=inputs,
        outputs=(output,),
        label_set=label_set if prepared.labels else LabelSet(),
        tolerance=tolerance,
        licences=(),
    )
    writer.finish(manifest, report, contents_of(prepared))
    job.progress("evaluate", 1.0)
    return manifest.metrics[Split.VALIDATION]


def _samples(model: RowModel, prepared: PreparedRows) -> list[tuple[str, bytes, NDArray]]:
    """Golden rows with their answers; each file is a ``Row``."""
    rows = golden_rows(prepared)
    contents = [Row(cells=dict(cells)).canonical().encode() for cells in rows]
    answers_NK = model.answers(table_of(rows, prepared.columns))
    return [(f"{number}.json", *each) for number, each in enumerate(zip(contents, answers_NK, strict=True))]


def contents_of(prepared: PreparedRows) -> JudgedContents:
    """Rows that callers' rows will be compared with, with the cells that the model reads."""
    splits = reference_splits({split: len(rows) for split, rows in prepared.rows.items()})
    names = {column.name for column in prepared.columns}
    cells = _some_cells([prepared.rows[split].rows for split in splits])
    contents = (Row(cells={name: cell for name, cell in row.items() if name in names}).canonical().encode() for row in cells)
    return JudgedContents(prepared.version.id, splits, contents)


def _some_cells(parts: Sequence[CellRows]) -> Iterator[dict[str, str]]:
    """The cells of rows drawn evenly from all parts."""
    places, start = evenly_spaced(sum(map(len, parts))), 0
    for part in parts:
        yield from (part.cells_of(place - start) for place in places if start <= place < start + len(part))
        start += len(part)


def _judged_split(prepared: PreparedRows) -> Split:
    return Split.TEST if len(prepared.rows[Split.TEST]) else Split.VALIDATION


def golden_rows(prepared: PreparedRows) -> list[dict[str, str]]:
    """Cells of held-back rows that the model reads: the labels taking turns, or numbers from small to large."""
    split = _judged_split(prepared)
    own, targets_N = prepared.rows[split].rows, prepared.targets[split]
    order_N = np.argsort(targets_N, kind="stable")
    if prepared.labels:
        starts_N = np.searchsorted(targets_N[order_N], targets_N[order_N])
        turns_N = np.arange(len(order_N)) - starts_N
        order_N = order_N[np.argsort(turns_N, kind="stable")]
        chosen = order_N[:NUM_SAMPLES]
    else:
        chosen = order_N[np.unique(np.linspace(0, len(order_N) - 1, NUM_SAMPLES).astype(np.int64))]
    names = {column.name for column in prepared.columns}
    return [{name: cell for name, cell in own.cells_of(int(row)).items() if name in names} for row in chosen]


def tolerances(prepared: PreparedRows) -> tuple[float, float]:
    """How far the graph may be off here, and on any runtime; of numbers in the unit of the target.

    A score lies in 0..1; a number's spread stands for that, and its size for what float32 can hold.
    """
    if prepared.labels:
        return OWN_TOLERANCE, TOLERANCE
    targets_N = prepared.targets[Split.TRAIN]
    rounding = _ROUNDING * float(np.finfo(np.float32).eps * np.abs(targets_N).max())
    spread = float(targets_N.std())
    return OWN_TOLERANCE * spread + rounding, TOLERANCE * spread + rounding


def _coverage(
    prepared: PreparedRows, answers: Mapping[Split, NDArray[np.float32]], thresholds: Mapping[str, float]
) -> CoverageReport | None:
    calibrated, *judged = (
        AnsweredItems(split, answers[split], prepared.targets[split])
        for split in (Split.VALIDATION, Split.TEST)
        if split in answers
    )
    output = task_part(prepared.task.name, "portable").output_kind(prepared.options)
    return coverage_of(output, calibrated, judged[0] if judged else None, labels=prepared.labels, thresholds=thresholds)


def _judged(
    session: RowSession, prepared: PreparedRows, held_back_NK: NDArray[np.float32] | None, job: Job
) -> tuple[tuple[SplitReport, ...], Mapping[Split, NDArray[np.float32]], Mapping[str, float]]:
    """Reports of validation and test, what was answered, and thresholds.

    Answers are those of the graph, or of models that had not seen validation.
    """
    metrics = task_part(prepared.task.name, "metrics")
    objective = prepared.task.objective(prepared.options, job.spec.objective).name
    thresholds: Mapping[str, float] = {}
    reports: list[SplitReport] = []
    answers: dict[Split, NDArray[np.float32]] = {}
    for split, begin, end in ((Split.VALIDATION, _EVALUATE_AT, _TEST_AT), (Split.TEST, _TEST_AT, _TABLE_AT)):
        if not len(prepared.rows[split]):
            continue

        def on_progress(share: float, begin: float = begin, end: float = end) -> None:
            job.control.raise_if_stopped()
            job.progress("evaluate", begin + (end - begin) * share)

        if split is Split.VALIDATION and held_back_NK is not None:
            answers[split] = held_back_NK
        else:
            answers[split] = session.run(prepared.table(split), on_progress=on_progress)
        num_wild = int((~np.isfinite(answers[split]).all(axis=1)).sum())
        if num_wild:
            raise ParityError(f"The model answers {num_wild} rows of the {split} split with what is no number.")
        records = RowRecords(prepared.rows[split].rows)
        if split is Split.VALIDATION:
            answers_NK, truth_N = answers[split], prepared.targets[split]
            thresholds = metrics.recommended_thresholds(answers_NK, truth_N, prepared.labels, objective=objective)
        report: SplitReport = metrics.split_report(
            split, records, answers[split], prepared.targets[split], labels=prepared.labels, thresholds=thresholds
        )
        material = JudgedSplit(
            records, answers[split], prepared.targets[split], prepared.table(split), prepared.version.data_dir
        )
        report = sliced(report, material, task=prepared.task, labels=prepared.labels, thresholds=thresholds)
        reports.append(report.model_copy(update={"is_learned": split is Split.VALIDATION and held_back_NK is not None}))
    return tuple(reports), answers, thresholds
