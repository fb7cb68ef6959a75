"""Which fractions of a dataset's items validate and test."""

from __future__ import annotations

from automl.contracts.dataset import SplitShares
from studio.datasets.models import Dataset


def dataset_shares(dataset: Dataset) -> SplitShares:
    """The dataset's shares."""
    return SplitShares(validation_fraction=dataset.validation_fraction, test_fraction=dataset.test_fraction)
