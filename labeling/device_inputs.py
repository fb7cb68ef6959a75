"""Inputs that devices send back: each becomes an item, with the prediction of the device's model as a suggestion."""

from __future__ import annotations

from django.db.models import F
from django.utils import timezone
from pydantic import ValidationError

from automl.contracts.annotation import Annotation, Annotations
from labeling.services import suggestion_put
from labeling.validation import usable
from studio.accounts.quotas import Quota, quota_claimed
from studio.common.errors import InvalidInputError
from studio.datasets.items.creation import item_ingest
from studio.datasets.items.incoming import IncomingFile
from studio.datasets.items.label_set import takes_several
from studio.datasets.models import Dataset, Item, ItemState, LabelSource, Upload, UploadKind, UploadState
from studio.devices.hooks import DeviceInput
from studio.projects.catalog import annotation_schema
from studio.projects.models import Project


def device_input_taken(project: Project, sent: DeviceInput) -> bool:
    """Makes it an item to label; returns whether it is a new one. Sent twice, it is the same item.

    Raises:
        InvalidInputError: it cannot be read, or the answer is none of a model.
    """
    dataset = Dataset.objects.select_related("project").get(project=project)
    held = _held(sent, dataset)
    file = IncomingFile(sent.name, sent.data)
    with quota_claimed(project.workspace_id, {Quota.ITEMS: 1, Quota.STORAGE_BYTES: len(sent.data)}):
        upload = _upload_of(dataset, sent)
        (result,) = item_ingest(dataset=dataset, upload=upload, files=[file], takes_several=takes_several(project))
    if result.item is None:
        raise InvalidInputError("The input cannot be read.", fields={"file": [result.code or "unreadable"]})
    item = Item.objects.get(id=result.item)
    if held and item.state == ItemState.UNLABELLED:
        suggestion_put(item=item, annotations=held, provenance=f"model:{sent.artefact}", uncertainty_fraction=sent.uncertainty)
    is_new = result.state == "new"
    counted = "num_items" if is_new else "num_duplicates"
    Upload.objects.filter(id=upload.id).update(**{counted: F(counted) + 1})
    return is_new


def _upload_of(dataset: Dataset, sent: DeviceInput) -> Upload:
    """One a device and day."""
    now = timezone.now()
    upload, _ = Upload.objects.get_or_create(
        dataset=dataset,
        created_by=sent.device,
        name=f"{sent.device_name} {now:%Y-%m-%d}",
        kind=UploadKind.FEEDBACK,
        defaults={"labels": LabelSource.NONE, "size_bytes": 0, "state": UploadState.DONE, "ended_at": now},
    )
    return upload


def _held(sent: DeviceInput, dataset: Dataset) -> list[Annotation]:
    """The model's prediction without labels that the project no longer has."""
    try:
        answered = Annotations.validate_python(sent.held)
    except ValidationError as error:
        raise InvalidInputError("The answer is none of a model.", fields={"about": [str(error)[:300]]}) from error
    return usable(answered, schema=annotation_schema(dataset.project), labels=dataset.project.labels.names)
