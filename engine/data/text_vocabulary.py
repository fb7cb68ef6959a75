"""Tokenizers that are learned from the texts at hand: every id is a character, or a word.

Vocabularies are ordered by how often a token occurs and then by the token itself, so that the same texts give the same ids in
every process. A subword vocabulary (BPE, unigram) was decided against: on some hundred texts its merges are accidents, and
Chinese, which has no spaces, is read by characters anyway.

The model of words is called WordPiece in the file, but no piece continues another, so that a word is known as a whole or not at
all. Its plainer sister WordLevel says the same; JavaScript's library does not know that one. The model of characters is called
BPE, but has nothing to merge: it takes a text apart by itself, in half the time of a pattern that cuts out each character.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import BPE, Model, WordPiece

from engine.data.text import PAD_ID, limited
from engine.data.text_alike import SMALL_SIGMA

PAD, UNKNOWN = "[PAD]", "[UNK]"
UNKNOWN_ID = 1
NUM_SPECIAL = 2
"""Ids that are no token of a text."""


def characters(texts: Iterable[str], *, num_ids: int, max_tokens: int) -> str:
    """A ``tokenizer.json`` whose ids are characters, after NFKC, in lower case, white space drawn together.

    Args:
        texts: to learn from.
        num_ids: ids at most; rarer characters become unknown.
        max_tokens: most ids of a text.
    """
    spaced = normalizers.Replace(Regex(r"\s+"), " ")
    normalizer = normalizers.Sequence([normalizers.NFKC(), SMALL_SIGMA, normalizers.Lowercase(), spaced])
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(normalizer.normalize_str(text))
    return _file(_characters(_numbered(counts, num_ids)), max_tokens, normalizer=normalizer)


def plain_characters(texts: Iterable[str], *, num_ids: int, max_tokens: int) -> str:
    """A ``tokenizer.json`` whose ids are characters, read as they stand: a third of the time of ``characters``.

    Nothing is rewritten. What NFKC and lower case make of a character has its id already in the file: ``A`` and ``Ａ`` have
    that of ``a``, and every white space that of a space. Otherwise than by ``characters``, white space is not drawn together,
    and what several characters stand for (``½``, an accent that follows its letter) keeps an id of its own.

    Args:
        texts: to learn from.
        num_ids: ids at most; rarer characters become unknown.
        max_tokens: most ids of a text.
    """
    raw: Counter[str] = Counter()
    for text in texts:
        raw.update(text)
    counts: Counter[str] = Counter()
    for character, count in raw.items():
        counts[_folded(character)] += count
    ids = _numbered(counts, num_ids)
    definition = json.loads(_file(_characters(ids), max_tokens))
    # The library itself would write one name an id only.
    definition["model"]["vocab"] = ids | {other: ids[one] for other, one in _others().items() if one in ids}
    return json.dumps(definition, ensure_ascii=False)


def words(texts: Iterable[str], *, num_ids: int, max_tokens: int) -> str:
    """A ``tokenizer.json`` whose ids are words and punctuation marks, and single characters of Chinese; in lower case.

    Args:
        texts: to learn from.
        num_ids: ids at most; rarer words become unknown.
        max_tokens: most ids of a text.
    """
    lowered = normalizers.BertNormalizer(lowercase=True, strip_accents=False)
    normalizer = normalizers.Sequence([normalizers.NFKC(), SMALL_SIGMA, lowered])
    splitter = pre_tokenizers.BertPreTokenizer()
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(piece for piece, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text)))
    model = WordPiece(_numbered(counts, num_ids), unk_token=UNKNOWN)
    return _file(model, max_tokens, normalizer=normalizer, splitter=splitter)


def _file(
    model: Model,
    max_tokens: int,
    *,
    normalizer: normalizers.Normalizer | None = None,
    splitter: pre_tokenizers.PreTokenizer | None = None,
) -> str:
    tokenizer = Tokenizer(model)
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    if splitter is not None:
        tokenizer.pre_tokenizer = splitter
    return limited(tokenizer.to_str(), max_tokens=max_tokens, pad_id=PAD_ID, pad_token=PAD)


def _characters(ids: Mapping[str, int]) -> BPE:
    """Merges nothing. ``dropout`` says that too, and keeps the library from remembering ten thousand texts that it has read."""
    return BPE(vocab=dict(ids), merges=[], unk_token=UNKNOWN, dropout=1.0)


def _folded(character: str) -> str:
    """The one character that stands for it, or itself."""
    if character.isspace():
        return " "
    found = unicodedata.normalize("NFKC", character).lower()
    return found if len(found) == 1 else character


@cache
def _others() -> Mapping[str, str]:
    """Every character for which another stands, and that other."""
    folded = ((character, _folded(character)) for character in map(chr, range(sys.maxunicode + 1)))
    return {character: one for character, one in folded if one != character and character.isprintable() | character.isspace()}


def _numbered(counts: Counter[str], num_ids: int) -> dict[str, int]:
    ordered: Sequence[str] = sorted(counts, key=lambda token: (-counts[token], token))
    chosen = [token for token in ordered if token not in (PAD, UNKNOWN)][: num_ids - NUM_SPECIAL]
    return {PAD: PAD_ID, UNKNOWN: UNKNOWN_ID} | {token: NUM_SPECIAL + place for place, token in enumerate(chosen)}
