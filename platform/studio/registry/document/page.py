"""A model's report as one HTML file."""

from __future__ import annotations

from pathlib import Path

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.words import Words
from engine.tasks import task_spec
from studio.registry import present, selectors
from studio.registry.document.blocks import block_named
from studio.registry.document.facts import Fact, data_facts, label_counts, model_facts, settings
from studio.registry.document.headline import headline, shipped_sentences
from studio.registry.document.markup import EMPTY, facts, joined, section, table
from studio.registry.document.numbers import exact, number
from studio.registry.document.sheet import Sheet
from studio.registry.models import Artefact
from studio.registry.reports import distillation_of, report_of
from studio.registry.schemas import ReportOut

words = Words(__file__)

_STYLE = SafeString(Path(__file__).with_name("style.css").read_text(encoding="utf-8"))
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""The policy of the page: no scripts, and no requests to any server."""
_PAGE = """<!doctype html>
<html lang="{}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{}</title>
<style>{}</style>
</head>
<body><main>{}</main></body>
</html>
"""
_HTML_LANGUAGES = {"zh": "zh-CN"}


def report_of_artefact(artefact: Artefact) -> ReportOut:
    """The numbers of a model's report, as the API and the file give them."""
    report = report_of(artefact.tree)
    members = selectors.artefacts_of_trials(report.shipped.trials) if report.shipped is not None else []
    return present.report_out(report, distillation_of(artefact.tree), members, selectors.num_judged_models(artefact.version_id))


def sheet_of(artefact: Artefact, language: str) -> Sheet:
    """What a report file is drawn from."""
    task = task_spec(artefact.project.task)
    return Sheet(
        artefact=artefact,
        shown=present.artefact_out(artefact),
        report=report_of_artefact(artefact),
        task=task,
        metrics=task.metrics_of(artefact.project.task_options),
        language=language,
    )


def report_page(artefact: Artefact, language: str) -> str:
    """The whole file.

    Args:
        artefact: whose report.
        language: of its sentences, e.g. ``zh``.
    """
    sheet = sheet_of(artefact, language)
    blocks = [block_named(name) for name in sheet.task.ui.report_charts]
    # The test split comes first, since it judges best.
    splits = sorted(sheet.report.splits, key=lambda each: each.split.value)
    parts = [_head(sheet), *(headline(sheet, each) for each in splits[:1]), _shipped(sheet)]
    for position, split in enumerate(splits):
        drawn = joined(block.draw(sheet, split) for block in blocks if block.is_of_split)
        again = headline(sheet, split) if position else EMPTY
        parts.append(format_html("<h2>{}</h2>{}{}", sheet.text(words(f"split.{split.split.value}.title")), again, drawn))
    parts.append(
        _model(sheet, joined(block.draw(sheet, each) for block in blocks if not block.is_of_split for each in splits[:1]))
    )
    parts.append(_data(sheet))
    title = sheet.text(words("title", number=sheet.shown.number, project=artefact.project.name))
    page_language = _HTML_LANGUAGES.get(language, language)
    return format_html(SafeString(_PAGE), page_language, _POLICY, title, _STYLE, joined(parts))


def _head(sheet: Sheet) -> SafeString:
    shown = sheet.shown
    made = sheet.text(words("made", day=f"{shown.created_at:%Y-%m-%d}", stage=words(f"stage.{shown.stage.value}")))
    note = format_html('<p class="quote">{}</p>', shown.note) if shown.note else EMPTY
    return format_html(
        "<header><p>{} · {}</p><h1>{}</h1><p>{}</p>{}</header>",
        sheet.artefact.project.name,
        sheet.text(sheet.task.title),
        sheet.text(words("model", number=shown.number)),
        made,
        note,
    )


def _shipped(sheet: Sheet) -> SafeString:
    sentences = shipped_sentences(sheet)
    return format_html('<p class="note">{}</p>', " ".join(sentences)) if sentences else EMPTY


def _model(sheet: Sheet, drawn: SafeString) -> SafeString:
    """How the model was trained, and figures of the model as a whole."""
    params = settings(sheet)
    head = [sheet.text(words("params.name")), sheet.text(words("params.value"))]
    listed = section(sheet.text(words("params.title")), table(head, params, num_texts=2)) if params else EMPTY
    return format_html("<h2>{}</h2>{}{}{}", sheet.text(words("model.title")), _listed(model_facts(sheet)), listed, drawn)


def _data(sheet: Sheet) -> SafeString:
    """The data that it learned from, and who annotated them."""
    labels = label_counts(sheet)
    head = [sheet.text(words("labels.label")), sheet.text(words("labels.count"))]
    counted = section(sheet.text(words("labels.title")), table(head, ((name, number(count)) for name, count in labels)))
    listed = _listed(data_facts(sheet))
    return format_html("<h2>{}</h2>{}{}", sheet.text(words("data.title")), listed, counted if labels else EMPTY)


def _listed(listed_facts: list[Fact]) -> SafeString:
    return facts((each.name, each.text if each.value is None else exact(each.value, each.text)) for each in listed_facts)
