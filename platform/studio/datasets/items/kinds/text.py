"""Texts: kept as UTF-8, so that the same words from any system are one item."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import ClassVar

import pyarrow as pa
from django.db.models import Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from automl.contracts.base import Text
from automl.contracts.dataset import MediaFacts
from automl.contracts.words import Words
from studio.common.blobs import blobs
from studio.datasets.files.text import FORMAT, TextRefusedError, WrittenText, is_table, text_read
from studio.datasets.items.errors import NoThumbnailError
from studio.datasets.items.incoming import THREADS, DecodedFiles, IncomingFile, each, files_fresh, splits_named
from studio.datasets.items.kind import SHOWN_CHARACTERS, ItemPreview, ShardColumn
from studio.datasets.models import Dataset, Item

words = Words(__file__)

_FASTTEXT = b"__label__"
"""How a file begins that holds a text a line."""
_WRITERS = 16
"""Of texts into a remote store: each is small, and the store takes its time for every one of them."""

_WHITE_SPACE = "".join(char for char in map(chr, range(2**16)) if char.isspace())
"""What ``str.strip`` takes away: databases know of less."""


class Texts:
    """See ``ItemKind``."""

    formats: ClassVar[frozenset[str]] = frozenset({FORMAT})
    shard_columns: ClassVar[Sequence[ShardColumn]] = (
        ShardColumn(
            pa.field("num_characters", pa.int32(), nullable=False),
            "length(ltrim(rtrim({text}, %s), %s))",
            (_WHITE_SPACE, _WHITE_SPACE),
        ),
    )
    has_files: ClassVar[bool] = True
    has_thumbnails: ClassVar[bool] = False
    keeps_text: ClassVar[bool] = True
    has_columns: ClassVar[bool] = False
    files_at_once: ClassVar[int] = 1000
    """Texts are small and need no decoding worth the name: what counts is how many rows a transaction has."""
    looks_within: ClassVar[bool] = True
    unread_table: ClassVar[str | None] = "table_without_texts"
    table_form: ClassVar[str] = "text_table"
    table_choices: ClassVar[frozenset[str]] = frozenset({"separator", "encoding", "has_head", "sheet", "columns"})
    job_titles: ClassVar[Mapping[str, Text]] = {
        "embed": words("text.embed"),
        "map": words("text.map"),
    }

    def decode(self, dataset: Dataset, files: Sequence[IncomingFile]) -> DecodedFiles:
        """Texts are decoded first: the hash is of what is kept."""
        read = [_text(one) for one in files]
        hashes = [
            # A refused file may have the hash of a text that is kept: a table's, say, sent once more as a text.
            hashlib.sha256(b"refused" + one.data if isinstance(found, str) else found.data).hexdigest()
            for one, found in zip(files, read, strict=True)
        ]
        first, fresh = files_fresh(dataset, hashes)
        texts = {hashes[index]: found for index in fresh if isinstance(found := read[index], WrittenText)}
        num_threads = _WRITERS if blobs().link_root() is None else THREADS
        each(blobs().put_bytes, [one.data for one in texts.values()], num_threads=num_threads)
        return DecodedFiles(
            hashes=hashes,
            media={blob: found.media for blob, found in texts.items()},
            texts={blob: found.text for blob, found in texts.items()},
            notes={},
            refused={blob: found for blob, found in zip(hashes, read, strict=True) if isinstance(found, str)},
            names={blob: files[index].name for blob, index in first.items()},
            splits=splits_named(files, first),
        )

    def preview(self, item: Item) -> ItemPreview:
        """How long it is, and its beginning."""
        text = item.text or ""
        media = MediaFacts(format=item.format, size_bytes=item.size_bytes, num_characters=len(text.strip()))
        return ItemPreview(media, text=text[:SHOWN_CHARACTERS])

    def response(self, item: Item) -> HttpResponseBase:
        """UTF-8, with headers by which no browser takes it for a page."""
        plain = HttpResponse(item.text, content_type="text/plain; charset=utf-8")
        plain["X-Content-Type-Options"] = "nosniff"
        return plain

    def thumbnail(self, item: Item, *, size_px: int) -> bytes:
        """There is none: a text's beginning stands in the item."""
        raise NoThumbnailError(words("text.no_thumbnail"))

    def matches(self, prefix: str, part: str) -> Q:
        """Condition that the text contains something."""
        return Q(**{f"{prefix}text__icontains": part})


def _text(file: IncomingFile) -> WrittenText | str:
    """Decodes a text; a refusal is its code."""
    try:
        found = text_read(file.data)
    except TextRefusedError as error:
        return "table_among_texts" if error.code == "not_a_text" and is_table(file.name) else error.code
    is_many = is_table(file.name) or file.data.startswith(_FASTTEXT)
    return "table_among_texts" if is_many and not file.is_row else found


KIND = Texts()
