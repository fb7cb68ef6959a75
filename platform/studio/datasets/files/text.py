"""Looks at a text once: which letters do its bytes mean, and may it be kept.

A text is kept as UTF-8 with line feeds, whatever it came in: the same words from Windows and from Linux are then one blob and
one item. Guessing the encoding by statistics was decided against: on short texts it is often wrong, and silently so. UTF-8
cannot be mistaken for anything else, UTF-16 says what it is by its mark, and what is left of Chinese files is GB 18030.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from automl.contracts.dataset import MediaFacts

FORMAT = "txt"
"""``Item.format`` of a text."""
MAX_CHARACTERS = 100_000
"""A long chapter; no model here reads a tenth of it."""
_MAX_BYTES = 4 * MAX_CHARACTERS + 4
"""In any of the encodings a character takes at most four bytes; a mark comes before."""
_MARK = "\ufeff"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LINE_ENDS = re.compile(r"\r\n?")
_UNWRITTEN = re.compile("[\0-\x08\x0e-\x1f\x7f]")
"""Control characters that no text has; among the others are tabs, line ends and page breaks."""
_UNASSIGNED = re.compile("[\ue000-\uf8ff]")
"""GB 18030 maps bytes that mean nothing to it to the area for private use, so that nearly any bytes can be decoded."""
_PICTURES = ((0, b"\xff\xd8\xff"), (0, b"\x89PNG"), (0, b"GIF8"), (8, b"WEBP"), (0, b"II*\0"), (0, b"MM\0*"), (4, b"ftyp"))
_BITMAP = (b"BM", 14)
"""How a BMP begins, and how long its header is: two letters alone may be words."""
_TABLES = (
    *(".csv", ".tsv", ".xlsx", ".xls", ".parquet", ".arrow", ".feather", ".jsonl", ".ndjson", ".json"),
    *(".xml", ".yaml", ".yml", ".conll", ".bio", ".iob", ".iob2"),
)
_WORDS = (".txt", ".text", ".md", ".markdown")


class TextRefusedError(ValueError):
    """The bytes are no usable text; ``code`` is a key of ``REASONS``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class WrittenText:
    """A text as it is stored, with its facts."""

    text: str
    media: MediaFacts

    @property
    def data(self) -> bytes:
        """The bytes that are kept: UTF-8 without a mark."""
        return self.text.encode()


def text_read(data: bytes) -> WrittenText:
    """Decodes a text; what it gives is read as itself again.

    Args:
        data: UTF-8 with or without a mark, UTF-16 with one, or GB 18030.

    Raises:
        TextRefusedError: the bytes are empty, no text, blank, or more than ``MAX_CHARACTERS`` characters.
    """
    if not data:
        raise TextRefusedError("empty_file")
    if _is_picture(data):
        raise TextRefusedError("picture_among_texts")
    if len(data) > _MAX_BYTES:
        raise TextRefusedError("not_a_text" if b"\0" in data[:_MAX_BYTES] and not _is_utf16(data) else "text_too_long")
    text = _LINE_ENDS.sub("\n", _decoded(data).lstrip(_MARK))
    if _UNWRITTEN.search(text):
        raise TextRefusedError("not_a_text")
    num_characters = len(text.strip())
    if num_characters == 0:
        raise TextRefusedError("text_blank")
    if len(text) > MAX_CHARACTERS:
        raise TextRefusedError("text_too_long")
    size_bytes = len(text.encode())
    return WrittenText(text, MediaFacts(format=FORMAT, size_bytes=size_bytes, num_characters=num_characters))


def is_table(name: str) -> bool:
    """Whether a file's name is that of a table of texts, or of another file for programs."""
    return name.lower().endswith(_TABLES)


def is_words(name: str) -> bool:
    """Whether a file's name is that of a text."""
    return name.lower().endswith(_WORDS)


def _decoded(data: bytes) -> str:
    """The letters; bytes that cannot be text are refused before anybody guesses what they mean."""
    if _is_utf16(data):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            raise TextRefusedError("text_undecodable") from None
    if b"\0" in data:
        raise TextRefusedError("not_a_text")
    for encoding in ("utf-8", "gb18030"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding == "utf-8" or not _UNASSIGNED.search(text):
            return text
    raise TextRefusedError("text_undecodable")


def _is_utf16(data: bytes) -> bool:
    return data.startswith(_UTF16_MARKS)


def _is_picture(data: bytes) -> bool:
    mark, header_bytes = _BITMAP
    is_bitmap = data.startswith(mark) and b"\0" in data[:header_bytes]
    return is_bitmap or any(data.startswith(one, at) for at, one in _PICTURES)
