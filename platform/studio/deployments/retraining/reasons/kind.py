"""The interface of a reason, and how it is checked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from automl.contracts.base import Text
from studio.deployments.alerts.conditions.kind import Limit
from studio.deployments.alerts.recording import Figures
from studio.deployments.models import Deployment


@dataclass(frozen=True)
class Observation:
    """The state of a deployment that a reason judges."""

    deployment: Deployment
    limit: float
    now: datetime
    since: datetime
    """When the newest version was cut that the model in service, or the latest training of the rule, has learned from."""
    holds_since: datetime | None
    """Since when the reason has held; None where it did not at the look before."""


@dataclass(frozen=True)
class Finding:
    """What came of a look."""

    holds: bool
    is_due: bool
    """Whether to train again; never where it does not hold."""
    figures: Figures


class Reason(ABC):
    """What each file calls ``KIND``."""

    name: ClassVar[str]
    """That of its file."""
    place: ClassVar[int]
    """In the form."""
    title: ClassVar[Text]
    limit: ClassVar[Limit]

    @abstractmethod
    def look(self, look: Observation) -> Finding | None:
        """Whether it holds; None if that cannot be judged, so that its state stays."""

    @abstractmethod
    def message(self, figures: Figures) -> Text:
        """A sentence about what was found."""
