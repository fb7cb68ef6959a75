"""EasyDL's data-set API: each of its data sets is a project here, known by a number that is cut from its data set's id.

What the platform has a task for is taken: pictures with classes, pictures with boxes, texts with classes.
"""

from __future__ import annotations

import binascii
import uuid
from base64 import b64decode
from io import BytesIO
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.urls import path, re_path
from pydantic import ValidationError

from automl.contracts.annotation import Annotation, Annotations, Box, ClassLabel, label_of
from labeling.services import annotation_save
from studio.accounts.access import allow, principal_of, require
from studio.accounts.rates import Rate, rate_check
from studio.common.ids import id_number, ids_of_number
from studio.datasets.items.http import dataset_for
from studio.datasets.items.label_set import labels_extend, takes_several
from studio.datasets.items.selectors import label_counts
from studio.datasets.models import Dataset, Item, LabelSource
from studio.datasets.uploads.batch import BatchFile, batch_ingest
from studio.deployments.easydl import (
    BASE64_INVALID,
    INVALID_ARGUMENT,
    UNREADABLE,
    EasyDLError,
    Fields,
    easydl_endpoint,
    nothing_page,
)
from studio.projects.models import Project
from studio.projects.selectors import project_list
from studio.projects.services import project_create, project_delete

TASKS = {
    "IMAGE_CLASSIFICATION": "image_classification",
    "OBJECT_DETECTION": "object_detection",
    "TEXT_CLASSIFICATION": "text_classification",
}
MOST = 100
"""Of a page."""
NAME_LENGTH = 100
MOST_DIGITS = 18


def dataset_create(request: HttpRequest, fields: Fields) -> Fields:
    """``create``: a project with its data set."""
    task, name = _task(fields), _text(fields, "dataset_name", NAME_LENGTH)
    (workspace_id,) = principal_of(request).memberships  # a key has one
    workspace = require(request, "project.write", workspace_id)
    project = project_create(workspace=workspace, name=name, task=task, actor=principal_of(request))
    return {"dataset_id": id_number(Dataset.objects.get(project=project).id)}


def dataset_list(request: HttpRequest, fields: Fields) -> Fields:
    """``list``: data sets of a type, newest first."""
    task, (start, num) = _task(fields), _page(fields)
    actor = principal_of(request)
    projects = project_list(actor.sight_of("project.read")).filter(task=task)
    rows = Dataset.objects.filter(project__in=projects).select_related("project").order_by("-id")
    results = [
        {"dataset_id": id_number(row.id), "dataset_name": row.project.name, "type": fields["type"], "status": "normal"}
        for row in rows[start : start + num]
    ]
    return {"total_num": rows.count(), "results": results}


def dataset_delete(request: HttpRequest, fields: Fields) -> Fields:
    """``delete``: takes the project out of sight; people can restore it."""
    dataset = _dataset(request, fields, "data.write")
    allow(request, "project.write", dataset.project.workspace_id, project=dataset.project_id)
    project_delete(project=dataset.project, actor=principal_of(request))
    return {}


def label_list(request: HttpRequest, fields: Fields) -> Fields:
    """``label/list``: the labels with how many items carry each."""
    start, num = _page(fields)
    counts = list(label_counts(_dataset(request, fields, "data.read")).items())
    results = [
        {"label_id": place, "label_name": name, "entity_count": count}
        for place, (name, count) in enumerate(counts[start : start + num], start + 1)
    ]
    return {"total_num": len(counts), "results": results}


def entity_add(request: HttpRequest, fields: Fields) -> Fields:
    """``addentity``: an item with its annotations; ``appendLabel`` keeps those that the same item had before."""
    dataset = _dataset(request, fields, "data.write")
    project = dataset.project
    annotations = _labels(fields, project)
    rate_check(request, Rate.UPLOADS)
    name, content = _entity(fields)
    files = [BatchFile(name, _Bytes(content))]
    _, (result,) = batch_ingest(dataset=dataset, actor=principal_of(request), files=files, labels=LabelSource.NONE)
    if result.item is None:
        raise EasyDLError(UNREADABLE, f"{name} cannot be read: {result.code}.")
    if annotations:
        allow(request, "label.write", project.workspace_id, project=project.id)
        _annotate(request, result.item, project, annotations, is_added=fields.get("appendLabel") is True)
    return {"entity_id": result.item}


class _Bytes(BytesIO):
    """Bytes as an uploaded file."""

    @property
    def size(self) -> int:
        return len(self.getbuffer())


