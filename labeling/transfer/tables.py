"""Which tables belong to a project, and their rows as JSON: found from the models, so that a new table goes along by itself.

Left out: what is made anew from the rest (counts, the label index, heads of the assistant), leases, records that exist to undo
something (they name items by text, which cannot be checked), and what other apps made of the data (studies, models, jobs).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import Any

import pydantic
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models

from automl.contracts.annotation import Annotations
from automl.contracts.table import TableSchema
from labeling.kinds import labelling_kind_of
from labeling.transfer.errors import ArchiveInvalidError
from labeling.transfer.row_check import row_check
from studio.datasets.items.kinds import kind_of
from studio.datasets.models import UploadState
from studio.projects.models import Project

PART_ROWS = 5_000
"""Rows of one file of a table: a few megabytes."""
PART_BYTES = 32 * 2**20
"""So large a file is ended earlier: whoever reads it holds it in memory."""
APPS = ("datasets", "labeling", "campaigns", "label_changes", "assist", "quality", "comments")
LEFT_OUT = {
    "datasets.countchange",
    "datasets.itemlabel",
    "datasets.bulkchange",
    "datasets.bulkitem",
    "labeling.assignment",
    "campaigns.campaignlease",
    "assist.assist",
    "assist.head",
    "quality.qualityaction",
}
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class _Encoder(json.JSONEncoder):
    """Writes times in full; Django's own encoder would cut them to milliseconds."""

    def default(self, o: object) -> object:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


ENCODER = _Encoder(separators=(",", ":"), ensure_ascii=False)

Model = type[models.Model]
Row = dict[str, Any]


@cache
def project_tables() -> dict[str, Model]:
    """The tables of a project by label, those that others point to first."""
    found = {
        model._meta.label_lower: model
        for model in apps.get_models()
        if model._meta.app_label in APPS and model._meta.label_lower not in LEFT_OUT and path_to_project(model) is not None
    }
    ordered: dict[str, Model] = {}

    def place(label: str, above: tuple[str, ...]) -> None:
        if label in ordered or label in above:
            return
        for field in _keys(found[label]):
            target = field.related_model._meta.label_lower
            if target in found and not field.null:
                place(target, (*above, label))
        ordered[label] = found[label]

    for label in sorted(found):
        place(label, ())
    return ordered


@cache
def path_to_project(model: Model) -> str | None:
    """The lookup from a table to its project, through keys that every row has; None when there is none."""
    paths = [(model, "")]
    for table, path in paths:  # grows while it is walked
        for field in _keys(table):
            if field.null or path.count("__") > 3:
                continue
            lookup = f"{path}{field.name}"
            if field.related_model is Project:
                return lookup
            paths.append((field.related_model, f"{lookup}__"))
    return None


def _keys(model: Model) -> list[Any]:
    return [field for field in model._meta.concrete_fields if field.is_relation]


def rows_out(model: Model, project: Project) -> Iterator[Row]:
    """The rows of a table that belong to a project, oldest first; keys to tables that stay behind are empty."""
    tables = set(project_tables())
    dropped = [field.attname for field in _keys(model) if _label(field) not in tables | {"projects.project"}]
    rows = model._default_manager.filter(**{str(path_to_project(model)): project}).order_by("pk")
    if model._meta.label_lower == "datasets.datasetversion":
        rows = rows.order_by("number")  # parents before their children
    columns = [field.attname for field in model._meta.concrete_fields]
    for row in rows.values(*columns).iterator(chunk_size=2_000):
        row.update(dict.fromkeys(dropped))
        if model._meta.label_lower == "datasets.upload":
            row.update(blob="", received_bytes=row["size_bytes"])  # the bytes themselves stay behind
        yield row


def _label(field: Any) -> str:  # noqa: ANN401 - any kind of foreign key
    return str(field.related_model._meta.label_lower)


def columns_check(columns: object, place: str) -> None:
    """The columns of a table must be some.

    Raises:
        ArchiveInvalidError: they are not.
    """
    try:
        TableSchema.model_validate(columns)
    except pydantic.ValidationError as error:
        raise ArchiveInvalidError(place, "columns_unreadable") from error


