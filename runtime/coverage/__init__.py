"""Fields of the answers of models for which an error rate was chosen.

Whether to ask a person, or how far off a number may be: a module for each kind of answers that knows it, found by the name
that a manifest gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..listing import kind_of, modules_in
from ..tensors import TensorSpec
from .kind import Coverage

__all__ = ["NAMES", "Coverage", "coverage_open", "coverage_schema", "coverage_specs"]

NAMES = modules_in(__path__)
"""Of the kinds of answers that can be covered."""


def coverage_open(output: str, fields: Mapping[str, Any] | None, labels: Sequence[str]) -> Coverage | None:
    """What stands beside the answers of a model.

    Args:
        output: the kind of its answers.
        fields: what was chosen (``automl.contracts.coverage.Coverage``); None where nobody chose any.
        labels: names in the order of the graph's scores.

    Raises:
        KeyError, TypeError, ValueError: it is not by the contract, or the kind of answers has none.
    """
    if fields is None:
        return None
    kind: type[Coverage] = kind_of(__name__, NAMES, output, of="covered answer")
    return kind(fields, labels)


def coverage_schema(output: str | None, label: Mapping[str, Any]) -> dict[str, Any]:
    """JSON schemas by name of what may stand beside the annotations of an answer.

    Args:
        output: the kind of the answers; None for any.
        label: the schema of a label's name.
    """
    found: dict[str, Any] = {}
    for name in NAMES:
        if output in (None, name):
            kind: type[Coverage] = kind_of(__name__, NAMES, name, of="covered answer")
            found |= kind.schema(label)
    return found


def coverage_specs(output: str, num_labels: int) -> Sequence[TensorSpec]:
    """The tensors of the Open Inference Protocol that a kind of answers gives where an error rate was chosen."""
    if output not in NAMES:
        return ()
    kind: type[Coverage] = kind_of(__name__, NAMES, output, of="covered answer")
    return kind.tensor_specs(num_labels)
