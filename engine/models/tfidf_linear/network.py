"""Counts of n-grams of characters or words, weighted by how rare they are, inside the graph (Salton and Buckley 1988, TF-IDF).

A feature of a text is ``(1 + ln count) * idf``, zero where the n-gram is absent, and the features of a text have length one:
what scikit-learn's ``TfidfVectorizer(sublinear_tf=True)`` computes. An n-gram is a whole number made of its ids, and is looked
up in a sorted table by halving it: plain tensor operations that every runtime has. ONNX has an operator for it
(``TfIdfVectorizer``), but few runtimes do.

Shapes: N items, B batch, T tokens, K n-grams of a text with repetitions, F slots.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from numpy.typing import NDArray
from torch import Tensor, nn

from automl.contracts.family import ParamValue
from engine.data.text import PAD_ID, trimmed
from engine.data.text_vocabulary import NUM_SPECIAL
from engine.models.tfidf_linear.family import BY_THEMSELVES, NUM_NGRAMS

NUM_IDS = {"64k": 2**12, "256k": 2**12, "words": 2**15}
"""Ids of the tokenizer by size; an n-gram of ``LONGEST`` of them is a number below 2**60."""
LONGEST = {2**12: 5, 2**15: 4}
_ALPHABET_IDS = 100
"""Where fewer characters make up most of all texts, they are written with an alphabet; Chinese takes some hundreds."""
_MOST = 0.9
_RUNS = {"alphabet": 5, "characters": 3, "words": 2}
"""Longest n-gram where the texts decide."""
_CHUNK_TOKENS = 2**20
"""Of texts that are counted together, filled up: 42 MB of n-grams."""
_NOTHING = torch.iinfo(torch.int64).max
"""Key of a slot that is not taken; larger than any n-gram."""
_TINY = 1e-12


def build(size: str, num_labels: int | None = None) -> nn.Module:
    """The counter, or the counter with a linear head if ``num_labels`` is given."""
    counter = NgramCounter(NUM_NGRAMS[size], NUM_IDS[size])
    return counter if num_labels is None else nn.Sequential(counter, nn.Linear(counter.num_features, num_labels))


class NgramCounter(nn.Module):
    """Tokens ``_BT`` to weighted counts ``_BF``; it knows no n-gram until it has learned some."""

    keys_F: Tensor

    def __init__(self, num_slots: int, num_ids: int = 2**12):
        super().__init__()
        self.num_features = num_slots
        self.num_ids = num_ids
        self.longest = LONGEST[num_ids]
        self.register_buffer("keys_F", torch.full((num_slots,), _NOTHING, dtype=torch.int64))
        self.idf_F = nn.Parameter(torch.zeros(num_slots))

    def forward(self, tokens_BT: Tensor) -> Tensor:
        """Features of texts, padded at their ends."""
        places_BK = self._places(*_ngrams(tokens_BT, self.longest, self.num_ids))
        zeros_BF = torch.zeros((tokens_BT.shape[0], self.num_features), dtype=torch.float32, device=tokens_BT.device)
        # A text has some of the slots: everything is computed by n-gram, each repetition with its part of the whole.
        counts_BK = zeros_BF.scatter_add(1, places_BK, torch.ones_like(places_BK, dtype=torch.float32)).gather(1, places_BK)
        parts_BK = (1.0 + counts_BK.log()) / counts_BK * self.idf_F[places_BK]
        squares_B1 = (parts_BK.square() * counts_BK).sum(dim=1, keepdim=True)
        return zeros_BF.scatter_add(1, places_BK, parts_BK / squares_B1.clamp(min=_TINY).sqrt())

    def learn(self, tokens_NT: NDArray[np.int32], params: Mapping[str, ParamValue]) -> None:
        """Takes the n-grams that occur in the most texts, and how rare each is.

        Args:
            tokens_NT: of the texts to train on.
            params: of the family; ``ngram_max`` is the longest n-gram.
        """
        longest = int(params["ngram_max"])
        self.longest = min(LONGEST[self.num_ids], _suited(tokens_NT, self.num_ids) if longest == BY_THEMSELVES else longest)
        keys_P, _, _ = _counts(tokens_NT, self.longest, self.num_ids)
        found_U, num_texts_U = np.unique(keys_P, return_counts=True)  # a key stands once for each text that has it
        chosen = np.sort(np.lexsort((found_U, -num_texts_U))[: self.num_features - 1])
        idf_U = np.log((1 + len(tokens_NT)) / (1 + num_texts_U[chosen])) + 1.0
        keys_F = torch.full_like(self.keys_F, _NOTHING)
        keys_F[: len(chosen)] = torch.from_numpy(found_U[chosen])
        self.keys_F = keys_F
        with torch.no_grad():
            self.idf_F.zero_()
            self.idf_F[: len(chosen)] = torch.from_numpy(idf_U.astype(np.float32))

    def counted(self, tokens_NT: NDArray[np.int32]) -> Tensor:
        """The features of many texts ``_NF`` as a sparse tensor: a text has hundreds of the slots, not all."""
        keys_P, texts_P, counts_P = _counts(tokens_NT, self.longest, self.num_ids)
        keys_F, idf_F = self.keys_F.numpy(), self.idf_F.detach().numpy()
        places_P = np.minimum(np.searchsorted(keys_F, keys_P), self.num_features - 1)
        is_known_P = keys_F[places_P] == keys_P
        texts_P, places_P, counts_P = texts_P[is_known_P], places_P[is_known_P], counts_P[is_known_P]
        values_P = (1.0 + np.log(counts_P)) * idf_F[places_P]
        squares_N = np.bincount(texts_P, weights=values_P**2, minlength=len(tokens_NT))
        values_P = values_P / np.sqrt(np.maximum(squares_N, _TINY))[texts_P]
        shape = (len(tokens_NT), self.num_features)
        indices_2P, values_P = torch.from_numpy(np.stack([texts_P, places_P])), torch.from_numpy(values_P.astype(np.float32))
        # ordered by text, then by key, and thus by slot
        return torch.sparse_coo_tensor(indices_2P, values_P, size=shape, is_coalesced=True, check_invariants=False)

    def _places(self, keys_BK: Tensor, is_whole_BK: Tensor) -> Tensor:
        """Slots of n-grams; the last slot for those that are not known."""
        places_BK = torch.zeros_like(keys_BK)
        half = self.num_features // 2
        while half:
            is_behind_BK = self.keys_F[places_BK + (half - 1)] < keys_BK
            places_BK = places_BK + is_behind_BK.to(torch.int64) * half
            half //= 2
        is_known_BK = is_whole_BK & (self.keys_F[places_BK] == keys_BK)
        return torch.where(is_known_BK, places_BK, torch.full_like(places_BK, self.num_features - 1))


def _suited(tokens_NT: NDArray[np.int32], num_ids: int) -> int:
    """The longest n-gram that suits the texts: by how many characters make up most of them."""
    if num_ids == NUM_IDS["words"]:
        return _RUNS["words"]
    found_I = np.sort(np.bincount(tokens_NT[tokens_NT >= NUM_SPECIAL], minlength=NUM_SPECIAL))[::-1]
    num_common = int(np.searchsorted(np.cumsum(found_I), _MOST * found_I.sum())) + 1
    return _RUNS["alphabet" if num_common < _ALPHABET_IDS else "characters"]


def _ngrams(tokens_BT: Tensor, longest: int, num_ids: int) -> tuple[Tensor, Tensor]:
    """All n-grams of texts as numbers ``_BK``, and whether each lies within its text and knows all its tokens."""
    length = tokens_BT.shape[1]
    padded_BT = F.pad(tokens_BT, (0, longest - 1))
    keys_BT, is_whole_BT = torch.zeros_like(tokens_BT), torch.ones_like(tokens_BT, dtype=torch.bool)
    keys, is_whole = [], []
    for place in range(longest):
        next_BT = padded_BT[:, place : length + place]
        keys_BT, is_whole_BT = keys_BT * num_ids + next_BT, is_whole_BT & (next_BT >= NUM_SPECIAL)
        keys.append(keys_BT)
        is_whole.append(is_whole_BT)
    return torch.cat(keys, dim=1), torch.cat(is_whole, dim=1)


def _counts(
    tokens_NT: NDArray[np.int32], longest: int, num_ids: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Which n-gram occurs in which text how often, ordered by text and n-gram: keys, texts, counts ``_P`` each."""
    parts = [_counts_of(tokens_NT, start, longest, num_ids) for start in range(0, len(tokens_NT), _texts_at_once(tokens_NT))]
    keys_P, texts_P, counts_P = (np.concatenate(each) for each in zip(*parts, strict=True))
    return keys_P, texts_P, counts_P


def _counts_of(
    tokens_NT: NDArray[np.int32], start: int, longest: int, num_ids: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The same of some texts, no longer than the longest of them: little memory, however long others are."""
    tokens_BT = trimmed(tokens_NT[start : start + _texts_at_once(tokens_NT)], PAD_ID)
    keys_BK, is_whole_BK = (part.numpy() for part in _ngrams(torch.from_numpy(tokens_BT), longest, num_ids))
    texts_P, _ = np.nonzero(is_whole_BK)
    found_U, numbers_P = np.unique(keys_BK[is_whole_BK], return_inverse=True)
    pairs_P, counts_P = np.unique(texts_P * max(1, len(found_U)) + numbers_P, return_counts=True)
    if len(found_U) == 0:
        return found_U, pairs_P, counts_P
    return found_U[pairs_P % len(found_U)], start + pairs_P // len(found_U), counts_P


def _texts_at_once(tokens_NT: NDArray[np.int32]) -> int:
    return max(1, _CHUNK_TOKENS // tokens_NT.shape[1])
