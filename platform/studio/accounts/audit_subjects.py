"""What rows of the audit trail are about, in words: the thing by its kind and name, and the rest of the detail as facts.

Things are found by the prefix of their ids, whichever app has them; what is gone keeps its id for a name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

from django.apps import apps
from django.db import models

from automl.contracts.base import Text
from automl.contracts.words import Words
from engine.tasks import task_names, task_spec
from exporters.build import target_find, target_names
from studio.accounts.audit_words import ROLE_NAMES, named_in, row_sentence
from studio.accounts.models import AuditRow
from studio.accounts.quotas import NAMES as QUOTA_NAMES

words = Words(__file__)

_ID = re.compile(r"([a-z]{3})_[0-9a-z]{20,}")
_SHOWN = 5
"""Entries of a list that are shown."""
_CHARS = 200
_KINDS: Mapping[str, str] = {
    "usr": "name",
    "wsp": "name",
    "key": "name",
    "inv": "email",
    "prj": "name",
    "dst": "project__name",
    "dsv": "number",
    "upl": "name",
    "itm": "name",
    "job": "title",
    "stu": "name",
    "art": "number",
    "dep": "name",
    "dvc": "name",
    "exp": "target",
    "cmp": "title",
    "cmt": "text",
}
"""Prefix of an id -> the column that names such things."""
LABELS: Mapping[str, Text] = {key: words(f"detail.{key}") for key in words.below("detail")}
"""By the key of a detail, before it the first word of the actions where it means something of its own: ``study.strategy``."""
_NAMED: Mapping[str, Text] = {name: words(f"named.{name}") for name in words.below("named")}
"""What stored values are called, by key of the detail and value, likewise: ``split.train``, ``items.kind.split``."""
_FIELDS: Mapping[str, Text] = {key: words(f"field.{key}") for key in words.below("field")}
"""Names of the fields of what a fact lists, such as changed columns."""
_FIELD_VALUES: Mapping[str, Mapping[str, Text]] = {
    "kind": {key: words(f"column_kind.{key}") for key in words.below("column_kind")},
    "role": {key: words(f"column_role.{key}") for key in words.below("column_role")},
    "scope": {key: words(f"coverage_scope.{key}") for key in words.below("coverage_scope")},
}
_VALUES = {**ROLE_NAMES, **{quota.value: name for quota, name in QUOTA_NAMES.items()}}


@dataclass(frozen=True)
class Fact:
    """One fact of the detail."""

    label: Text
    value: Text


@dataclass(frozen=True)
class AuditSubject:
    """What a row is about, beside its sentence."""

    thing: Text | None
    """Kind and name; None where the row is about its workspace, the sentence names it, or nobody knows the kind."""
    facts: list[Fact]


def rows_about(rows: Collection[AuditRow]) -> dict[str, AuditSubject]:
    """By the id of the row."""
    found = _names({each for row in rows for each in _ids([row.subject, row.detail])})
    return {row.id: AuditSubject(_thing(row, found), _facts(row, found)) for row in rows}


def project_names(ids: Collection[str]) -> dict[str, str]:
    """By id, the deleted ones too; those that are gone for good are left out."""
    projects = next(model for model in apps.get_models() if _prefix(model) == "prj")
    return dict(projects._base_manager.filter(pk__in=ids).values_list("pk", _KINDS["prj"])) if ids else {}


def _thing(row: AuditRow, names: Mapping[str, Text]) -> Text | None:
    if row.subject[:3] not in _KINDS or row.subject.startswith("wsp_") or row.subject == row.actor_id:
        return None
    name = names.get(row.subject, Text.same(row.subject))
    if name.en.strip("“”") in row_sentence(row).en:
        return None  # the sentence names it
    return words(f"thing.{row.subject[:3]}", name=name)


def _facts(row: AuditRow, names: Mapping[str, Text]) -> list[Fact]:
    named = named_in(row.action)
    about = row.action.partition(".")[0]
    details = (
        (key, value)
        for key, value in row.detail.items()
        # An id that nothing is known of tells people nothing.
        if key not in named and value not in ("", [], {}) and (key != "id" or str(value) in names)
    )
    return [
        Fact(_label(key, about), _named_value(about, key, value) or _field_text(key, value, names)) for key, value in details
    ]


def _label(key: str, about: str) -> Text:
    return LABELS.get(f"{about}.{key}") or LABELS.get(key) or Text.same(key.replace("_", " ").capitalize())


def _named_value(about: str, key: str, value: Any) -> Text | None:  # noqa: ANN401 - JSON
    if not isinstance(value, str):
        return None
    return _NAMED.get(f"{about}.{key}.{value}") or _NAMED.get(f"{key}.{value}")


def _field_text(key: str, value: Any, names: Mapping[str, Text]) -> Text:  # noqa: ANN401 - JSON
    if key == "task" and value in task_names():
        return task_spec(value).title
    if key == "target" and value in target_names():
        return target_find(value).spec.title
    if key.endswith("_at") and isinstance(value, str):
        return Text.same(value[:16].replace("T", " ") + " UTC")
    return _value(value, names)


def _value(value: Any, names: Mapping[str, Text]) -> Text:  # noqa: ANN401 - JSON
    if value in (None, [], {}):
        return words("value.none")
    if isinstance(value, bool):
        return words("value.yes" if value else "value.no")
    if isinstance(value, list):
        shown = [_value(each, names) for each in value[:_SHOWN]]
        more = [Text.same("…")] if len(value) > _SHOWN else []
        return _joined("list", shown + more)
    if isinstance(value, dict):
        places = {key: place for place, key in enumerate(_FIELDS)}  # PostgreSQL stores keys in an order of its own
        ordered = sorted(value.items(), key=lambda pair: places.get(str(pair[0]), len(places)))
        pairs = [_pair(str(key), each, names) for key, each in ordered[:_SHOWN]]
        return _joined("pairs", [words("pair", label=label, value=each) for label, each in pairs])
    text = str(value)
    return names.get(text) or _VALUES.get(text) or Text.same(text if len(text) <= _CHARS else f"{text[:_CHARS]}…")


def _pair(key: str, value: Any, names: Mapping[str, Text]) -> tuple[Text, Text]:  # noqa: ANN401 - JSON
    named = _FIELD_VALUES.get(key, {}).get(value) or _NAMED.get(f"{key}.{value}") if isinstance(value, str) else None
    return _FIELDS.get(key) or LABELS.get(key) or Text.same(key.replace("_", " ")), named or _value(value, names)


def _joined(how: str, texts: Iterable[Text]) -> Text:
    return reduce(lambda before, after: words(f"join.{how}", before=before, after=after), texts)


def _ids(values: Iterable[Any]) -> set[str]:
    """Ids anywhere within JSON."""
    return {match[0] for match in _ID.finditer(json.dumps(list(values)))}


def _names(ids: Collection[str]) -> dict[str, Text]:
    """Names of the things among these ids, by one statement a table."""
    tables = {_prefix(model): model for model in apps.get_models()}
    named: dict[str, Text] = {}
    for prefix in {each[:3] for each in ids} & _KINDS.keys() & tables.keys():
        of_kind = [each for each in ids if each.startswith(f"{prefix}_")]
        column = _KINDS[prefix]
        rows = tables[prefix]._base_manager.filter(pk__in=of_kind).values_list("pk", column)
        named |= {str(key): _named(value) for key, value in rows if value not in (None, "")}
    return named


def _prefix(model: type[models.Model]) -> str:
    prefix = getattr(model, "ID_PREFIX", None)
    return prefix if prefix is not None else "dsv" if model._meta.label == "datasets.DatasetVersion" else ""


def _named(value: Any) -> Text:  # noqa: ANN401 - a column of text, a number, or a text in both languages
    if isinstance(value, dict):
        return Text.model_validate(value)
    if value in target_names():
        return target_find(value).spec.title
    text = f"{value}" if isinstance(value, int) else f"“{str(value)[:80]}”"
    return Text.same(text)
