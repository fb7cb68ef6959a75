"""The labels of an upload: which format it is of, what the files say, and what of it the project can take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from automl.contracts.annotation import IGNORED_LABEL, class_labels, label_of, without_classes
from automl.contracts.modality import Modality
from engine.tasks import task_spec
from engine.tasks.shared.overlaps import num_overlapping
from studio.datasets.files.archive import ArchiveKind, Fault, archive_names, archive_walk
from studio.datasets.files.formats import (
    LabelFileProblem,
    LabelFormat,
    ParsedLabels,
    format_detect,
    format_load,
    format_names,
    reading_whole,
)
from studio.datasets.files.table_options import TableOptions
from studio.datasets.items.annotations import ItemAnnotations
from studio.datasets.items.kinds import kind_of
from studio.datasets.items.label_set import takes_several
from studio.datasets.items.outlines import boxed, holds_masks, takes_boxes_alone
from studio.datasets.models import Item, LabelSource, Upload, UploadKind
from studio.datasets.uploads.mask_files import mask_files
from studio.projects.catalog import annotation_schema, overlap_rule
from studio.projects.models import Project

_NAMES = {LabelSource.FOLDER.value: "image_folder", LabelSource.CSV.value: "csv_labels"}
_CONTAINER_FILES = 50
_MANIFESTS = frozenset({"version.json", "__meta__/version", "__meta__/version.json"})
"""What a download carries for the record."""


def label_sources() -> tuple[str, ...]:
    """Where an upload's labels may come from."""
    return (LabelSource.AUTO.value, LabelSource.NONE.value, *_NAMES, *format_names())


@dataclass
class LabelFiles(Mapping[str, bytes]):
    """Label files on disk, by name: memory holds the one that is looked at.

    Args:
        folder: an empty folder; the files are numbered in it, so names cannot lead out.
        options: how a person says that tables are read.
    """

    folder: Path
    options: TableOptions = field(default_factory=TableOptions)
    _numbers: dict[str, int] = field(default_factory=dict)
    _linked: dict[str, Path] = field(default_factory=dict)

    def add(self, name: str, data: bytes) -> None:
        """Keeps a file."""
        number = self._numbers.setdefault(name, len(self._numbers))
        (self.folder / str(number)).write_bytes(data)

    def link(self, name: str, path: Path) -> None:
        """Keeps a file where it lies."""
        self._linked[name] = path

    def path(self, name: str) -> Path:
        """Where a file lies."""
        return self._linked[name] if name in self._linked else self.folder / str(self._numbers[name])

    def only(self, is_needed: Callable[[str], bool]) -> LabelFiles:
        """Some of the files."""
        numbers = {name: number for name, number in self._numbers.items() if is_needed(name)}
        linked = {name: path for name, path in self._linked.items() if is_needed(name)}
        return LabelFiles(self.folder, self.options, numbers, linked)

    def __getitem__(self, name: str) -> bytes:
        return self.path(name).read_bytes()

    def __iter__(self) -> Iterator[str]:
        yield from self._numbers
        yield from self._linked

    def __len__(self) -> int:
        return len(self._numbers) + len(self._linked)


@dataclass(frozen=True)
class Labels:
    """The labels from an upload's label files.

    Args:
        reading: annotations by the names of data files.
        files: names of the label files, which are no data.
        is_for_items: whether the upload holds no data and speaks of items that are there already.
    """

    reading: ParsedLabels = field(default_factory=ParsedLabels)
    files: frozenset[str] = frozenset()
    is_for_items: bool = False


def upload_labels(path: Path, kind: ArchiveKind | None, *, upload: Upload, folder: Path) -> Labels | None:
    """Reads the label files of an upload; None of a file that is none.

    Args:
        path: its bytes.
        kind: of the archive that it is; None of a single file.
        upload: says which format, or ``auto``.
        folder: an empty folder for the label files; needed until ``contents`` are read.
    """
    if kind is None or upload.kind == UploadKind.LABELS_CSV:
        return file_labels(path, upload=upload, folder=folder)
    return archive_labels(path, kind, upload=upload, folder=folder)


def archive_labels(path: Path, kind: ArchiveKind, *, upload: Upload, folder: Path) -> Labels:
    """Reads an archive's label files first: which folder is the root shows only when all names are known.

    Args:
        path: the archive.
        kind: its kind.
        upload: says which format, or ``auto``.
        folder: an empty folder for the label files; needed until ``contents`` are read.
    """
    names = [name for name in archive_names(path, kind) if name not in _MANIFESTS]
    if upload.labels == LabelSource.NONE and not kind_of(upload.dataset.project).looks_within:
        return _without_masks(Labels(files=_MANIFESTS), names)
    return _without_masks(_archive_labels(path, kind, names, upload=upload, folder=folder), names)


