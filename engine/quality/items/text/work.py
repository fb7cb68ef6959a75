"""The job ``quality`` on texts: reads every text of a dataset once as it stands, and says what it found.

Shapes: N items, D features of the encoder, E features of n-grams.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from automl.contracts.items.text import KIND as TEXT
from automl.contracts.quality import Histogram, QualityItem
from engine.errors import DataInvalidError
from engine.job import Job
from engine.quality import outliers, summary
from engine.quality.clusters import clusters
from engine.quality.doubts import doubts
from engine.quality.items.text import copies as text_copies
from engine.quality.items.text import rules
from engine.quality.items.text.measure import TextMeasures, measure, normalised
from engine.quality.items.text.vectors import ngrams, vectors_of
from engine.quality.progress import within
from engine.quality.writing import HANDMADE, Outcome

_READ_TO, _VECTORS_TO, _COPIES_TO, _LABELS_TO = 0.1, 0.75, 0.85, 0.98
_CHUNK_TEXTS = 1_000


def inspect(job: Job, items: Sequence[QualityItem]) -> Outcome:
    """All that is found on texts.

    Raises:
        StoppedError: the job was asked to stop.
        DataInvalidError: there are no items, or some are no texts.
    """
    texts = [item.text for item in items if item.text is not None]
    if not texts or len(texts) < len(items):
        raise DataInvalidError("The dataset has no texts, or items that are none.")
    measures = _measure_all(job, texts)
    limits = rules.limits_of(measures)
    findings = rules.findings_of(items, measures)
    handmade_NE = ngrams(texts, seed=job.spec.seed)
    features, vectors_ND = vectors_of(job, texts, handmade_NE, within(job, "look", _READ_TO, _VECTORS_TO))
    copies = text_copies.copies_of(
        [normalised(text) for text in texts],
        [item.split.value for item in items],
        within(job, "compare", _VECTORS_TO, _COPIES_TO),
    )
    keeper_of = {row: keeper for members, keeper in clusters(copies, items) for row in members}
    cluster_of = [keeper_of.get(row, row) for row in range(len(items))]
    suspects = {one.item for one in findings}
    findings += text_copies.findings_of_copies(copies, items, keeper_of)
    suspected = doubts(
        items,
        [handmade_NE] if features == HANDMADE else [vectors_ND, handmade_NE],
        cluster_of,
        is_handmade=features == HANDMADE,
        seed=job.spec.seed,
        on_progress=within(job, "labels", _COPIES_TO, _LABELS_TO),
    )
    single = [row for row, item in enumerate(items) if cluster_of[row] == row and item.item not in suspects]
    strange, limit = outliers.outliers([items[row] for row in single], vectors_ND[single])
    if limit is not None:
        limits["outlier"] = limit
    return Outcome(
        findings=[*findings, *suspected.findings, *strange],
        kinds=TEXT.findings,
        features=features,
        histograms=_histograms(measures),
        notes=suspected.notes,
        limits={**limits, **suspected.limits},
        label_error_fraction=suspected.error_fraction,
        label_error_interval=suspected.error_interval,
    )


def _measure_all(job: Job, texts: Sequence[str]) -> list[TextMeasures]:
    report = within(job, "look", 0.0, _READ_TO)
    measures: list[TextMeasures] = []
    for start in range(0, len(texts), _CHUNK_TEXTS):
        measures += [measure(text) for text in texts[start : start + _CHUNK_TEXTS]]
        report(len(measures), len(texts))
    return measures


def _histograms(measures: Sequence[TextMeasures]) -> Mapping[str, Histogram]:
    return {
        "characters": summary.histogram([max(one.num_characters, 1) for one in measures], is_log=True),
        "letters": summary.histogram([one.letters_fraction for one in measures], span=(0.0, 1.0)),
    }
