"""Which labels are possible, and whether a person should look: where another label than the predicted one is, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..tensors import BYTES, Tensor, TensorSpec


class ClassScores:
    """See ``Coverage``."""

    def __init__(self, fields: Mapping[str, Any], labels: Sequence[str]) -> None:
        limits = fields["limits"]
        self._limits = [(label, float(limits[label])) for label in labels]

    def beside(self, answer: NDArray[np.float32], best: Mapping[str, object] | None) -> dict[str, object]:
        """See ``Coverage``."""
        found = zip(answer.tolist(), self._limits, strict=True)
        possible = [(score, label) for score, (label, limit) in found if score >= limit]
        possible.sort(key=lambda each: -each[0])
        labels = [label for _, label in possible]
        return {"ask_a_person": best is None or labels != [best["label"]], "possible_labels": labels}

    @staticmethod
    def tensor_specs(num_labels: int) -> Sequence[TensorSpec]:
        """See ``Coverage``: the possible labels, best first, then empty texts."""
        return TensorSpec("ask_a_person", "BOOL", (-1, 1)), TensorSpec("possible_labels", BYTES, (-1, num_labels))

    @staticmethod
    def tensors(fields: Sequence[Mapping[str, Any]], num_labels: int) -> Mapping[str, Tensor]:
        """See ``Coverage``."""
        labels_NL = np.full((len(fields), num_labels), "", dtype=np.object_)  # noqa: N806 - the suffix is the shape
        for row, each in zip(labels_NL, fields, strict=True):
            row[: len(each["possible_labels"])] = each["possible_labels"]
        return {"ask_a_person": np.array([[each["ask_a_person"]] for each in fields]), "possible_labels": labels_NL}

    @staticmethod
    def schema(label: Mapping[str, Any]) -> dict[str, Any]:
        """See ``Coverage``."""
        return {
            "ask_a_person": {
                "type": "boolean",
                "description": "Whether a person should look: more than one label is possible, none, or another one. "
                "Only where an error rate was chosen for the model.",
            },
            "possible_labels": {
                "type": "array",
                "items": label,
                "description": "Labels that are possible at the error rate, the best first.",
            },
        }


KIND = ClassScores
