"""The items that the model got most wrong, with small pictures inside the file."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.annotation import Annotation, item_numbers
from automl.contracts.report import JudgedItem
from automl.contracts.words import Words
from studio.common.errors import StudioError
from studio.datasets.items.kinds import kind_of_format
from studio.datasets.items.present import item_preview
from studio.datasets.models import Item
from studio.registry.answers import judged_answers
from studio.registry.document.markup import EMPTY, joined, section
from studio.registry.document.numbers import amount, number
from studio.registry.document.sheet import Sheet
from studio.registry.labelled import ALWAYS_COUNTS, labelled
from studio.registry.reports import ItemFilter, report_items
from studio.registry.schemas import SplitReportOut

words = Words(__file__)

ITEMS = 12
THUMBNAIL_PX = 128
CHARACTERS = 300
CELLS = 6


class WorstItems:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """A card each, the worst first."""
        criteria = ItemFilter(split=split.split, is_error_only=True)
        found = report_items(sheet.artefact, criteria=criteria, order="loss", cursor=None, limit=ITEMS).items
        known = Item.objects.in_bulk([item.item for item in found])
        cards = joined(_card(sheet, item, known.get(item.item)) for item in found)
        body = (
            format_html('<div class="cards">{}</div>', cards)
            if found
            else format_html("<p>{}</p>", sheet.text(words("worst.none")))
        )
        return section(sheet.text(words("worst.title")), body, sheet.text(words("worst.note")))


def _card(sheet: Sheet, item: JudgedItem, row: Item | None) -> SafeString:
    return format_html(
        '<article class="card">{}<div><b>{}</b>{}{}<p class="note">{} {}</p></div></article>',
        _picture(sheet, item, row) if row is not None else EMPTY,
        row.name if row is not None else item.item,
        _content(sheet, row) if row is not None else EMPTY,
        _annotations_line(sheet, item),
        sheet.text(words("worst.loss")),
        number(item.loss),
    )


def _annotations_line(sheet: Sheet, item: JudgedItem) -> SafeString:
    thresholds = sheet.shown.manifest.thresholds
    predicted = judged_answers(sheet.shown.manifest).predicted(item.prediction, thresholds)
    scores = {each.label: each.score for each in reversed(labelled(item.prediction))}
    sides: tuple[tuple[str, list[str], Sequence[Annotation], dict[str, float | None]], ...] = (
        ("truth", [each.label for each in labelled(item.truth)], item.truth, {}),
        ("answer", predicted, item.prediction, scores),
    )
    return joined(
        format_html("<p>{} {}</p>", sheet.text(words(f"worst.{name}")), _labels(sheet, labels, annotations, with_scores))
        for name, labels, annotations, with_scores in sides
    )


def _labels(
    sheet: Sheet, labels: Sequence[str], annotations: Sequence[Annotation], scores: dict[str, float | None]
) -> SafeString:
    """Labels with how often they were given and their best score, or the number."""
    if values := item_numbers(annotations):
        return joined(format_html("<b>{}</b>", amount(value)) for value in values)
    if not labels:
        return format_html("<i>{}</i>", sheet.text(words("worst.nothing")))
    return joined(
        format_html(
            '<span class="tag">{}{}{}</span>',
            label,
            f" × {count}" if count > 1 else "",
            format_html(" {}", number(score)) if (score := scores.get(label)) is not None else "",
        )
        for label, count in Counter(labels).items()
    )


def _content(sheet: Sheet, row: Item) -> SafeString:
    """The beginning of a text, or the cells that count most."""
    shown = item_preview(row)
    if shown.text is not None:
        return format_html('<p class="quote">{}</p>', shown.text[:CHARACTERS] + ("…" if len(shown.text) > CHARACTERS else ""))
    if shown.row is None:
        return EMPTY
    table = sheet.report.table
    columns = [each.column for each in table.effects][:CELLS] if table is not None else list(shown.row.cells)[:CELLS]
    return joined(format_html('<p class="quote">{}: {}</p>', column, shown.row.cells.get(column, "")) for column in columns)


def _picture(sheet: Sheet, item: JudgedItem, row: Item) -> SafeString:
    """A thumbnail inside the file, with what both sides draw on it."""
    kind = kind_of_format(row.format)
    if not kind.has_thumbnails:
        return EMPTY
    try:
        data = kind.thumbnail(row, size_px=THUMBNAIL_PX)
    except (OSError, StudioError):
        return EMPTY  # the report can be read without a picture that the store has lost
    width, height = max(1, row.width), max(1, row.height)
    answers = judged_answers(sheet.shown.manifest)
    drawn = joined((answers.svg(item.truth, "truth"), answers.svg(_counted(sheet, item.prediction), "answer")))
    return format_html(
        '<svg class="thumb" viewBox="0 0 {0} {1}"><image href="data:image/jpeg;base64,{2}" width="{0}" height="{1}"'
        ' preserveAspectRatio="none"/>{3}</svg>',
        width,
        height,
        base64.b64encode(data).decode(),
        drawn,
    )


def _counted(sheet: Sheet, prediction: Sequence[Annotation]) -> list[Annotation]:
    thresholds = sheet.shown.manifest.thresholds
    return [each for each in labelled(prediction) if (each.score or 0.0) >= thresholds.get(each.label, ALWAYS_COUNTS)]


KIND = WorstItems()
