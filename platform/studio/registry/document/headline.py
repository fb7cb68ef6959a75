"""The one sentence above a report, with the cautions that its number deserves. The same rules as on the page."""

from __future__ import annotations

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from automl.contracts.dataset import Split
from automl.contracts.words import Words
from studio.registry.document.labels import has_too_few
from studio.registry.document.markup import EMPTY, joined
from studio.registry.document.numbers import metric_text
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)

FEWEST_ITEMS = 30
"""Below this single items decide a value, and only its interval may be read."""
FEW_ITEMS = 100
LEAST_AP50 = 0.4
WIDE_FRACTION = 0.1
WIDE_RELATIVE = 0.3
MANY_LOOKS = 10
_MEAN_OF_LABELS = "_macro"
"""Ends the names of metrics in which every label counts alike, so that a handful of items of one can move them far."""


def headline(sheet: Sheet, split: SplitReportOut) -> SafeString:
    """The objective of a split with its interval, and reasons for caution below it."""
    sentence = headline_sentence(sheet, split)
    if not sentence:
        return EMPTY
    listed = format_html_join("", "<li>{}</li>", ((each,) for each in caution_sentences(sheet, split)))
    parts = (
        format_html('<p class="headline">{}</p>', sentence),
        _wrong(sheet, split),
        format_html('<ul class="cautions">{}</ul>', listed) if listed else EMPTY,
    )
    return joined(parts)


def headline_sentence(sheet: Sheet, split: SplitReportOut) -> str:
    """The objective of a split with its interval; empty where it was not measured."""
    objective = sheet.metrics[0]
    if objective.name not in split.metrics:
        return ""
    value = metric_text(objective.name, split.metrics[objective.name])
    count, name = f"{split.num_items:,}", words(f"split.{split.split.value}")
    is_too_few = split.num_items < FEWEST_ITEMS
    sentences = [
        words("headline.too_few" if is_too_few else "headline", metric=objective.title, value=value, number=count, split=name)
    ]
    if (ends := _interval(split, objective.name)) is not None:
        low, high = (metric_text(objective.name, end) for end in ends)
        sentences.append(words("headline.interval", low=low, high=high))
    return "".join(sheet.text(each) for each in [*sentences, words("headline.stop")])


def caution_sentences(sheet: Sheet, split: SplitReportOut) -> list[str]:
    """Reasons for caution about a split's objective, in sentences."""
    values = {"number": split.num_models}
    return [sheet.text(words(f"caution.{name}", **values)) for name in cautions(sheet, split)]


def shipped_sentences(sheet: Sheet) -> list[str]:
    """Whose numbers these are when the model has learned once more since; empty where it has not."""
    shipped = sheet.report.shipped
    if shipped is None:
        return []
    count = len(shipped.trials)
    sentences = [words("shipped.judged_mean", count=count) if count > 1 else words("shipped.judged")]
    if shipped.num_more:
        sentences.append(words("shipped.more", more=shipped.num_more, total=shipped.num_learned))
    return [sheet.text(each) for each in sentences]


def cautions(sheet: Sheet, split: SplitReportOut) -> list[str]:
    """Reasons for caution about a split's objective, by name."""
    objective = sheet.metrics[0]
    value, ends = split.metrics[objective.name], _interval(split, objective.name)
    is_too_few = split.num_items < FEWEST_ITEMS
    limit = abs(value) * WIDE_RELATIVE if objective.unit == "target" else WIDE_FRACTION
    found = {
        "too_few": is_too_few,
        "not_fit": not is_too_few and _is_unfit(split, objective.name, value),
        "few_items": not is_too_few and split.num_items < FEW_ITEMS,
        "few_of_label": not is_too_few and objective.name.endswith(_MEAN_OF_LABELS) and any(map(has_too_few, split.per_class)),
        "wide_interval": ends is not None and ends[1] - ends[0] > limit,
        "validation_only": split.split is not Split.TEST,
        "validation_learned": split.is_learned,
        "many_looks": split.split is Split.TEST and split.num_models >= MANY_LOOKS,
    }
    return [name for name, is_so in found.items() if is_so]


def _wrong(sheet: Sheet, split: SplitReportOut) -> SafeString:
    """Mistakes behind an accuracy; "9 of 60" is understood by everyone."""
    if sheet.metrics[0].name != "accuracy":
        return EMPTY
    num_wrong = round((1 - split.metrics["accuracy"]) * split.num_items)
    return format_html('<p class="note">{}</p>', sheet.text(words("headline.wrong", wrong=num_wrong, total=split.num_items)))


def _interval(split: SplitReportOut, name: str) -> tuple[float, float] | None:
    """The ends; none where a handful of items agree, since an interval without width would be a false certainty."""
    ends = split.intervals.get(name)
    return ends if ends is not None and ends[1] > ends[0] else None


def _is_unfit(split: SplitReportOut, objective: str, value: float) -> bool:
    """Whether a model answers no better than guessing without the items, or finds hardly anything."""
    if objective == "ap50":
        return value < LEAST_AP50
    if objective == "rmse":
        return split.regression is not None and value >= split.regression.truth_std
    if objective != "accuracy" or not split.confusion:
        return False
    return value <= max((each.support for each in split.per_class), default=0) / split.num_items
