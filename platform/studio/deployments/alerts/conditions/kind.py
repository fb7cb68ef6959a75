"""The interface of a condition: one that holds for a while, or one that happens once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar

from automl.contracts.base import Text
from studio.deployments.alerts.models import Alert, AlertEvent, AlertRules
from studio.deployments.alerts.recording import Figures, alert_begin, alert_end, alert_happened
from studio.deployments.models import Deployment

CALMER = 0.8
"""Where an alert stands, limits are this much lower, so that figures about a limit do not begin and end one every minute."""


@dataclass(frozen=True)
class Limit:
    """A number that people choose."""

    default: float
    least: float
    most: float
    label: Text
    """Which side of the number is bad, and its unit."""


@dataclass(frozen=True)
class Watch:
    """What is looked at."""

    deployment: Deployment
    limit: float
    """Chosen by people; 0 where the condition has none."""
    since: datetime
    """When people switched the condition on."""
    now: datetime
    is_standing: bool = False
    """Whether it held at the look before."""


@dataclass(frozen=True)
class Finding:
    """What a look found."""

    holds: bool
    figures: Figures


@dataclass(frozen=True)
class Occurrence:
    """Something that happened once."""

    subject: str
    at: datetime
    figures: Figures


class Condition(ABC):
    """What each file calls ``KIND``."""

    name: ClassVar[str]
    """That of its file."""
    place: ClassVar[int]
    """In the form."""
    title: ClassVar[Text]
    limit: ClassVar[Limit | None] = None
    is_on: ClassVar[bool] = True
    """Where nobody has chosen."""
    is_slow: ClassVar[bool] = False
    """Looked at every hour instead of every minute."""

    @abstractmethod
    def judge(self, rules: AlertRules, watch: Watch) -> None:
        """Looks, and writes down what begins, ends or happened."""

    @abstractmethod
    def message(self, event: AlertEvent, figures: Figures) -> Text:
        """A sentence about what was found."""


class LastingCondition(Condition):
    """Holds for a while."""

    def judge(self, rules: AlertRules, watch: Watch) -> None:
        """Looks, and compares with the look before."""
        alert = Alert.objects.filter(deployment=watch.deployment, condition=self.name, ended_at=None).first()
        finding = self.check(replace(watch, is_standing=alert is not None))
        if finding is None or finding.holds == (alert is not None):
            return
        if alert is None:
            alert_begin(rules, self.name, figures=finding.figures, at=watch.now)
        else:
            alert_end(rules, alert, figures=finding.figures, at=watch.now)

    @abstractmethod
    def check(self, watch: Watch) -> Finding | None:
        """Whether it holds; None if that cannot be judged, so that its state stays."""


class MomentaryCondition(Condition):
    """Happens once."""

    def judge(self, rules: AlertRules, watch: Watch) -> None:
        """Writes down what happened since the condition was switched on, each once."""
        alerts = Alert.objects.filter(deployment=watch.deployment, condition=self.name).exclude(subject="")
        known = set(alerts.values_list("subject", flat=True))
        for each in self.happened(watch):
            if each.subject not in known:
                alert_happened(rules, self.name, subject=each.subject, figures=each.figures, at=each.at)

    @abstractmethod
    def happened(self, watch: Watch) -> Iterator[Occurrence]:
        """What happened."""