def _without_masks(labels: Labels, names: Sequence[str]) -> Labels:
    """The masks of pictures that are there are no pictures of the set, whatever the labels are."""
    masks = mask_files(names) - labels.files
    left_out = [LabelFileProblem(name, "mask_left_out") for name in sorted(masks)]
    reading = replace(labels.reading, complaints=[*labels.reading.complaints, *left_out])
    return replace(labels, reading=reading, files=labels.files | masks) if masks else labels


def _archive_labels(path: Path, kind: ArchiveKind, names: Sequence[str], *, upload: Upload, folder: Path) -> Labels:
    modality = _modality(upload)
    inner = _inner_labels(path, kind, names, upload=upload, folder=folder)
    if inner is not None:
        return inner
    masks = mask_files(names)
    is_plain = upload.labels == LabelSource.NONE
    is_auto = is_plain or upload.labels == LabelSource.AUTO
    forms = [format_load(name) for name in (format_names(modality) if is_auto else [_format_named(upload.labels)])]
    needed = {name for name in names if any(form.is_label_file(name) for form in forms)}
    files = LabelFiles(folder, TableOptions.model_validate(upload.table_options))
    for entry in archive_walk(path, kind, is_needed=needed.__contains__) if needed else ():
        if not isinstance(entry, Fault):
            files.add(entry.name, entry.data)
    if not is_auto:
        return _read(forms[0], names, files, upload)
    found = format_detect(names, files, modality)
    if masks and (found is None or _is_of_masks_alone(format_load(found), upload)):
        names, files = [name for name in names if name not in masks], files.only(lambda name: name not in masks)
        found = format_detect(names, files, modality)
    if found is None:
        data = [name for name in names if name not in files]
        if not data and names:  # a table of labels for items, say, whose names only the items know
            found = format_detect([*names, *_item_names(upload)], files, modality)
        elif files:
            return Labels(ParsedLabels(complaints=[LabelFileProblem(upload.name, "format_unknown")]), files=_MANIFESTS)
    return Labels(files=_MANIFESTS) if found is None else _read(format_load(found), names, files, upload)


def _is_of_masks_alone(form: LabelFormat, upload: Upload) -> bool:
    """Whether a format's pictures of masks say nothing that the project takes."""
    return holds_masks(form.KINDS) and form.KINDS.isdisjoint(annotation_schema(upload.dataset.project).kinds)


def _inner_labels(path: Path, kind: ArchiveKind | None, names: Sequence[str], *, upload: Upload, folder: Path) -> Labels | None:
    """Reads files that hold many items though their names do not say so; None when there are none.

    Only few files are looked into: a folder of texts has many.
    """
    if upload.labels not in {LabelSource.AUTO, LabelSource.NONE, LabelSource.FOLDER}:
        return None
    for form in map(format_load, format_names(_modality(upload))):
        ends = tuple(getattr(form, "CONTAINER_ENDINGS", ()))
        containers = {name for name in names if ends and name.lower().endswith(ends)}
        if not 0 < len(containers) <= _CONTAINER_FILES:
            continue
        files = LabelFiles(folder, TableOptions.model_validate(upload.table_options))
        if kind is None:
            files.link(names[0], path)
        for entry in archive_walk(path, kind, is_needed=containers.__contains__) if kind is not None else ():
            if not isinstance(entry, Fault):
                files.add(entry.name, entry.data)
        if form.detect(names, files):
            return _read(form, names, files, upload, is_needed=containers.__contains__)
    return None


def file_labels(path: Path, *, upload: Upload, folder: Path) -> Labels | None:
    """Reads a label file that comes alone; None when it is none."""
    modality, looks_within = _modality(upload), kind_of(upload.dataset.project).looks_within
    is_table = upload.kind == UploadKind.LABELS_CSV
    if upload.labels == LabelSource.NONE and not is_table and not looks_within:
        return None
    name = upload.relative_path or upload.name
    inner = _inner_labels(path, None, [name], upload=upload, folder=folder)
    if inner is not None:
        return inner
    explicit = upload.labels not in {LabelSource.AUTO, LabelSource.NONE, LabelSource.FOLDER}
    if not is_table and not any(format_load(form).is_label_file(name) for form in format_names(modality)):
        return None
    files = LabelFiles(folder, TableOptions.model_validate(upload.table_options))
    files.link(name, path)
    found = _format_named(upload.labels) if explicit else None
    if found is None and looks_within:  # a file that holds the items says so by itself
        found = format_detect([name], files, modality)
    if found is None:
        found = format_detect([name, *_item_names(upload)], files, modality)
    if found is None and not is_table:
        return None
    return _read(format_load(found or "csv_labels"), [name], files, upload)


