"""From rows and reports of compressions to what goes over the wire."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.compression import Budget, CompressionReport, over_budget
from engine.compress.methods import method_names, method_of
from studio.common.stored import read_stored
from studio.jobs.schemas import job_out
from studio.registry.compressions.schemas import CandidateOut, ComparedOut, CompressionOut, SkippedMethodOut
from studio.registry.compressions.services import candidate_tree
from studio.registry.models import Artefact, Compression


def compression_out(compression: Compression) -> CompressionOut:
    """A compression with what was found."""
    report = read_stored(CompressionReport, compression.report, subject=compression.id) if compression.report else None
    return CompressionOut(
        id=compression.id,
        artefact=compression.artefact_id,
        budget=read_stored(Budget, compression.budget, subject=compression.id),
        job=job_out(compression.job) if compression.job is not None else None,
        found=_compared(compression, report) if report is not None else None,
        created_at=compression.created_at,
    )


def _compared(compression: Compression, report: CompressionReport) -> ComparedOut:
    artefacts = {each.tree: each for each in Artefact.objects.filter(parent=compression.artefact_id)}
    budget = read_stored(Budget, compression.budget, subject=compression.id)
    candidates = []
    for each in report.candidates:
        title, summary = _words(each.method)
        artefact = artefacts.get(candidate_tree(compression, each.method))
        candidates.append(
            CandidateOut(
                title=title,
                summary=summary,
                measured=each,
                over=list(over_budget(each, budget)),
                artefact=artefact.id if artefact else None,
                artefact_number=artefact.number if artefact else None,
            )
        )
    return ComparedOut(
        split=report.split,
        num_items=report.num_items,
        num_calibration=report.num_calibration,
        measure=report.measure,
        is_higher_better=report.is_higher_better,
        original=report.original,
        candidates=candidates,
        left_out=[SkippedMethodOut(title=_words(each.method)[0], reason=each.reason) for each in report.left_out],
    )


def _words(name: str) -> tuple[Text, Text]:
    """Title and summary of a method; an older report may name one that is gone."""
    if name not in method_names():
        return Text.same(name), Text.same("")
    method = method_of(name)
    return method.title, method.summary
