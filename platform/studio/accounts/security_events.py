"""Events of security: sign-ins, passwords, keys, members, quotas. One function records them all.

Each becomes a row of the audit trail and a line of JSON in the log ``modelyard.security`` for whoever collects logs.
"""

from __future__ import annotations

import json
import logging
from typing import Any

from studio.accounts.access import SYSTEM, Principal
from studio.accounts.audit import audit_record
from studio.accounts.models import Membership, User

_log = logging.getLogger("modelyard.security")


def security_event(
    action: str,
    *,
    person: User | None = None,
    workspace: str | None = None,
    actor: Principal | None = None,
    subject: str = "",
    project: str = "",
    address: str = "",
    detail: dict[str, Any] | None = None,
) -> None:
    """Records an event of security.

    What happens to a person's account (a sign-in, a new password) belongs to no workspace: it goes into the trail of every
    workspace that the person is a member of. What concerns nobody here (a sign-in with an unknown address) is in the log only.

    Args:
        action: one of ``audit_words.TOPICS``, like ``account.sign_in_failed``.
        person: whose account; may be left out where a workspace is given.
        workspace: whose trail, where the event belongs to one.
        actor: who did it; None is the person, or the platform where there is none.
        subject: id of the thing; None is the person.
        project: id of the one that it happened in; empty for what concerns the workspace or an account.
        address: of the network, where it came from (``attempts.client_address``).
        detail: what else is worth knowing; never a password, a key or another secret.
    """
    by = actor or (Principal(kind="user", id=person.id, name=person.name, user=person) if person else SYSTEM)
    about = subject or (person.id if person else by.id)
    if workspace is not None:
        trails = [workspace]
    else:
        trails = list(Membership.objects.filter(user=person).values_list("workspace_id", flat=True)) if person else []
    for trail in trails:
        audit_record(workspace=trail, actor=by, action=action, subject=about, project=project, detail=detail, address=address)
    line = {"action": action, "actor": by.id, "subject": about, "workspaces": trails, "address": address, **(detail or {})}
    _log.info("%s", json.dumps(line, ensure_ascii=False, default=str))
