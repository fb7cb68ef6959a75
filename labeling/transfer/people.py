"""The people of an archive. Annotations name them by id, and the ids of versions depend on it, so ids are never rewritten.

Whoever is on this platform under the same id and address is that person. Whoever is not becomes an account with a name that
nobody can sign in to, so that histories read as before.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from labeling.transfer.errors import ArchiveInvalidError
from studio.accounts.models import Membership, User

MENTION = re.compile(rb"usr_[0-9a-z]{26}")
_ADDRESS = "{id}@archive.invalid"
"""Of an account that only carries a name; the domain can never exist (RFC 2606)."""


def people_out(ids: Collection[str]) -> list[dict[str, str]]:
    """Names and addresses of people."""
    rows = User.objects.filter(id__in=list(ids)).order_by("id").values("id", "name", "email")
    return [{"id": row["id"], "name": row["name"], "email": row["email"]} for row in rows]


def people_in(people: Sequence[Any], *, workspace: str) -> int:
    """Makes sure that each person of an archive has a name here; returns how many were added.

    Raises:
        ArchiveInvalidError: an id belongs to somebody else here.
    """
    made = []
    for person in people:
        if not isinstance(person, dict) or set(person) != {"id", "name", "email"}:
            raise ArchiveInvalidError("people.json", "person_incomplete")
        id_, name, email = (str(person[field]) for field in ("id", "name", "email"))
        if not MENTION.fullmatch(id_.encode()):
            raise ArchiveInvalidError("people.json", "id_invalid")
        known = User.objects.filter(id=id_).first()
        if known is None:
            account = User(id=id_, name=name[:120], email=_ADDRESS.format(id=id_), is_active=False)
            account.set_unusable_password()
            made.append(account)
        elif known.email.lower() != email.lower() and known.is_active and not _is_member(known, workspace):
            raise ArchiveInvalidError("people.json", "person_other", person=id_)
    User.objects.bulk_create(made)
    return len(made)


def _is_member(user: User, workspace: str) -> bool:
    return Membership.objects.filter(user=user, workspace=workspace).exists()
