"""Texts as features: their length, their topics, and how their words predict the targets.

Words and pairs of neighbours are weighed by how rare they are (tf-idf, Sparck Jones 1972) and the rows of weights brought to
length one. Of those come the first directions of a singular value decomposition (latent semantic analysis, Deerwester et al.
1990), and for each response a ridge regression, out of fold for the training rows. Pairs make words of Chinese characters and
let "not good" differ from "good".

Both are sums over the words of a text. The summands are whole numbers, so that the sum is the same in any order: numpy and a
graph give equal features, not only close ones. What cannot be had in a graph is how many characters a text has.

Shapes: N rows, T columns, V terms (words and pairs), R responses, K sums a term adds to, F features.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto
from scipy import sparse
from sklearn.linear_model import Ridge
from sklearn.utils.extmath import randomized_svd

from engine.table.encode_numbers import ScaledNumbers, scale_numbers
from engine.table.encode_targets import Responses, Style
from engine.table.graph import ML, GraphWriter
from engine.table.words import Vocabulary, words_of

MAX_WORDS, MAX_PAIRS = 10_000, 10_000
_LEAST_TEXTS = 2
_LEAST_PAIRS = 3
NUM_DIRECTIONS = 8
_NUM_FOLDS = 5
_STRENGTHS = (0.3, 3.0, 30.0)
"""Of the ridge penalty; the best out of fold stays."""
_SVD_ROWS = 50_000
_UNIT = 2.0**20
"""Summands are multiples of its inverse: float32 holds no finer ones between 1/8 and 1."""


@dataclass(frozen=True)
class TextColumn:
    """What is done to one column."""

    vocabulary: Vocabulary
    pairs: dict[int, int]
    """By number of the first word times (words + 1) plus that of the second, the number of the pair: 0 and on."""
    squares_V: NDArray[np.int64]
    """Square of each term's weight, in ``_UNIT``; words, then pairs, then a zero for what is unknown."""
    summands_VK: NDArray[np.int64]
    """What a term adds to each sum, in ``_UNIT``."""

    def features(self, texts_N: NDArray[np.object_]) -> NDArray[np.float32]:
        """How many words, and the sums over the length of the row of weights: ``_N(1+K)``."""
        return self.features_of(self.counts(texts_N))

    def counts(self, texts_N: NDArray[np.object_]) -> tuple[NDArray[np.int64], sparse.csr_matrix]:
        """Words of each text, and how often each term is in it, ``_NV``."""
        return self.counts_of([words_of(text) for text in texts_N])

    def counts_of(self, texts: list[list[str]]) -> tuple[NDArray[np.int64], sparse.csr_matrix]:
        """The same of texts that are parted already."""
        flat, lengths_N = self.vocabulary.numbers_of(texts)
        rows = np.repeat(np.arange(len(texts)), lengths_N)
        unknown = len(self.squares_V) - 1
        terms = [np.where(flat == self.vocabulary.num_words, unknown, flat)]
        if self.pairs:
            keys = np.array(list(self.pairs), dtype=np.int64)
            both = flat[:-1] * (self.vocabulary.num_words + 1) + flat[1:]
            at = np.minimum(np.searchsorted(keys, both), len(keys) - 1)
            is_pair = (keys[at] == both) & (rows[:-1] == rows[1:])
            terms.append(np.where(is_pair, self.vocabulary.num_words + at, unknown))
            rows = np.concatenate([rows, rows[:-1]])
        found = np.concatenate(terms)
        counts_NV = sparse.csr_matrix((np.ones(len(found), np.int64), (rows, found)), shape=(len(texts), unknown + 1))
        counts_NV.sum_duplicates()
        return lengths_N, counts_NV

    def features_of(self, counted: tuple[NDArray[np.int64], sparse.csr_matrix]) -> NDArray[np.float32]:
        """Features of ``counts``."""
        lengths_N, counts_NV = counted
        sums_NK = (counts_NV @ self.summands_VK).astype(np.float32)
        return np.concatenate([lengths_N.astype(np.float32)[:, None], sums_NK / self._norms(counts_NV)], axis=1)

    def _norms(self, counts_NV: sparse.csr_matrix) -> NDArray[np.float32]:
        """Lengths of the rows of weights, times the root of ``_UNIT`` twice over; 1 where there is nothing."""
        squares_N1 = (counts_NV @ self.squares_V).astype(np.float32)[:, None] * np.float32(_UNIT)
        return np.sqrt(np.maximum(squares_N1, np.float32(1.0)))

    def write(self, graph: GraphWriter, texts: str) -> str:
        """Nodes that do what ``features`` does to a tensor of strings ``[batch]``."""
        num_words, unknown = self.vocabulary.num_words, len(self.squares_V) - 1
        numbers = self.vocabulary.write(graph, texts)
        end = graph.constant(np.array(num_words + 1, dtype=np.int64))
        is_word = graph.add("Cast", [graph.add("Less", [numbers, end])], to=TensorProto.INT64)
        lengths = graph.add("ReduceSum", [is_word, graph.ints(1)], keepdims=1)
        known = graph.add("Less", [numbers, graph.constant(np.array(num_words, dtype=np.int64))])
        nothing = graph.constant(np.array(unknown, dtype=np.int64))
        terms = graph.add("Where", [known, numbers, nothing])
        if self.pairs:
            words = graph.add("Where", [known, numbers, graph.constant(np.array(num_words, dtype=np.int64))])
            first = graph.add("Slice", [words, graph.ints(0), graph.ints(-1), graph.ints(1)])
            second = graph.add("Slice", [words, graph.ints(1), graph.ints(np.iinfo(np.int64).max), graph.ints(1)])
            keys = graph.add("Mul", [first, graph.constant(np.array(num_words + 1, dtype=np.int64))])
            pairs = graph.add(
                "LabelEncoder",
                [graph.add("Add", [keys, second])],
                domain=ML,
                keys_int64s=list(self.pairs),
                values_int64s=[num_words + number for number in self.pairs.values()],
                default_int64=unknown,
            )
            terms = graph.add("Concat", [terms, pairs], axis=1)
        table_VK = np.concatenate([self.squares_V[:, None], self.summands_VK], axis=1)
        rows = graph.add("Gather", [graph.constant(table_VK), terms], axis=0)
        sums = graph.add("Cast", [graph.add("ReduceSum", [rows, graph.ints(1)], keepdims=0)], to=TensorProto.FLOAT)
        num_sums = self.summands_VK.shape[1]
        squares, rest = graph.add_many("Split", [sums, graph.ints(1, num_sums)], 2, axis=1)
        squares = graph.add("Max", [graph.add("Mul", [squares, graph.floats(_UNIT)]), graph.floats(1.0)])
        scaled = graph.add("Div", [rest, graph.add("Sqrt", [squares])])
        return graph.add("Concat", [graph.add("Cast", [lengths], to=TensorProto.FLOAT), scaled], axis=1)


