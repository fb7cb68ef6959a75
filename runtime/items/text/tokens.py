"""Turns a text into what the graph takes: the ids of the artefact's tokenizer.

The rules are those of the artefact's ``decode`` entry. The library ``tokenizers`` is asked for only where a model reads texts:
a bundle of a picture model does without it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .errors import TextMissingError, TextUnreadableError

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class TextTokenizer:
    """The tokenizer of a file: ids of a text, cut off where the file says, and the id of what it does not know."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        unknown = getattr(tokenizer.model, "unk_token", None)
        self.unknown_id: int | None = None if unknown is None else tokenizer.token_to_id(unknown)
        """None where every text has an id for each of its parts."""

    def __call__(self, text: str) -> list[int]:
        """The ids of a text."""
        return self.read(text)[0]

    def read(self, text: str) -> tuple[list[int], bool]:
        """The ids of a text, and whether it has more than are taken."""
        # The same ids as ``encode``, which also notes where in the text each stands: half of the time.
        encoding = self._tokenizer.encode_batch_fast([text])[0]
        return list(encoding.ids), len(encoding.overflowing) > 0


class TextTokens(NamedTuple):
    """A decoded text."""

    text: str
    """Without white space at its ends."""
    tokens_T: NDArray[np.int64]  # noqa: N815 - the suffix is the shape
    is_cut: bool = False
    """Whether the text goes on behind its tokens."""


def tokenizer_open(file: Path) -> TextTokenizer:
    """Loads a tokenizer.

    Raises:
        OSError: the file is not there.
        ValueError: it is no tokenizer.
        ImportError: the library is not installed.
    """
    from tokenizers import Tokenizer  # noqa: PLC0415 - see above

    definition = file.read_text(encoding="utf-8")
    try:
        return TextTokenizer(Tokenizer.from_str(definition))
    except Exception as error:  # the library raises nothing narrower
        raise ValueError(f"{file.name} is no tokenizer: {error}") from error


def text_decode(data: bytes, tokenizer: TextTokenizer, *, pad_id: int) -> TextTokens:
    """Decodes one text.

    Args:
        data: UTF-8.
        tokenizer: of the model.
        pad_id: stands for a text without tokens.

    Raises:
        TextUnreadableError: it is not UTF-8.
        TextMissingError: it holds nothing but white space.
    """
    text = text_of(data)
    ids, is_cut = tokenizer.read(text)
    return TextTokens(text, np.array(ids or [pad_id], dtype=np.int64), is_cut)


def text_of(data: bytes) -> str:
    """A text without white space at its ends.

    Raises:
        TextUnreadableError: it is not UTF-8.
        TextMissingError: it holds nothing but white space.
    """
    try:
        text = data.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise TextUnreadableError(f"the text is not UTF-8: {error.reason} at byte {error.start}") from error
    if not text:
        raise TextMissingError
    return text


def text_data(text: str) -> bytes:
    """A decoded text as bytes that are the same from every caller's machine: UTF-8 with line feeds, without a mark."""
    return text.replace("\r\n", "\n").replace("\r", "\n").encode()
