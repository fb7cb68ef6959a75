"""Categories as features: which value, how common it is, and what targets its rows had.

Each value has a code, by how common it is in training: 0 is the commonest. Values that training rows have once, and values
never seen, share the code behind the last: of a value with one row nothing is known but that it is rare, and what rare values
had in common is the best guess for a new one. Missing cells are a value like any other. In the graph one ``LabelEncoder`` a
column finds the code, and ``Gather`` takes from tables by code.

- ``trees``: the code, and from three values on the statistics of targets (``encode_targets``). A tree that splits by those
  finds the best groups of values without trying them all (Fisher 1958, https://doi.org/10.1080/01621459.1958.10501479).
- ``dense``: an indicator for each value that is common enough; where values are left over, statistics and commonness too.

Shapes: N rows, C columns, V values of a column, F features.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from engine.table.encode_targets import Responses, Style, statistics_of
from engine.table.graph import ML, GraphWriter

MAX_INDICATORS = 50
"""Of one column."""
_LEAST_SHARE = 0.002
_LEAST_COUNT = 2
"""Of rows that a value needs for an indicator, at least both."""
_FEWEST_FOR_STATISTICS = 3


@dataclass(frozen=True)
class CategoryColumn:
    """What is done to one column."""

    values: tuple[str, ...]
    """By code."""
    features_VF: NDArray[np.float32]
    """By code; the last row is for values that are rare or were never seen."""

    def codes(self, values_N: NDArray[np.object_]) -> NDArray[np.int64]:
        """The code of each row's value, V where it is unknown."""
        known = pa.array(values_N, pa.string()).dictionary_encode()
        places = {value: code for code, value in enumerate(self.values)}
        codes = np.array([places.get(value, len(self.values)) for value in known.dictionary.to_pylist()], dtype=np.int64)
        return codes[known.indices.to_numpy(zero_copy_only=False)] if len(codes) else np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class Categories:
    """Features of all columns of categories."""

    names: tuple[str, ...]
    places: tuple[int, ...]
    columns: tuple[CategoryColumn, ...]

    def apply(self, array: NDArray[np.object_]) -> NDArray[np.float32]:
        """See ``encode.Block``."""
        parts = [column.features_VF[column.codes(array[:, place])] for place, column in enumerate(self.columns)]
        return np.concatenate(parts, axis=1)

    def write(self, graph: GraphWriter, name: str) -> str:
        """See ``encode.Block``."""
        parts = []
        for place, column in enumerate(self.columns):
            cells = graph.add("Gather", [name, graph.constant(np.array(place, dtype=np.int64))], axis=1)
            codes = write_codes(graph, cells, column.values)
            parts.append(graph.add("Gather", [graph.constant(column.features_VF), codes], axis=0))
        return parts[0] if len(parts) == 1 else graph.add("Concat", parts, axis=1)


def write_codes(graph: GraphWriter, cells: str, values: tuple[str, ...]) -> str:
    """Nodes that find each cell's place in ``values``, int64; one behind the last where it is none of them."""
    return graph.add(
        "LabelEncoder",
        [cells],
        domain=ML,
        keys_strings=list(values),
        values_int64s=list(range(len(values))),
        default_int64=len(values),
    )


def learn_categories(
    values_NC: NDArray[np.object_], names: tuple[str, ...], responses: Responses, style: Style
) -> tuple[Categories, NDArray[np.float32]]:
    """Learns the values of columns."""
    columns: list[CategoryColumn] = []
    features: list[NDArray[np.float32]] = []
    feature_names: list[str] = []
    places: list[int] = []
    for place, name in enumerate(names):
        values, codes_N = _coded(values_NC[:, place])
        learned = _for_trees if style == "trees" else _for_dense
        labels, features_VF, own_NF = learned(values, codes_N, responses)
        columns.append(CategoryColumn(values, features_VF))
        features.append(own_NF)
        feature_names.extend(f"{name}: {label}" for label in labels)
        places.extend([place] * len(labels))
    return Categories(tuple(feature_names), tuple(places), tuple(columns)), np.concatenate(features, axis=1)


