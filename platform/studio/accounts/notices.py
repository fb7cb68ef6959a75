"""Notices: what people should know of, in the app and, where they have not seen it there, by mail."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.accounts.access import Principal
from studio.accounts.models import Notice, User
from studio.accounts.project_roles import access_of, project_members, role_of_member

logger = logging.getLogger(__name__)
words = Words(__file__)

NoticeKind = Literal["mention", "reply", "campaign", "returned", "disputes"]
"""Somebody names one in a comment; answers one's comment; shares work out; returns one's label; answers differ."""

MAIL_AFTER = timedelta(minutes=5)
"""So long a notice waits to be read in the app before it is mailed."""
KEPT = timedelta(days=90)
MOST_OF_A_MAIL = 20
MOST_OF_A_TEXT = 160
"""Characters of a comment in a notice."""


def notices_add(
    *,
    users: Collection[str],
    workspace: str,
    project: str,
    kind: NoticeKind,
    subject: str,
    path: str,
    by: Principal,
    values: Mapping[str, object] | None = None,
) -> None:
    """Adds a notice for members of a workspace, each once; nobody gets one about what they did themselves.

    Args:
        users: ids.
        workspace: where it happened.
        project: in which project; nobody is told who does not see it.
        kind: what.
        subject: id of what it is about.
        path: the page that it leads to, from ``/`` on.
        by: whose doing it is.
        values: what the sentence of the kind names.
    """
    rows = (
        Notice(
            user_id=user,
            workspace_id=workspace,
            project=project,
            kind=kind,
            subject=subject,
            by=by.user,
            values=dict(values or {}),
            path=path,
            mail_at=mail_at,
        )
        for user, mail_at in _recipients(users, workspace, project, by)
    )
    Notice.objects.bulk_create(rows, ignore_conflicts=True)


def _recipients(users: Collection[str], workspace: str, project: str, by: Principal) -> list[tuple[str, datetime | None]]:
    """Ids of those who see the project, but of whoever did it, each with when they get mail, if they do."""
    members = project_members(workspace, project).filter(user__in=list(users), user__is_active=True).exclude(user=by.id)
    mail_at = timezone.now() + MAIL_AFTER if settings.HAS_MAIL else None
    found = [row for row in members.select_related("user") if role_of_member(row) is not None]
    return [(row.user_id, mail_at if row.user.has_notice_mail else None) for row in found]


def notices_withdraw(subject: str) -> None:
    """Removes the notices about something that is gone."""
    Notice.objects.filter(subject=subject).delete()


def notices_of(principal: Principal) -> QuerySet[Notice]:
    """A person's notices, of the workspaces that they are still in and the projects that they still see."""
    of_none = Q(project="", workspace__in=list(principal.memberships))
    rows = Notice.objects.filter(of_none | principal.sight.of("project", "workspace"), user=principal.id)
    return rows.select_related("by", "workspace")


def notices_read(principal: Principal, ids: Sequence[str] | None, *, now: datetime | None = None) -> int:
    """Marks notices as read, all where no ids are given; returns how many were not."""
    rows = Notice.objects.filter(user=principal.id, read_at=None)
    if ids is not None:
        rows = rows.filter(id__in=list(ids))
    return rows.update(read_at=now or timezone.now(), mail_at=None)


def notice_text(row: Notice) -> Text:
    """The text of a notice."""
    by = row.by.name if row.by is not None else words("notice.somebody")
    return words(f"notice.{row.kind}", by=by, **row.values)


def excerpt(text: str) -> str:
    """The beginning of what somebody wrote, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= MOST_OF_A_TEXT else f"{line[: MOST_OF_A_TEXT - 1]}…"


def notices_mail(*, now: datetime | None = None) -> int:
    """Mails what nobody has read meanwhile, one mail a person; returns how many mails.

    A mail that the server for mail refuses is tried again by the next call.
    """
    now = now or timezone.now()
    due = Notice.objects.filter(mail_at__lte=now, read_at=None).select_related("by", "user").order_by("id")
    by_person: dict[User, list[Notice]] = defaultdict(list)
    for row in due[:1000]:
        by_person[row.user].append(row)
    num_sent = 0
    for user, rows in by_person.items():
        # Marked first, in a transaction that a failure takes back: a mail may then come twice, but is never lost.
        try:
            with transaction.atomic():
                Notice.objects.filter(id__in=[row.id for row in rows]).update(mail_at=None)
                if not (seen := _seen(user, rows)):
                    continue
                _mail(user, seen)
        except OSError:  # smtplib's errors are such
            logger.warning("a mail with notices could not be sent", exc_info=True)
            continue
        num_sent += 1
    return num_sent


def _seen(user: User, rows: Sequence[Notice]) -> list[Notice]:
    """Those of workspaces and projects that the person still sees."""
    access = access_of(user.id)
    return [row for row in rows if access.role_in(row.workspace_id, row.project or None) is not None]


def _mail(user: User, rows: Sequence[Notice]) -> None:
    shown = [
        {"text": notice_text(row).in_language(user.language), "link": f"{settings.PUBLIC_URL}{row.path}"}
        for row in rows[:MOST_OF_A_MAIL]
    ]
    context = {"user": user, "language": user.language, "notices": shown, "num_notices": len(rows), "link": settings.PUBLIC_URL}
    subject, body = (render_to_string(f"accounts/email/notices_{part}.txt", context).strip() for part in ("subject", "message"))
    send_mail(subject, body, settings.DEFAULT_FROM_EMAIL, [user.email])


def notices_prune(*, now: datetime | None = None) -> int:
    """Forgets notices that were kept long enough; returns how many."""
    num, _ = Notice.objects.filter(created_at__lt=(now or timezone.now()) - KEPT).delete()
    return num
