"""The first look at files: which bytes are kept, by which hash, and what is known of them. Nothing is written to the database.

The project's kind decides how bytes are looked at, never a file's name: a picture is kept as it came, a text as UTF-8,
a row as canonical JSON.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from automl.contracts.dataset import MediaFacts, Split
from automl.contracts.task import Modality
from engine.tasks import task_spec
from studio.common.blobs import blobs
from studio.datasets.files.picture import Picture, PictureRefusedError, picture_read
from studio.datasets.files.rows import RowRefusedError, WrittenRow, row_read
from studio.datasets.files.text import TextRefusedError, WrittenText, is_table, is_words, text_read
from studio.datasets.files.thumbnails import thumbnail_keep
from studio.datasets.items.annotations import Said
from studio.datasets.models import Dataset, Item
from studio.projects.models import Project

# Pillow decodes outside the interpreter's lock; more threads than cores only fill memory with decoded pictures.
_THREADS = min(4, os.cpu_count() or 1)
_FASTTEXT = b"__label__"
"""How a file begins that holds a text a line."""
_WRITERS = 16
"""Of texts into a remote store: each is small, and the store takes its time for every one of them."""
_In = TypeVar("_In")
_Out = TypeVar("_Out")


def holds_texts(project: Project) -> bool:
    """Whether the items of a project are texts."""
    return task_spec(project.task).modality is Modality.TEXT


@dataclass(frozen=True)
class Incoming:
    """A file on its way in."""

    name: str
    data: bytes
    said: Said = None
    """Labels that came along; None when none did."""
    split: Split | None = None
    """The split that came along. It counts when the item is made; one that is there never moves."""
    is_relative: bool = False
    """Whether coordinates of ``said`` are fractions of the picture's sides."""
    is_row: bool = False
    """Whether it lay within a file of many, so that its name does not tell what kind of file it is."""


@dataclass(frozen=True)
class Looked:
    """What a look at files found; keyed by the hash of what is kept, or of the file when nothing is."""

    hashes: Sequence[str]
    """Of the files, in their order."""
    media: Mapping[str, MediaFacts]
    """Of those that are no items yet and can become some."""
    texts: Mapping[str, str]
    """What they say, of texts; canonical JSON, of rows."""
    notes: Mapping[str, str]
    """What there is to tell of those that were taken."""
    refused: Mapping[str, str]
    names: Mapping[str, str]
    splits: Mapping[str, Split]
    """Those that came along."""


def items_look(*, dataset: Dataset, files: Sequence[Incoming]) -> Looked:
    """Decodes the files that are not items yet and stores their bytes; slow, so it belongs outside of transactions."""
    match task_spec(dataset.project.task).modality:
        case Modality.TEXT:
            return _texts_look(dataset, files)
        case Modality.TABULAR:
            return _rows_look(dataset, files)
        case _:
            return _pictures_look(dataset, files)


def _pictures_look(dataset: Dataset, files: Sequence[Incoming]) -> Looked:
    hashes = [hashlib.sha256(one.data).hexdigest() for one in files]
    first, fresh = _fresh(dataset, hashes)
    looked = dict(zip(fresh, _each(_picture, [files[index] for index in fresh]), strict=True))
    pictures = {hashes[index]: found for index, found in looked.items() if isinstance(found, Picture)}
    return Looked(
        hashes=hashes,
        media={blob: found.media for blob, found in pictures.items()},
        texts={},
        notes={blob: found.note for blob, found in pictures.items() if found.note is not None},
        refused={hashes[index]: found for index, found in looked.items() if isinstance(found, str)},
        names={blob: files[index].name for blob, index in first.items()},
        splits=_splits(files, first),
    )