def _coded(values_N: NDArray[np.object_]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The values of a column, commonest first and equally common ones by name, and the code of each row's.

    Values with one row are left out, but the first of all stays, so that there is one; their rows have the code V.
    """
    coded = pa.array(values_N, pa.string()).dictionary_encode()
    found: list[str] = coded.dictionary.to_pylist()
    indices_N = coded.indices.to_numpy(zero_copy_only=False)
    counts = np.bincount(indices_N, minlength=len(found)).tolist()
    order = sorted(range(len(found)), key=lambda index: (-counts[index], found[index]))
    frequent = [index for place, index in enumerate(order) if counts[index] >= _LEAST_COUNT or place == 0]
    codes = np.full(len(found), len(frequent), dtype=np.int64)
    codes[frequent] = np.arange(len(frequent))
    return tuple(found[index] for index in frequent), codes[indices_N]


_Learned = tuple[list[str], NDArray[np.float32], NDArray[Any]]


def _for_trees(values: tuple[str, ...], codes_N: NDArray[np.int64], responses: Responses) -> _Learned:
    num_values = len(values)
    code_V1 = np.arange(num_values + 1, dtype=np.float32)[:, None]
    if len(np.unique(codes_N)) < _FEWEST_FOR_STATISTICS:
        return ["code"], code_V1, code_V1[codes_N]
    means_VR, own_NR = _statistics(codes_N, num_values, responses)
    features_VF = np.concatenate([code_V1, means_VR], axis=1)
    return ["code", *responses.names], features_VF, np.concatenate([code_V1[codes_N], own_NR], axis=1)


def _for_dense(values: tuple[str, ...], codes_N: NDArray[np.int64], responses: Responses) -> _Learned:
    num_values = len(values)
    *counts, num_rare = np.bincount(codes_N, minlength=num_values + 1).tolist()
    counts_V = np.array(counts)
    is_common_V = counts_V >= max(_LEAST_COUNT, _LEAST_SHARE * len(codes_N))
    num_common = min(int(is_common_V.sum()), MAX_INDICATORS)  # values are ordered by how common they are
    if num_values == 2 and not num_rare:
        num_common = 1  # the other is what it is not
    one_hot_VF = np.eye(num_values + 1, num_common, dtype=np.float32)
    labels = [f"is {value!r}" if value else "is missing" for value in values[:num_common]]
    if num_common >= num_values or num_values + (num_rare > 0) < _FEWEST_FOR_STATISTICS:
        if not num_common:
            one_hot_VF, labels = np.eye(num_values + 1, 1, dtype=np.float32), ["is one of a kind"]
        return labels, one_hot_VF, one_hot_VF[codes_N]
    means_VR, own_NR = _statistics(codes_N, num_values, responses)
    centre_R, spread_R = own_NR.mean(axis=0), own_NR.std(axis=0)
    spread_R = np.where(spread_R > 1e-12, spread_R, 1.0)
    known_V = np.append(np.log1p(counts_V), 0.0)
    common_V1 = (known_V / max(known_V.max(), 1.0)).astype(np.float32)[:, None]
    scaled_VR = ((means_VR - centre_R) / spread_R).astype(np.float32)
    scaled_NR = ((own_NR - centre_R) / spread_R).astype(np.float32)
    features_VF = np.concatenate([one_hot_VF, common_V1, scaled_VR], axis=1)
    own_NF = np.concatenate([one_hot_VF[codes_N], common_V1[codes_N], scaled_NR], axis=1)
    return [*labels, "how common", *responses.names], features_VF, own_NF


def _statistics(codes_N: NDArray[np.int64], num_values: int, responses: Responses) -> tuple[NDArray[Any], NDArray[Any]]:
    """``statistics_of`` with the rare values as one, which stands for those never seen."""
    means_VR, own_NR = statistics_of(codes_N, num_values + 1, responses)
    return means_VR[:-1], own_NR
