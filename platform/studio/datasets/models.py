"""Tables of the data sets: what was uploaded, what became of it, its current annotations, and the versions cut from it.

The current annotations stand on the item itself, since listing, filtering and cutting a version need nothing else; who changed
them when is the labelling app's history. Deleting an item sets a time and never touches a blob: versions may use it.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from automl.contracts.dataset import Split
from studio.common.blob_fields import BlobField
from studio.common.models import ID_LENGTH, Base

_ALIVE = Q(deleted_at__isnull=True)


class ItemState(models.TextChoices):
    """Whether somebody has annotated an item. An item without any object can be annotated, too."""

    UNLABELLED = "unlabelled"
    ANNOTATED = "annotated"


class SplitSource(models.TextChoices):
    """Who chose an item's split, where it was not the hash of its group."""

    IMPORT = "import"
    """The files that it came with."""
    PERSON = "person"
    CARVED = "carved"
    """Nobody: the files call it training and name nothing for validation, so the hash set it aside."""
    STRATIFIED = "stratified"
    """Nobody: its label needed it in another split than the hash gives (``stratify``)."""
    RULE = "rule"
    """Nobody for this item: by the rule that a person chose for all (``split_rule``)."""


class UploadKind(models.TextChoices):
    """What a client announces; the bytes decide what it is."""

    FILE = "file"
    ARCHIVE = "archive"
    LABELS_CSV = "labels_csv"
    BATCH = "batch"
    """Many small files in one request."""
    FEEDBACK = "feedback"
    """Inputs that a deployed model was unsure of."""
    PREDICT = "predict"
    """What a batch prediction is to read: it brings the dataset nothing."""


class UploadState(models.TextChoices):
    """The state of an upload. Moves: receiving -> ingesting -> done or failed; failed -> ingesting by a new finish."""

    RECEIVING = "receiving"
    INGESTING = "ingesting"
    DONE = "done"
    FAILED = "failed"


class LabelSource(models.TextChoices):
    """Where an upload's labels come from, besides the label formats by their names (``label_files.label_sources``)."""

    AUTO = "auto"
    """The format is to be recognised."""
    FOLDER = "folder"
    CSV = "csv"
    NONE = "none"


class Dataset(Base):
    """The items of a project."""

    ID_PREFIX = "dst"

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=200)
    validation_fraction = models.FloatField(default=0.15)
    test_fraction = models.FloatField(default=0.15)
    split_rule = models.JSONField(null=True)
    """``versions.split_rule.SplitRule``; None: labels decide."""
    base = models.ForeignKey("DatasetVersion", null=True, on_delete=models.SET_NULL, related_name="+")
    """The version that the working state follows: the parent of the next one. None: nothing was cut or restored yet."""
    branch = models.CharField(max_length=64, default="main")
    """The branch that the next version is cut on."""
    columns = models.JSONField(null=True)
    """Of a table: ``automl.contracts.table.TableSchema``; None while no rows have come, and of what is no table."""
    columns_revision = models.PositiveIntegerField(default=0)
    """Counts the changes of the columns."""

    class Meta:
        indexes = [models.Index(fields=["project", "id"], name="dataset_project")]


class Upload(Base):
    """Bytes on their way in, and what became of them."""

    ID_PREFIX = "upl"

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="+")
    created_by = models.CharField(max_length=ID_LENGTH)
    """Id of the person or key that sent it."""
    name = models.CharField(max_length=512)
    kind = models.CharField(max_length=16, choices=UploadKind.choices)
    state = models.CharField(max_length=16, choices=UploadState.choices, default=UploadState.RECEIVING)
    size_bytes = models.BigIntegerField()
    received_bytes = models.BigIntegerField(default=0)
    touched_at = models.DateTimeField(default=timezone.now)
    """When it was announced, or its latest part came."""
    sha256 = models.CharField(max_length=64, blank=True)
    """What the client says the whole hashes to; empty when it does not say."""
    blob = BlobField(blank=True, holds=~Q(state=UploadState.DONE))
    """Where the bytes lie once all have come; an upload that has been read needs them no more."""
    relative_path = models.CharField(max_length=512, blank=True)
    label = models.CharField(max_length=256, blank=True)
    labels = models.CharField(max_length=16, default=LabelSource.NONE)
    """One of ``label_files.label_sources``: formats are found by listing, so the column has no fixed choices."""
    job = models.ForeignKey("jobs.Job", null=True, on_delete=models.SET_NULL, related_name="+")
    batch_marks = models.JSONField(default=list, blank=True)
    """Of one of batches: ``[place, moment in milliseconds]`` of those written last (``items.upload_order``)."""
    table_options = models.JSONField(default=dict, blank=True)
    """How a person says that its tables are read: ``files.table_options.TableOptions``, what is not said left out."""
    num_items = models.PositiveIntegerField(default=0)
    """New items. Not countable later: items may be deleted."""
    num_duplicates = models.PositiveIntegerField(default=0)
    num_labelled = models.PositiveIntegerField(default=0)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["dataset", "id"], name="upload_dataset")]