@dataclass(frozen=True)
class Texts:
    """Features of all columns of texts."""

    names: tuple[str, ...]
    places: tuple[int, ...]
    columns: tuple[TextColumn, ...]
    scaled: ScaledNumbers | None
    """For models that are no trees."""

    def apply(self, array: NDArray[np.object_]) -> NDArray[np.float32]:
        """See ``encode.Block``."""
        x_NF = np.concatenate([column.features(array[:, place]) for place, column in enumerate(self.columns)], axis=1)
        return x_NF if self.scaled is None else self.scaled.apply(x_NF)

    def write(self, graph: GraphWriter, name: str) -> str:
        """See ``encode.Block``."""
        parts = []
        for place, column in enumerate(self.columns):
            texts = graph.add("Gather", [name, graph.constant(np.array(place, dtype=np.int64))], axis=1)
            parts.append(column.write(graph, texts))
        x = parts[0] if len(parts) == 1 else graph.add("Concat", parts, axis=1)
        return x if self.scaled is None else self.scaled.write(graph, x)


def learn_texts(
    texts_NT: NDArray[np.object_], names: tuple[str, ...], responses: Responses, style: Style
) -> tuple[Texts, NDArray[np.float32]]:
    """Learns the vocabulary of each column, and the weights of its words."""
    columns, features = [], []
    feature_names: list[str] = []
    places: list[int] = []
    for place, name in enumerate(names):
        column, labels, own_NF = _learn_column(texts_NT[:, place], responses)
        columns.append(column)
        features.append(own_NF)
        feature_names.extend(f"{name}: {label}" for label in labels)
        places.extend([place] * len(labels))
    x_NF = np.concatenate(features, axis=1)
    if style == "trees":
        return Texts(tuple(feature_names), tuple(places), tuple(columns), None), x_NF
    scaled = scale_numbers(x_NF, tuple(feature_names))
    return Texts(scaled.names, tuple(places), tuple(columns), scaled), scaled.apply(x_NF)


