"""Whose work it is that a client kept while it could not send it."""

from __future__ import annotations

from labeling.errors import AnotherPersonError
from studio.accounts.access import Principal
from studio.common.errors import PermissionDeniedError


def journal_check(actor: Principal, person: str | None) -> None:
    """Refuses changes that another person made.

    Args:
        actor: who sends.
        person: id of the person who did it; None: the client does not know.

    Raises:
        AnotherPersonError: another person is signed in; signing in as the one who did it helps.
        PermissionDeniedError: a key, which is no person.
    """
    if person is None or person == actor.id:
        return
    if actor.kind == "user":
        raise AnotherPersonError
    raise PermissionDeniedError("An API key sends no work of a person.", hint="Leave out `person`.")
