"""How alike the data of two studies are, by the facts of their versions."""

from __future__ import annotations

import math

from automl.planning.facts import VersionFacts


def likeness(one: VersionFacts, other: VersionFacts) -> float:
    """From 0 to 1: 1 for the same numbers of items, labels and columns and the same balance, a half where they differ twofold.

    Only versions of one task can be compared.
    """
    pairs = (
        (one.num_train, other.num_train),
        (one.num_labels, other.num_labels),
        (one.num_columns, other.num_columns),
        (_balance(one), _balance(other)),
    )
    return math.exp(-sum(abs(math.log((first + 1) / (second + 1))) for first, second in pairs) / len(pairs))


def _balance(facts: VersionFacts) -> float:
    """Of the rarest label to the commonest, as a number of hundred."""
    return 100 * facts.rarest_label_items / max(1, facts.commonest_label_items)
