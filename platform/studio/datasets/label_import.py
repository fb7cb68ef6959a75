"""Labels for items that are there already, from a table ``file,label``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

from django.db import transaction
from django.utils import timezone

from studio.datasets.annotations import CHUNK, Said, Statement, annotations_write, chunks, item_said, labels_named, said_merge
from studio.datasets.formats import Complaint, format_load
from studio.datasets.label_set import labels_extend
from studio.datasets.models import Item, Upload


def labels_import(
    *, upload: Upload, data: bytes, several: bool, complain: Callable[[Complaint], None]
) -> Iterator[tuple[int, int]]:
    """Writes a table's labels onto the dataset's items; yields how many of how many are written.

    Args:
        upload: the table.
        data: its bytes.
        several: whether an item may carry several labels.
        complain: told of rows that cannot be used.
    """
    form = format_load("csv_labels")
    ids: dict[str, list[str]] = defaultdict(list)
    for item, name in Item.objects.filter(dataset=upload.dataset, deleted_at=None).values_list("id", "name").iterator():
        ids[name].append(item)
    reading = form.read(list(ids), {upload.name: data})
    for complaint in reading.complaints:
        complain(complaint)
    wanted: dict[str, Said] = {}
    for name, said in reading.annotations.items():
        if len(ids[name]) > 1:
            complain(Complaint(name, "label_file_ambiguous"))
        elif len(said) > 1 and not several:
            complain(Complaint(name, "too_many_labels"))
        else:
            wanted[ids[name][0]] = said
    done = 0
    for chunk in chunks(wanted, CHUNK):
        done += _write(upload, {item: wanted[item] for item in chunk}, several, complain)
        yield done, len(wanted)


def _write(upload: Upload, wanted: dict[str, Said], several: bool, complain: Callable[[Complaint], None]) -> int:
    source = f"import:{upload.id}"
    statements, num_taken = [], 0
    with transaction.atomic():
        labels_extend(project=upload.dataset.project, names=labels_named(wanted.values()))
        for item in Item.objects.select_for_update().filter(id__in=list(wanted)).order_by("id"):
            now = item_said(item)
            said = said_merge(now=now, new=wanted[item.id], can_add=several and item.provenance in {"", source})
            if said is None:
                complain(Complaint(item.name, "label_kept"))
                continue
            num_taken += 1
            if said != now:
                statements.append(Statement(item, said, source))
        annotations_write(statements=statements, at=timezone.now())
    return num_taken
