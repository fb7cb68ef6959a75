"""What the job leaves: one row a finding, and the report of the dataset as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from automl.contracts.dataset import LabelSet
from automl.contracts.quality import (
    FINDINGS_FILE,
    QUALITY_REPORT_FILE,
    Finding,
    FindingKind,
    Histogram,
    Note,
    QualityItem,
    QualityReport,
    findings_to_columns,
)
from engine.job import Job
from engine.quality import summary

HANDMADE = "handmade"
"""What the report says of features where no pretrained weights were at hand, or none are needed."""
_SCHEMA = pa.schema([("item", pa.string()), ("kind", pa.string()), ("severity", pa.float64()), ("detail", pa.string())])


@dataclass(frozen=True)
class Outcome:
    """All that was found on the items of a dataset."""

    findings: Sequence[Finding]
    kinds: Sequence[FindingKind]
    """What was looked for."""
    features: str
    """What made the vectors: an asset, or ``handmade``."""
    histograms: Mapping[str, Histogram]
    notes: Sequence[Note]
    limits: Mapping[str, float]
    label_error_fraction: float | None
    label_error_interval: tuple[float, float] | None


class Inspect(Protocol):
    """What a kind of items calls ``KIND``."""

    def __call__(self, job: Job, items: Sequence[QualityItem]) -> Outcome:
        """All that is found on a dataset's items.

        Raises:
            StoppedError: the job was asked to stop.
            DataInvalidError: there are no items, or they cannot be read.
        """


def write(
    job: Job, outcome: Outcome, items: Sequence[QualityItem], label_set: LabelSet, *, seconds: float
) -> Mapping[str, float]:
    """Writes ``artefact/report.json`` and ``artefact/findings.parquet``; returns the number of items by kind of finding."""
    counted = summary.label_counts(items, label_set.names)
    report = QualityReport(
        num_items=len(items),
        num_annotated=sum(item.is_annotated for item in items),
        num_found={kind: sum(one.kind == kind for one in outcome.findings) for kind in outcome.kinds},
        features=outcome.features,
        labels=counted,
        histograms=outcome.histograms,
        notes=(*summary.notes_of(items, counted), *outcome.notes),
        limits=outcome.limits,
        label_error_fraction=outcome.label_error_fraction,
        label_error_interval=outcome.label_error_interval,
        seconds=round(seconds, 2),
        last_item=max((item.item for item in items), default=None),
    )
    job.artefact_dir.mkdir(exist_ok=True)
    pq.write_table(pa.table(findings_to_columns(outcome.findings), schema=_SCHEMA), job.artefact_dir / FINDINGS_FILE)
    report.write(job.artefact_dir / QUALITY_REPORT_FILE)
    job.progress("write", 1.0)
    return {kind.value: float(count) for kind, count in report.num_found.items()}
