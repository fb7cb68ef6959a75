"""What each action of the audit trail means, as a sentence that people read. An action without words here fails a test.

A sentence has the key ``action.<topic>.<action>`` and is filled from the row's detail; where an older row does not have what
it names, the one with ``.plain`` stands in.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.accounts.models import AuditRow
from studio.accounts.quotas import NAMES as QUOTA_NAMES
from studio.accounts.roles import Role

words = Words(__file__)


class Topic(StrEnum):
    """What an action is about, for the filter of the page."""

    SECURITY = "security"
    PROJECTS = "projects"
    DATA = "data"
    LABELS = "labels"
    MODELS = "models"
    DEPLOYMENTS = "deployments"


TOPICS: Mapping[str, Topic] = {
    action: topic for topic in Topic for action in words.below(f"action.{topic.value}") if not action.endswith(".plain")
}
"""By action."""
ROLE_NAMES: Mapping[str, Text] = {role.value: words(f"role.{role.value}") for role in Role}
_NAMED: Mapping[str, Mapping[str, Text]] = {
    "member": ROLE_NAMES,
    "access": ROLE_NAMES,
    "quota": {quota.value: name for quota, name in QUOTA_NAMES.items()},
}
"""First word of an action -> what values in its detail are called."""


def row_sentence(row: AuditRow) -> Text:
    """A row as a sentence."""
    action = row.action
    if action not in TOPICS:
        return Text.same(action)
    if not named_in(action) <= row.detail.keys():
        return words(f"action.{TOPICS[action].value}.{action}.plain")
    names = _NAMED.get(action.partition(".")[0], {})
    values = {name: names.get(str(row.detail[name]), row.detail[name]) for name in named_in(action)}
    return words(f"action.{TOPICS[action].value}.{action}", **values)


def row_topic(row: AuditRow) -> Topic:
    """What a row is about."""
    return TOPICS.get(row.action, Topic.SECURITY)


def named_in(action: str) -> frozenset[str]:
    """What the sentence of an action names of the detail."""
    return words.names(f"action.{TOPICS[action].value}.{action}") if action in TOPICS else frozenset()
