"""What is known of a way to make a graph smaller before it is tried. Without torch.

A package of ``methods`` each, with its ``Method`` as ``KIND``; its module ``work`` has ``make(graph) -> SmallerGraph``, which
raises ``NoCandidateError`` where nothing is to be made of a model.
"""

from __future__ import annotations

from dataclasses import dataclass

from automl.contracts.base import Text
from automl.contracts.family import FeatureKind
from automl.contracts.modality import Modality

_ROWS, _TEXT_LINES = FeatureKind.ROWS, FeatureKind.TEXT_LINES
NETWORKS = frozenset(FeatureKind) - {_ROWS}
"""What tasks consume whose models are networks. Those of rows are mostly trees, which hold no products to be made cheaper."""
SINGLE_NETWORKS = NETWORKS - {_TEXT_LINES}
"""Of them those whose models have one graph, which is asked many times about each item of the calibration."""
CLASSIFIERS = frozenset({FeatureKind.VECTOR})
"""What tasks consume whose models give scores of labels."""


@dataclass(frozen=True)
class Method:
    """One way to make a model smaller."""

    name: str
    """Of its package."""
    title: Text
    """What people call it."""
    summary: Text
    """What it does, in one sentence."""
    consumes: frozenset[FeatureKind] = NETWORKS
    """What the tasks consume whose models it suits."""
    reads: frozenset[Modality] = frozenset(Modality)
    """What they read."""
    is_trained: bool = False
    """Whether it trains: it needs the model's weights and takes longer."""
