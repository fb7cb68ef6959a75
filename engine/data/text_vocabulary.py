"""Tokenizers that are learned from the texts at hand: every id is a character, or a word.

Vocabularies are ordered by how often a token occurs and then by the token itself, so that the same texts give the same ids in
every process. A subword vocabulary (BPE, unigram) was decided against: on some hundred texts its merges are accidents, and
Chinese, which has no spaces, is read by characters anyway.

The model in the file is called WordPiece, but no piece continues another, so that a word is known as a whole or not at all. Its
plainer sister WordLevel says the same; JavaScript's library does not know that one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import WordPiece

from engine.data.text import PAD_ID, limited

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
    steps = [normalizers.NFKC(), normalizers.Lowercase(), normalizers.Replace(Regex(r"\s+"), " ")]
    return _learned(texts, normalizers.Sequence(steps), pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated"), num_ids, max_tokens)


def words(texts: Iterable[str], *, num_ids: int, max_tokens: int) -> str:
    """A ``tokenizer.json`` whose ids are words and punctuation marks, and single characters of Chinese; in lower case.

    Args:
        texts: to learn from.
        num_ids: ids at most; rarer words become unknown.
        max_tokens: most ids of a text.
    """
    steps = [normalizers.NFKC(), normalizers.BertNormalizer(lowercase=True, strip_accents=False)]
    return _learned(texts, normalizers.Sequence(steps), pre_tokenizers.BertPreTokenizer(), num_ids, max_tokens)


def _learned(
    texts: Iterable[str],
    normalizer: normalizers.Normalizer,
    splitter: pre_tokenizers.PreTokenizer,
    num_ids: int,
    max_tokens: int,
) -> str:
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(piece for piece, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text)))
    tokenizer = Tokenizer(WordPiece(_numbered(counts, num_ids), unk_token=UNKNOWN))
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = splitter
    return limited(tokenizer.to_str(), max_tokens=max_tokens, pad_id=PAD_ID, pad_token=PAD)


def _numbered(counts: Counter[str], num_ids: int) -> dict[str, int]:
    ordered: Sequence[str] = sorted(counts, key=lambda token: (-counts[token], token))
    kept = [token for token in ordered if token not in (PAD, UNKNOWN)][: num_ids - NUM_SPECIAL]
    return {PAD: PAD_ID, UNKNOWN: UNKNOWN_ID} | {token: NUM_SPECIAL + place for place, token in enumerate(kept)}