class Reject(models.Model):
    """A file or row that did not become an item."""

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="rejects")
    name = models.CharField(max_length=1024)
    code = models.CharField(max_length=64)
    """A key of ``reasons.REASONS``."""

    class Meta:
        indexes = [models.Index(fields=["upload", "id"], name="reject_upload")]


class Item(Base):
    """One picture, text or row of a dataset, and its current annotations."""

    ID_PREFIX = "itm"

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="+")
    upload = models.ForeignKey(Upload, null=True, on_delete=models.SET_NULL, related_name="+")
    """Where it came from first."""
    name = models.CharField(max_length=512)
    blob = BlobField(within="dataset", holds=~Q(format="row"))
    """No row is ever removed while its project is there, so this holds what versions name as well. A row of a table stands in
    ``text``: its hash names nothing in the store."""
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    format = models.CharField(max_length=16)
    size_bytes = models.BigIntegerField()
    text = models.TextField(null=True)
    """What the blob of a text says, to be shown and searched; of a row its canonical JSON, which nothing else keeps, since its
    blob is a hash and no more. None of a picture, whose sides are not 0."""
    group = models.CharField(max_length=128)
    split = models.CharField(max_length=16, choices=[(split.value, split.value) for split in Split])
    split_by = models.CharField(max_length=16, choices=SplitSource.choices, null=True)
    """None: the hash of its group, by the dataset's shares."""
    deleted_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=16, choices=ItemState.choices, default=ItemState.UNLABELLED)
    annotations = models.JSONField(null=True)
    """None while unlabelled; else a list that ``automl.contracts.annotation.Annotations`` reads."""
    revision = models.PositiveIntegerField(default=0)
    """Counts the changes of the annotations."""
    annotated_at = models.DateTimeField(null=True)
    provenance = models.CharField(max_length=64, blank=True)
    """Where the annotations come from: ``person:usr_...``, ``import:upl_...``, ``key:key_...`` or ``model:art_...``."""
    metadata = models.JSONField(default=dict)
    """What came along with the item, name -> text or number: camera, batch, site. ``ItemFact`` finds items by it."""
    quarantine = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    """Set on a deleted item that was put aside rather than thrown away: the id of the action that did so."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["dataset", "blob"], name="item_one_per_blob"),
            models.CheckConstraint(
                name="item_state_says_annotated",
                condition=Q(state="annotated", annotated_at__isnull=False) | Q(state="unlabelled", annotated_at__isnull=True),
            ),
        ]
        indexes = [
            models.Index(fields=["dataset", "id"], name="item_page", condition=_ALIVE),
            # The columns behind the id let counts read the index alone; SQLite wants the condition's column in it too.
            models.Index(
                fields=["dataset", "state", "id", "deleted_at", "size_bytes"], name="item_state_page", condition=_ALIVE
            ),
            models.Index(fields=["dataset", "split", "id", "deleted_at"], name="item_split_page", condition=_ALIVE),
            models.Index(fields=["dataset", "provenance", "id", "deleted_at"], name="item_by_page", condition=_ALIVE),
            models.Index(fields=["dataset", "quarantine", "id"], name="item_quarantine_page", condition=~Q(quarantine="")),
            models.Index(fields=["dataset", "id", "quarantine"], name="item_gone_page", condition=~_ALIVE),
            models.Index(
                fields=["dataset", "annotated_at", "deleted_at"],
                name="item_annotated_at",
                condition=_ALIVE & Q(annotated_at__isnull=False),
            ),
        ]


class RowRevision(models.Model):
    """What a row of a table held before somebody changed its cells: its history, and what undoing brings back."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="row_revisions")
    blob = models.CharField(max_length=64)
    text = models.TextField()
    """Canonical JSON of the row as it was."""
    changed_by = models.CharField(max_length=64)
    """Provenance of whoever changed it then."""
    changed_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["item", "id"], name="row_revision_item")]