class Intake:
    """Makes rows of an archive into rows of the database, and refuses what does not belong together."""

    def __init__(self, project: Project, blobs: Mapping[str, int]) -> None:
        """``blobs``: the files that have come, with their sizes in bytes; it grows meanwhile."""
        self._known: dict[str, dict[Any, Any]] = {"projects.project": {project.id: project.id}}
        self._blobs = blobs
        self._item_kind, self._labelling_kind = kind_of(project), labelling_kind_of(project)
        self.late: list[tuple[Model, Any, str, Any]] = []
        """Keys to rows that come later: model, id, column, value."""

    def rows_in(self, model: Model, rows: list[Row], place: str) -> None:
        """Writes rows.

        Raises:
            ArchiveInvalidError: a row is not whole, or points out of the archive.
        """
        label = model._meta.label_lower
        known = self._known.setdefault(label, {})
        key = model._meta.pk
        assert key is not None
        is_numbered = isinstance(key, models.AutoField | models.BigAutoField)
        made = []
        for row in rows:
            values = self._values(model, row, place)
            old = values[key.attname]
            if is_numbered:
                del values[key.attname]
            elif not isinstance(old, str) or not _ID.fullmatch(old):
                raise ArchiveInvalidError(place, "id_invalid")
            if old in known:
                raise ArchiveInvalidError(place, "id_twice")
            known[old] = old
            made.append((old, model(**values)))
        written = model._default_manager.bulk_create([one for _, one in made], batch_size=500)
        if is_numbered:
            known.update({old: one.pk for (old, _), one in zip(made, written, strict=True)})

    def late_in(self) -> None:
        """Fills in the keys that had to wait.

        Raises:
            ArchiveInvalidError: one points out of the archive.
        """
        for model, key, column, value in self.late:
            target = _label(model._meta.get_field(column))
            if value not in self._known.get(target, {}):
                raise ArchiveInvalidError(model._meta.label, "row_outside")
            model._default_manager.filter(pk=key).update(**{column: self._known[target][value]})

    def ids(self, label: str) -> Mapping[Any, Any]:
        """Ids of the rows of a table that have come."""
        return self._known.get(label, {})

    def _values(self, model: Model, row: Row, place: str) -> Row:
        columns = {field.attname: field for field in model._meta.concrete_fields}
        if not isinstance(row, dict) or set(row) != set(columns):
            raise ArchiveInvalidError(place, "columns_other")
        values = {name: self._value(model, row, field, place) for name, field in columns.items()}
        label = model._meta.label_lower
        if label == "datasets.item":
            self._item_check(values, place)
        elif label == "datasets.upload":
            self._upload_check(values, place)
        elif label == "datasets.rowrevision":
            row_check(values["text"], values["blob"], place)
        elif label == "datasets.dataset" and values["columns"] is not None:
            columns_check(values["columns"], place)
        return values

    def _item_check(self, values: Row, place: str) -> None:
        if values["format"] not in self._item_kind.formats:
            raise ArchiveInvalidError(place, "item_kind")
        self._labelling_kind.archive_item(values, files=self._blobs, place=place)
        # What an item weighs counts against the quota, so it must be true.
        written = len((values["text"] or "").encode("utf-8", "surrogatepass"))
        if values["size_bytes"] != self._blobs.get(values["blob"], written):
            raise ArchiveInvalidError(place, "value_wrong", column="size_bytes")

    def _upload_check(self, values: Row, place: str) -> None:
        """Its bytes stayed behind: it names no file of the store, awaits nothing and is not read again."""
        if values["blob"] or values["size_bytes"] < 0:
            raise ArchiveInvalidError(place, "value_wrong", column="blob" if values["blob"] else "size_bytes")
        if values["state"] != UploadState.FAILED:
            values["state"] = UploadState.DONE
        values["received_bytes"] = values["size_bytes"]

    def _value(self, model: Model, row: Row, field: Any, place: str) -> Any:  # noqa: ANN401 - any column
        value = row[field.attname]
        if value is None and field.null:
            return None
        if field.is_relation:
            target = self._known.get(_label(field), {})
            if value in target:
                return target[value]
            if field.null and _label(field) in project_tables():
                self.late.append((model, row[model._meta.pk.attname], field.attname, value))
                return None
            raise ArchiveInvalidError(place, "row_outside")
        try:
            value = field.to_python(value)
            if not isinstance(field, models.JSONField):
                field.run_validators(value)
            elif field.name == "annotations" and value is not None:
                Annotations.validate_python(value)
        except (ValidationError, ValueError, TypeError) as error:
            raise ArchiveInvalidError(place, "value_unreadable", column=field.attname) from error
        if value is None or (field.choices and value not in dict(field.flatchoices)):
            raise ArchiveInvalidError(place, "value_wrong", column=field.attname)
        return value
