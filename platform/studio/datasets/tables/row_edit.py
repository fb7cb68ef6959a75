"""Changes of a row's cells by hand, with its history; versions keep what they hold."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from automl.contracts.table import MAX_COLUMNS
from automl.contracts.words import Words
from studio.accounts.access import Principal
from studio.common.events import event_record
from studio.datasets.files.reasons import REASONS
from studio.datasets.files.rows import RowRefusedError, WrittenRow, row_of, row_serialise
from studio.datasets.models import Item, RowRevision
from studio.datasets.tables.columns import columns_of
from studio.datasets.tables.errors import CellsInvalidError, RowStaleError, RowUnchangedError

words = Words(__file__)

_MAX_TWINS = 1_000


def cells_set(*, item: Item, cells: Mapping[str, str | None], blob: str, actor: Principal) -> Item:
    """Changes some cells of a row; the others, its labels and its split stay.

    Args:
        item: with its dataset and project.
        cells: by column; None or blank empties one.
        blob: of the row as the caller saw it.
        actor: who changes it.

    Raises:
        NoColumnsError: the item is no row.
        CellsInvalidError: a column does not exist or is the target, or nothing or too much would be left.
        RowStaleError: somebody changed the row meanwhile.
    """
    schema = columns_of(item.dataset)
    unknown = sorted(name for name in cells if schema.column(name) is None)
    if unknown:
        raise CellsInvalidError(words("cells.unknown", column=unknown[0]), fields={"cells": unknown[:MAX_COLUMNS]})
    if schema.target is not None and schema.target.name in cells:
        raise CellsInvalidError(
            words("cells.target", column=schema.target.name),
            hint="Annotate the row instead; its cell stays as it came.",
            fields={"cells": [schema.target.name]},
        )
    with transaction.atomic():
        current = _locked(item, blob)
        before = row_of(current.text or "")
        after = {name: cell for name, cell in (dict(before.cells) | dict(cells)).items() if cell is not None}
        return _write(item, current, after, before.copy_number, actor)


def cells_undo(*, item: Item, blob: str, actor: Principal) -> Item:
    """Takes the last change of a row's cells back; once more, and it is as it was before that.

    Raises:
        NoColumnsError: the item is no row.
        RowStaleError: somebody changed the row meanwhile.
        RowUnchangedError: nobody has changed it.
    """
    columns_of(item.dataset)
    with transaction.atomic():
        current = _locked(item, blob)
        last = RowRevision.objects.filter(item=current).order_by("-id").first()
        if last is None:
            raise RowUnchangedError
        before = row_of(last.text)
        return _write(item, current, before.cells, before.copy_number, actor)


def row_history(item: Item) -> list[RowRevision]:
    """What the row held before each change, the latest first, at most a hundred."""
    return list(RowRevision.objects.filter(item=item).order_by("-id")[:100])


def _locked(item: Item, blob: str) -> Item:
    current = Item.objects.select_for_update().get(id=item.id)
    if current.blob != blob:
        raise RowStaleError(blob=current.blob)
    if current.deleted_at is not None:
        raise CellsInvalidError(words("cells.deleted"), hint="Restore it first.")
    return current


def _write(item: Item, current: Item, cells: Mapping[str, str], copy_number: int, actor: Principal) -> Item:
    try:
        row = row_serialise(cells, copy_number)
        if row.blob != current.blob:
            row = _free(current, cells, copy_number)
    except RowRefusedError as error:
        raise CellsInvalidError(REASONS[error.code], fields={"cells": [REASONS[error.code].en]}) from None
    if row.blob == current.blob:
        return _fresh(item)
    who = f"{'person' if actor.kind == 'user' else actor.kind}:{actor.id}"
    RowRevision.objects.create(
        item=current, blob=current.blob, text=current.text or "", changed_by=who, changed_at=timezone.now()
    )
    current.text, current.blob, current.size_bytes = row.text, row.blob, row.size_bytes
    current.save(update_fields=["text", "blob", "size_bytes"])
    project = item.dataset.project
    data = {"num_items": 1, "items": [item.id]}
    event_record(workspace=project.workspace_id, project=project.id, type="item.changed", subject=item.dataset_id, data=data)
    return _fresh(item)


def _free(current: Item, cells: Mapping[str, str], copy_number: int) -> WrittenRow:
    """The row under a number that no equal one has."""
    others = Item.objects.filter(dataset=current.dataset_id).exclude(id=current.id)
    for number in (copy_number, *range(1, _MAX_TWINS)):
        row = row_serialise(cells, number)
        if not others.filter(blob=row.blob).exists():
            return row
    raise CellsInvalidError(words("cells.twins", most=_MAX_TWINS))


def _fresh(item: Item) -> Item:
    return Item.objects.select_related("dataset__project").get(id=item.id)
