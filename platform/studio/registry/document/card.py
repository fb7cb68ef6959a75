"""A model card (Mitchell et al., "Model Cards for Model Reporting", 2019) as Markdown with the YAML head of model hubs."""

from __future__ import annotations

from collections.abc import Iterable

import yaml

from automl.contracts.report import ClassMetrics
from automl.contracts.words import Words
from studio.registry.document import blocks
from studio.registry.document.blocks.slices import condition
from studio.registry.document.facts import Fact, data_facts, label_counts, model_facts, settings
from studio.registry.document.headline import caution_sentences, headline_sentence, shipped_sentences
from studio.registry.document.labels import has_too_few
from studio.registry.document.markdown import listed, plain, quote, table
from studio.registry.document.numbers import amount_text, fraction_text, metric_text, number_text
from studio.registry.document.page import sheet_of
from studio.registry.document.sheet import Sheet
from studio.registry.models import Artefact
from studio.registry.schemas import SplitReportOut

words, block_words = Words(__file__), Words(blocks.__file__)

MOST_LABELS = 100
"""Labels that are listed; a card is read by people."""


def model_card(artefact: Artefact, language: str) -> str:
    """The whole file.

    Args:
        artefact: of which model.
        language: of its sentences, e.g. ``zh``.
    """
    sheet = sheet_of(artefact, language)
    # The test split comes first, since it judges best.
    splits = sorted(sheet.report.splits, key=lambda each: each.split.value)[:1]
    parts = [_title(sheet), *_purpose(sheet)]
    for split in splits:
        parts += [*_evaluation(sheet, split), *_limits(sheet, split)]
    parts += [*_data(sheet), *_model(sheet)]
    head = yaml.safe_dump(_head(sheet), allow_unicode=True, sort_keys=False)
    return f"---\n{head}---\n\n" + "\n\n".join(part for part in parts if part) + "\n"


def _head(sheet: Sheet) -> dict[str, object]:
    name = f"{sheet.artefact.project.name} {sheet.shown.number}"
    return {"library_name": "onnx", "tags": ["modelyard", sheet.task.name.replace("_", "-")], "model_name": name}


def _title(sheet: Sheet) -> str:
    shown, project = sheet.shown, sheet.artefact.project
    made = words("made", day=f"{shown.created_at:%Y-%m-%d}", stage=words(f"stage.{shown.stage.value}"))
    heading = f"# {plain(project.name)}: {sheet.text(words('model', number=shown.number))}"
    return "\n\n".join(part for part in (heading, quote(shown.note), sheet.text(made)) if part)


def _purpose(sheet: Sheet) -> list[str]:
    """What it answers, about what."""
    project = sheet.artefact.project
    labels = sheet.report.labels
    lines = [sheet.text(words("card.task", task=sheet.task.title, summary=sheet.task.summary))]
    if labels:
        more = f", … (+{len(labels) - MOST_LABELS})" if len(labels) > MOST_LABELS else ""
        lines.append(sheet.text(words("card.labels")) + ", ".join(plain(each) for each in labels[:MOST_LABELS]) + more)
    if sheet.shown.thresholds:
        low = ", ".join(
            f"{plain(name)} {number_text(value)}" for name, value in list(sheet.shown.thresholds.items())[:MOST_LABELS]
        )
        lines.append(sheet.text(words("card.thresholds")) + low)
    return [f"## {sheet.text(words('card.purpose'))}", quote(project.description), listed(lines)]


def _evaluation(sheet: Sheet, split: SplitReportOut) -> list[str]:
    """The figures with their intervals."""
    rows = []
    for spec in sheet.metrics:
        if spec.name in split.metrics:
            ends = split.intervals.get(spec.name)
            interval = " – ".join(metric_text(spec.name, end) for end in ends) if ends else "–"
            rows.append((sheet.text(spec.title), metric_text(spec.name, split.metrics[spec.name]), interval))
    return [
        f"## {sheet.text(words('card.evaluation'))}",
        headline_sentence(sheet, split),
        " ".join(shipped_sentences(sheet)),
        table([sheet.text(block_words(f"summary.{name}")) for name in ("metric", "value", "interval")], rows),
        _labels(sheet, split),
    ]


def _figures(each: ClassMetrics) -> tuple[float | None, ...]:
    """F1, precision and recall of a label; None where too few items carry it."""
    return (None, None, None) if has_too_few(each) else (each.f1, each.precision, each.recall)


def _labels(sheet: Sheet, split: SplitReportOut) -> str:
    head = [sheet.text(block_words(f"per_class.{name}")) for name in ("label", "f1", "precision", "recall", "support")]
    rows = [
        (
            each.label,
            *("–" if value is None else fraction_text(value) for value in _figures(each)),
            number_text(each.support),
        )
        for each in split.per_class[:MOST_LABELS]
    ]
    return table(head, rows) if rows else ""


def _limits(sheet: Sheet, split: SplitReportOut) -> list[str]:
    """Reasons for caution, and groups on which it is clearly worse."""
    sentences = caution_sentences(sheet, split) if headline_sentence(sheet, split) else []
    parts = [f"## {sheet.text(words('card.limits'))}", listed([*sentences, sheet.text(words("card.only_like_this"))])]
    worse = [part for part in split.slices.slices if part.is_worse] if split.slices is not None else []
    if split.slices is None or not worse:
        return parts
    measure = split.slices.measure
    text = amount_text if measure == "absolute_error" else fraction_text
    head = [sheet.text(block_words(f"slices.head.{name}")) for name in ("group", "items", measure, "interval", "rest")]
    rows = (
        (
            condition(sheet, part),
            number_text(part.num_items),
            text(part.measured),
            " – ".join(map(text, part.interval)),
            text(part.rest),
        )
        for part in worse
    )
    return [*parts, sheet.text(words("card.worse")), table(head, rows)]


def _data(sheet: Sheet) -> list[str]:
    head = [sheet.text(words("labels.label")), sheet.text(words("labels.count"))]
    counts = [(name, number_text(count)) for name, count in label_counts(sheet)[:MOST_LABELS]]
    return [f"## {sheet.text(words('data.title'))}", _facts(sheet, data_facts(sheet)), table(head, counts) if counts else ""]


def _model(sheet: Sheet) -> list[str]:
    head = [sheet.text(words("params.name")), sheet.text(words("params.value"))]
    params = settings(sheet)
    listing = table(head, params, num_texts=2) if params else ""
    return [f"## {sheet.text(words('model.title'))}", _facts(sheet, model_facts(sheet)), listing, sheet.text(words("card.use"))]


def _facts(sheet: Sheet, listed_facts: Iterable[Fact]) -> str:
    return listed(sheet.text(words("card.fact", name=each.name, value=plain(each.text))) for each in listed_facts)