def _texts_look(dataset: Dataset, files: Sequence[Incoming]) -> Looked:
    """Texts are decoded first: the hash is of what is kept."""
    read = [_text(one) for one in files]
    hashes = [
        # A refused file may have the hash of a text that is kept: a table's, say, sent once more as a text.
        hashlib.sha256(b"refused" + one.data if isinstance(found, str) else found.data).hexdigest()
        for one, found in zip(files, read, strict=True)
    ]
    first, fresh = _fresh(dataset, hashes)
    texts = {hashes[index]: found for index in fresh if isinstance(found := read[index], WrittenText)}
    num_threads = _WRITERS if blobs().link_root() is None else _THREADS
    _each(blobs().put_bytes, [one.data for one in texts.values()], num_threads=num_threads)
    return Looked(
        hashes=hashes,
        media={blob: found.media for blob, found in texts.items()},
        texts={blob: found.text for blob, found in texts.items()},
        notes={},
        refused={blob: found for blob, found in zip(hashes, read, strict=True) if isinstance(found, str)},
        names={blob: files[index].name for blob, index in first.items()},
        splits=_splits(files, first),
    )


def _rows_look(dataset: Dataset, files: Sequence[Incoming]) -> Looked:
    """Rows that come one by one, as JSON. Nothing is stored: a row stands in its item."""
    read = [_row(one) for one in files]
    hashes = [
        hashlib.sha256(b"refused" + one.data).hexdigest() if isinstance(found, str) else found.blob
        for one, found in zip(files, read, strict=True)
    ]
    first, fresh = _fresh(dataset, hashes)
    rows = {hashes[index]: found for index in fresh if isinstance(found := read[index], WrittenRow)}
    return Looked(
        hashes=hashes,
        media={blob: found.media for blob, found in rows.items()},
        texts={blob: found.text for blob, found in rows.items()},
        notes={},
        refused={blob: found for blob, found in zip(hashes, read, strict=True) if isinstance(found, str)},
        names={blob: files[index].name for blob, index in first.items()},
        splits=_splits(files, first),
    )


def _fresh(dataset: Dataset, hashes: Sequence[str]) -> tuple[dict[str, int], list[int]]:
    """The place of the first file of each hash, and the places of those that are no items yet."""
    known = set(Item.objects.filter(dataset=dataset, blob__in=hashes).values_list("blob", flat=True))
    first = {blob: index for index, blob in reversed(list(enumerate(hashes)))}
    return first, sorted(index for blob, index in first.items() if blob not in known)


def _splits(files: Sequence[Incoming], first: Mapping[str, int]) -> dict[str, Split]:
    return {blob: split for blob, index in first.items() if (split := files[index].split) is not None}


def _picture(file: Incoming) -> Picture | str:
    """Decodes a picture and stores it with its thumbnail; a refusal is its code."""
    try:
        picture = picture_read(file.data)
    except PictureRefusedError as error:
        return "text_among_pictures" if error.code == "not_a_picture" and is_words(file.name) else error.code
    thumbnail_keep(blob=blobs().put_bytes(file.data).sha256, thumbnail=picture.thumbnail)
    return picture


def _text(file: Incoming) -> WrittenText | str:
    """Decodes a text; a refusal is its code."""
    try:
        found = text_read(file.data)
    except TextRefusedError as error:
        return "table_among_texts" if error.code == "not_a_text" and is_table(file.name) else error.code
    is_many = is_table(file.name) or file.data.startswith(_FASTTEXT)
    return "table_among_texts" if is_many and not file.is_row else found


def _row(file: Incoming) -> WrittenRow | str:
    """Reads a row; a refusal is its code."""
    try:
        return row_read(file.data)
    except RowRefusedError as error:
        return "table_in_batch" if error.code == "row_invalid" and is_table(file.name) else error.code


def _each(look: Callable[[_In], _Out], given: Sequence[_In], *, num_threads: int = _THREADS) -> list[_Out]:
    """Does the same to all, a few at a time, in order."""
    if len(given) < 2:
        return [look(one) for one in given]
    with ThreadPoolExecutor(num_threads) as pool:
        return list(pool.map(look, given))
