"""What a report file and a model card contain about a model and its data besides the figures."""

from __future__ import annotations

import math
from dataclasses import dataclass

from automl.contracts.family import ChoiceParam, FamilySpec, Param
from automl.contracts.words import Words
from engine.models import family_names, family_spec
from studio.registry.document.numbers import bytes_text, duration_text, latency_text, number_text
from studio.registry.document.sheet import Sheet
from studio.registry.lineage import version_sources

words = Words(__file__)


@dataclass(frozen=True)
class Fact:
    """Something with a name."""

    name: str
    text: str
    """As it is read; a dash where nothing is known."""
    value: float | None = None
    """Of a measured one, exactly."""


def model_facts(sheet: Sheet) -> list[Fact]:
    """How the model was trained and what it needs."""
    shown, report, lineage = sheet.shown, sheet.report, sheet.shown.manifest.lineage
    size = report.model_bytes
    return [
        Fact(sheet.text(words("fact.family")), _family_name(sheet)),
        _number(sheet, "members", shown.num_members),
        _measured(sheet, "train_time", report.train_seconds, duration_text(report.train_seconds)),
        _measured(sheet, "latency", report.latency_ms, latency_text(report.latency_ms)),
        _measured(sheet, "model_size", size, bytes_text(size)),
        _number(sheet, "tolerance", shown.tolerance),
        Fact(sheet.text(words("fact.seed")), str(lineage.seed)),
        Fact(sheet.text(words("fact.code")), lineage.code),
        Fact(sheet.text(words("fact.licences")), "; ".join(f"{each.part}: {each.spdx}" for each in shown.licences) or "–"),
        Fact(sheet.text(words("fact.id")), shown.id),
    ]


def data_facts(sheet: Sheet) -> list[Fact]:
    """What the model learned from, and who labelled it."""
    version, trial = sheet.artefact.version, sheet.artefact.trial
    counts: dict[str, int] = version.manifest.get("num_items_by_split", {})
    found = [Fact(sheet.text(words("fact.version")), f"{version.number} ({version.id})")]
    found += [
        Fact(sheet.text(words(f"split.{name}.items")), number_text(count), float(count)) for name, count in counts.items()
    ]
    if trial is not None:
        study = trial.study
        found.append(Fact(sheet.text(words("fact.study")), study.name))
        found.append(Fact(sheet.text(words("fact.trial")), str(trial.number + 1)))
        for key, other in (("teacher", study.teacher), ("start", study.start)):
            if other is not None:
                found.append(Fact(sheet.text(words(f"fact.{key}")), sheet.text(words("model", number=other.number))))
    sources = "; ".join(f"{each.name} ({each.num_items:,})" for each in version_sources(version))
    return [*found, Fact(sheet.text(words("fact.sources")), sources or "–")]


def label_counts(sheet: Sheet) -> list[tuple[str, int]]:
    """Annotations by label; empty where none were counted."""
    counts: dict[str, int] = sheet.artefact.version.manifest.get("num_annotations_by_label", {})
    return list(counts.items())


def settings(sheet: Sheet) -> list[tuple[str, str]]:
    """Names and values of the training parameters, in the words of the family where there is still one."""
    train, family = sheet.shown.manifest.train, _family(sheet)
    known = {param.name: param for param in family.params} if family is not None else {}
    return [_setting(sheet, known.get(name), name, value) for name, value in sorted(train.params.items())]


def _setting(sheet: Sheet, param: Param | None, name: str, value: object) -> tuple[str, str]:
    title = param.choice_titles.get(str(value)) if isinstance(param, ChoiceParam) else None
    if title is None and isinstance(value, bool):
        title = words("value.yes") if value else words("value.no")
    return (
        sheet.text(param.title) if param is not None else name,
        sheet.text(title) if title is not None else f"{value:.4g}" if isinstance(value, float) else str(value),
    )


def _family_name(sheet: Sheet) -> str:
    shown, family = sheet.shown, _family(sheet)
    if family is None:
        return f"{shown.family} · {shown.size}"
    sizes = {size.name: size.title for size in family.sizes}
    return f"{sheet.text(family.title)} · {sheet.text(sizes[shown.size]) if shown.size in sizes else shown.size}"


def _family(sheet: Sheet) -> FamilySpec | None:
    """None of a model whose family is no more."""
    return family_spec(sheet.shown.family) if sheet.shown.family in family_names() else None


def _measured(sheet: Sheet, key: str, value: float | None, text: str) -> Fact:
    is_known = value is not None and math.isfinite(value)
    return Fact(sheet.text(words(f"fact.{key}")), text if is_known else "–", value if is_known else None)


def _number(sheet: Sheet, key: str, value: float) -> Fact:
    return _measured(sheet, key, value, number_text(value))