class ItemLabel(models.Model):
    """Index of labels: which living items carry which label. Written by ``annotations`` alone and can be rebuilt from items."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="+")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="+")
    label = models.CharField(max_length=256)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "label"], name="item_label_once")]
        indexes = [models.Index(fields=["dataset", "label", "item"], name="item_label_page")]


class ItemFact(models.Model):
    """Index of metadata: which items carry which value. Can be rebuilt from ``Item.metadata``."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="+")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=64)
    value = models.CharField(max_length=256)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "name"], name="item_fact_once")]
        indexes = [models.Index(fields=["dataset", "name", "value", "item"], name="item_fact_page")]


class ItemFlag(models.Model):
    """Something that the quality report found on an item. A person may dismiss it; the next report keeps that."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="+")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=32)
    """Name of the finding, e.g. ``near_duplicate``, ``blurred``, ``wrong_label``."""
    severity = models.FloatField()
    """0 (hardly) .. 1 (certainly): the order in which findings of a kind are shown."""
    detail = models.JSONField(default=dict)
    """What the finding says: the other item, the label suggested, the value measured."""
    created_at = models.DateTimeField()
    dismissed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "kind"], name="item_flag_once")]
        indexes = [
            models.Index(fields=["dataset", "kind", "item"], name="item_flag_page", condition=Q(dismissed_at__isnull=True))
        ]


class CountChange(models.Model):
    """How a count of a dataset changed. A count is the sum of its changes; old ones are folded into one row now and then.

    Written by the database's own triggers (migration 0004), so no writer can forget it. Adding rows instead of raising one
    keeps people who label at the same moment from waiting for each other.
    """

    # Deleting a dataset's rows counts them down after its counts have gone: those last rows point nowhere.
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    facet = models.CharField(max_length=16)
    """What is counted by: a member of ``counts.Facet``."""
    value = models.CharField(max_length=256)
    change = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["dataset", "facet", "value"], name="count_change_sum")]


class BulkKind(models.TextChoices):
    """What a bulk change does to each item."""

    LABEL = "label"
    QUARANTINE = "quarantine"
    """Put aside: out of the dataset, and listed."""
    DELETE = "delete"
    RESTORE = "restore"
    SPLIT = "split"
    METADATA = "metadata"


class BulkState(models.TextChoices):
    """The state of a bulk change. Moves: running -> done or stopped; both -> undoing -> undone."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    """Cancelled or failed on the way; what was done so far stays and can be undone."""
    UNDOING = "undoing"
    UNDONE = "undone"


class BulkChange(Base):
    """One action on many items: what was chosen, what is done to each, how far it is. Can be undone as a whole."""

    ID_PREFIX = "blk"

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="+")
    created_by = models.JSONField()
    """Kind, id and name of the principal."""
    kind = models.CharField(max_length=16, choices=BulkKind.choices)
    change = models.JSONField()
    """The values of the kind: annotations, split or metadata."""
    filter = models.JSONField(null=True)
    """``filters.ItemFilter``; None when the items were named one by one."""
    until = models.CharField(max_length=ID_LENGTH, blank=True)
    """The last item there was when the action was ordered: later ones are not touched."""
    position = models.CharField(max_length=ID_LENGTH, blank=True)
    """The last item that was looked at; a job that crashed goes on behind it."""
    num_expected = models.PositiveIntegerField(default=0)
    num_items = models.PositiveIntegerField(default=0)
    num_undone = models.PositiveIntegerField(default=0)
    """Fewer than ``num_items`` when somebody changed some of them since."""
    state = models.CharField(max_length=16, choices=BulkState.choices, default=BulkState.RUNNING)
    job = models.ForeignKey("jobs.Job", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        indexes = [models.Index(fields=["dataset", "id"], name="bulk_change_page")]


class BulkItem(models.Model):
    """An item that a bulk change touched, and what it was like before."""

    change = models.ForeignKey(BulkChange, on_delete=models.CASCADE, related_name="+")
    item = models.CharField(max_length=ID_LENGTH)
    before = models.JSONField(null=True)

    class Meta:
        indexes = [models.Index(fields=["change", "item"], name="bulk_item_walk")]


class DatasetVersion(models.Model):
    """An immutable version. The content lies in the blob store; this row finds it."""

    id = models.CharField(primary_key=True, max_length=30)
    """Content hash: see ``automl.contracts.dataset.version_id``."""
    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()
    parent = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField()
    created_by = models.CharField(max_length=64)
    note = models.CharField(max_length=500, blank=True)
    note_code = models.CharField(max_length=40, blank=True, default="")
    """Of a note that the platform wrote: a code of ``versions.version_note``; empty of one that a person wrote."""
    note_params = models.JSONField(default=dict)
    """Values in the sentence of that code."""
    branch = models.CharField(max_length=64, default="main")
    manifest = models.JSONField()
    """``automl.contracts.dataset.VersionManifest``, the same as in ``version.json``."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="version_number_once")]