def _annotate(
    request: HttpRequest, item_id: str, project: Project, annotations: tuple[Annotation, ...], *, is_added: bool
) -> None:
    labels_extend(project=project, names=[label_of(one) or "" for one in annotations])
    with transaction.atomic():
        item = Item.objects.select_for_update().get(id=item_id)
        item.dataset = Dataset.objects.select_related("project").get(id=item.dataset_id)
        if is_added and item.annotations:
            before = tuple(Annotations.validate_python(item.annotations))
            annotations = (*before, *(one for one in annotations if one not in before))
        annotation_save(
            item=item,
            annotations=annotations if takes_several(project) or not annotations[-1].is_of_whole_item else annotations[-1:],
            revision=item.revision,
            operation=str(uuid.uuid4()),
            actor=principal_of(request),
        )


def _task(fields: Fields) -> str:
    task = TASKS.get(str(fields.get("type")))
    if task is None:
        raise EasyDLError(INVALID_ARGUMENT, f"type must be one of {', '.join(TASKS)}, not {fields.get('type')!r}."[:300])
    return task


def _dataset(request: HttpRequest, fields: Fields, action: Any) -> Dataset:  # noqa: ANN401 - an ``Action``
    task, dataset = _task(fields), dataset_for(request, action, _dataset_id(request, fields))
    if dataset.project.task != task:
        raise EasyDLError(INVALID_ARGUMENT, f"The data set is of another type: its task is {dataset.project.task}.")
    return dataset


def _dataset_id(request: HttpRequest, fields: Fields) -> str:
    """The id of the data set that the number stands for; an id of the platform's own stands for itself."""
    given = str(fields.get("dataset_id", ""))
    if not given.isascii() or not given.isdecimal() or len(given) > MOST_DIGITS:
        return given
    first, end = ids_of_number(Dataset.ID_PREFIX, int(given))
    mine = Dataset.objects.filter(principal_of(request).sight.of("project"))
    return mine.filter(id__gte=first, id__lt=end).values_list("id", flat=True).first() or given


def _page(fields: Fields) -> tuple[int, int]:
    found = []
    for name, default, most in (("start", 0, 10**9), ("num", 20, MOST)):
        value = fields.get(name, default)
        if type(value) is not int or not 0 <= value <= most:
            raise EasyDLError(INVALID_ARGUMENT, f"{name} must be a whole number from 0 to {most}.")
        found.append(value)
    return found[0], found[1]


def _text(fields: Fields, name: str, most: int) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not 0 < len(value.strip()) <= most:
        raise EasyDLError(INVALID_ARGUMENT, f"{name} must be a text of 1 to {most} characters.")
    return value


def _entity(fields: Fields) -> tuple[str, bytes]:
    """Name and bytes of an item: of a text its words as they are, of a picture base64."""
    name, content = _text(fields, "entity_name", 200), fields.get("entity_content")
    if not isinstance(content, str) or not content:
        raise EasyDLError(INVALID_ARGUMENT, "entity_content must be a text that is not empty.")
    if fields["type"] == "TEXT_CLASSIFICATION":
        return (name if name.endswith(".txt") else f"{name}.txt"), content.encode("utf-8", "replace")
    try:
        return name, b64decode("".join(content.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise EasyDLError(BASE64_INVALID, f"entity_content is not base64: {error}.") from error


def _labels(fields: Fields, project: Project) -> tuple[Annotation, ...]:
    given = fields.get("labels") or []
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise EasyDLError(INVALID_ARGUMENT, "labels must be a list of objects with label_name.")
    is_box = fields["type"] == "OBJECT_DETECTION"
    if len(given) > 1 and not is_box and not takes_several(project):
        raise EasyDLError(INVALID_ARGUMENT, "An item of this data set carries one label.")
    try:
        return tuple(_label(one, is_box=is_box) for one in given)
    except (KeyError, ValidationError) as error:
        reason = f"{error.errors()[0]['msg']}" if isinstance(error, ValidationError) else f"{error} is missing"
        raise EasyDLError(INVALID_ARGUMENT, f"A label cannot be read: {reason}.") from error


def _label(one: dict[str, Any], *, is_box: bool) -> Annotation:
    if not is_box:
        return ClassLabel(label=one["label_name"])
    return Box(label=one["label_name"], x=one["left"], y=one["top"], width=one["width"], height=one["height"])


urlpatterns = [
    path("rpc/2.0/easydl/dataset/create", easydl_endpoint(dataset_create)),
    path("rpc/2.0/easydl/dataset/list", easydl_endpoint(dataset_list)),
    path("rpc/2.0/easydl/dataset/delete", easydl_endpoint(dataset_delete)),
    path("rpc/2.0/easydl/dataset/addentity", easydl_endpoint(entity_add)),
    path("rpc/2.0/easydl/label/list", easydl_endpoint(label_list)),
    re_path(r"^rpc/2\.0/", nothing_page),
]