def _modality(upload: Upload) -> Modality:
    return task_spec(upload.dataset.project.task).modality


def _read(
    form: LabelFormat,
    names: Sequence[str],
    files: LabelFiles,
    upload: Upload,
    *,
    is_needed: Callable[[str], bool] | None = None,
) -> Labels:
    label_files, masks = files.only(is_needed or form.is_label_file), mask_files(names)
    data = [name for name in names if name not in label_files and name not in masks]
    is_for_items = not data and bool(label_files)
    reading = reading_whole(form.read(_item_names(upload) if is_for_items else data, label_files))
    if upload.labels == LabelSource.NONE and upload.kind != UploadKind.LABELS_CSV:
        # The texts in the files are read, and not their annotations.
        reading = replace(reading, annotations={}, predictions={}, labels={})
    reading = _overlaps_noted(_boxed(_without_ignored(reading, upload), upload), upload)
    return Labels(reading, frozenset(label_files) | _MANIFESTS, is_for_items=is_for_items)


def _without_ignored(reading: ParsedLabels, upload: Upload) -> ParsedLabels:
    """Masks say of pixels that they do not count; where a project has no such areas, that is no label."""
    if not reading.is_semantic or annotation_schema(upload.dataset.project).has_ignored_areas:
        return reading
    annotations = {
        name: tuple(one for one in each if label_of(one) != IGNORED_LABEL) for name, each in reading.annotations.items()
    }
    return replace(reading, annotations=annotations)


def _boxed(reading: ParsedLabels, upload: Upload) -> ParsedLabels:
    kinds = annotation_schema(upload.dataset.project).kinds
    if not takes_boxes_alone(kinds) or reading.is_semantic:
        return reading
    annotations, num_annotated = boxed(reading.annotations, reading.bounds)
    predictions, num_predicted = boxed(reading.predictions, reading.bounds)
    if not num_annotated + num_predicted:
        return reading
    complaint = LabelFileProblem(f"{upload.name} (× {num_annotated + num_predicted})", "outlines_boxed")
    return replace(reading, annotations=annotations, predictions=predictions, complaints=[*reading.complaints, complaint])


def _overlaps_noted(reading: ParsedLabels, upload: Upload) -> ParsedLabels:
    """Says of how many items areas of different labels overlap, where a pixel has one label, and what counts there."""
    project = upload.dataset.project
    if "order" not in annotation_schema(project).overlap_rules or reading.is_semantic:
        return reading
    count = num_overlapping(reading.annotations.values())
    if not count:
        return reading
    code = "areas_overlap_ordered" if overlap_rule(project) == "order" else "areas_overlap_drawn"
    return replace(reading, complaints=[*reading.complaints, LabelFileProblem(f"{upload.name} (× {count})", code)])


def _item_names(upload: Upload) -> list[str]:
    return list(Item.objects.filter(dataset=upload.dataset_id, deleted_at=None).values_list("name", flat=True))


def _format_named(labels: str) -> str:
    return _NAMES.get(labels, labels)


@dataclass(frozen=True)
class LabelFilter:
    """Which annotations of an upload a project can take: of its task's kinds, with labels that it may have."""

    kinds: frozenset[str]
    takes_several: bool

    @classmethod
    def of(cls, project: Project) -> LabelFilter:
        """The project's."""
        return cls(frozenset(annotation_schema(project).kinds), takes_several(project))

    def allowed(self, annotations: ItemAnnotations, name: str) -> tuple[ItemAnnotations, list[LabelFileProblem]]:
        """The annotations that the project takes, and complaints of the others with their number.

        An item of which all annotations are refused stays unlabelled: it is not empty.
        """
        if not annotations:
            return annotations, []
        refused = Counter(one.kind for one in annotations if one.kind not in self.kinds)
        complaints = [
            LabelFileProblem(f"{name} ({kind} × {count})", "kind_not_allowed") for kind, count in sorted(refused.items())
        ]
        of_kinds = tuple(one for one in annotations if one.kind in self.kinds)
        if len(class_labels(of_kinds)) > 1 and not self.takes_several:
            complaints.append(LabelFileProblem(name, "too_many_labels"))
            of_kinds = without_classes(of_kinds)
        return of_kinds or None, complaints