def _learn_column(texts_N: NDArray[np.object_], responses: Responses) -> tuple[TextColumn, list[str], NDArray[np.float32]]:
    texts = [words_of(text) for text in texts_N]
    vocabulary = Vocabulary.learn(texts, max_words=MAX_WORDS, least_texts=_LEAST_TEXTS)
    pairs = _common_pairs(vocabulary, texts)
    num_terms = vocabulary.num_words + len(pairs) + 1
    bare = TextColumn(vocabulary, pairs, np.zeros(num_terms, np.int64), np.zeros((num_terms, 0), np.int64))
    lengths_N, counts_NV = bare.counts_of(texts)
    in_texts_V = np.bincount(counts_NV.indices, minlength=num_terms)
    weights_V = np.log((1.0 + len(texts)) / (1.0 + in_texts_V)) + 1.0
    weights_V[-1] = 0.0
    squares_V = np.rint(weights_V**2 * _UNIT).astype(np.int64)
    norms_N1 = TextColumn(vocabulary, pairs, squares_V, bare.summands_VK)._norms(counts_NV) / _UNIT
    x_NV = sparse.csr_matrix(counts_NV.multiply(weights_V).multiply(1.0 / norms_N1))
    directions_VK = _directions(x_NV, responses.seed)
    coefficients_VR, own_NR, places = _regressed(x_NV, responses)
    summands_VK = np.concatenate([directions_VK, coefficients_VR], axis=1) * weights_V[:, None]
    column = TextColumn(vocabulary, pairs, squares_V, np.rint(summands_VK * _UNIT).astype(np.int64))
    x_NF = column.features_of((lengths_N, counts_NV))
    x_NF[:, 1 + directions_VK.shape[1] :] = own_NR
    topics = [f"topic {number + 1}" for number in range(directions_VK.shape[1])]
    return column, ["words", *topics, *(f"words for {responses.names[place]}" for place in places)], x_NF


def _common_pairs(vocabulary: Vocabulary, texts: list[list[str]]) -> dict[int, int]:
    """Pairs of known neighbours that stand together most often, by key and in its order."""
    get, unknown = vocabulary.forms.get, vocabulary.num_words
    counts: Counter[int] = Counter()
    for words in texts:
        numbers = [get(word, unknown) for word in words]
        counts.update({first * (unknown + 1) + second for first, second in pairwise(numbers) if unknown not in {first, second}})
    common = sorted((key for key, count in counts.items() if count >= _LEAST_PAIRS), key=lambda key: (-counts[key], key))
    return {key: number for number, key in enumerate(sorted(common[:MAX_PAIRS]))}


def _directions(x_NV: sparse.csr_matrix, seed: int) -> NDArray[np.float64]:
    """The first right singular vectors, ``_VK``."""
    number = min(NUM_DIRECTIONS, min(x_NV.shape) - 1)
    if number < 1 or not x_NV.nnz:
        return np.zeros((x_NV.shape[1], 0))
    every = max(1, x_NV.shape[0] // _SVD_ROWS)
    _, _, directions_KV = randomized_svd(x_NV[::every], number, random_state=seed)
    return directions_KV.T


def _regressed(x_NV: sparse.csr_matrix, responses: Responses) -> tuple[NDArray[np.float64], NDArray[np.float64], list[int]]:
    """Coefficients ``_VR`` of responses that words help to predict, each row's out-of-fold sums, places of these responses."""
    y_NR = responses.y_NR - responses.y_NR.mean(axis=0)
    folds_N = responses.folds_N % _NUM_FOLDS
    if x_NV.shape[0] < 2 * _NUM_FOLDS or not x_NV.nnz:
        return np.zeros((x_NV.shape[1], 0)), np.zeros((x_NV.shape[0], 0)), []
    best: tuple[Any, ...] | None = None
    for strength in _STRENGTHS:
        own_NR = np.zeros_like(y_NR)
        for fold in range(_NUM_FOLDS):
            others, these = np.flatnonzero(folds_N != fold), np.flatnonzero(folds_N == fold)
            own_NR[these] = x_NV[these] @ _ridge(x_NV[others], y_NR[others], strength)
        errors_R = np.square(y_NR - own_NR).sum(axis=0)
        if best is None or errors_R.sum() < best[0].sum():
            best = errors_R, own_NR, strength
    assert best is not None
    errors_R, own_NR, strength = best
    places = np.flatnonzero(errors_R < np.square(y_NR).sum(axis=0)).tolist()
    return _ridge(x_NV, y_NR, strength)[:, places], own_NR[:, places], places


def _ridge(x_NV: sparse.csr_matrix, y_NR: NDArray[np.float64], strength: float) -> NDArray[np.float64]:
    model = Ridge(alpha=strength, fit_intercept=False, solver="sparse_cg", tol=1e-3, max_iter=200)
    return model.fit(x_NV, y_NR).coef_.reshape(y_NR.shape[1], -1).T
