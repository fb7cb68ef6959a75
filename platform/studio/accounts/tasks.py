"""Celery tasks of accounts."""

from __future__ import annotations

from celery import shared_task
from django.core.management import call_command

from studio.accounts.attempts import failures_prune
from studio.accounts.audit_chain import audit_prune, audit_seal_all
from studio.accounts.keys import keys_expire
from studio.accounts.notices import notices_mail, notices_prune
from studio.accounts.rates import rates_prune


@shared_task
def sign_in_failures_prune_task() -> None:
    """Deletes old failed sign-ins and sessions that have run out."""
    failures_prune()
    call_command("clearsessions")


@shared_task
def audit_seal_task() -> None:
    """Seals rows of the audit trail that a crash left."""
    audit_seal_all()


@shared_task
def audit_prune_task() -> None:
    """Deletes rows of the audit trail that were kept long enough."""
    audit_prune()


@shared_task
def keys_expire_task() -> None:
    """Records API keys whose time is over."""
    keys_expire()


@shared_task
def rates_prune_task() -> None:
    """Deletes counts of requests that no limit counts any more."""
    rates_prune()


@shared_task
def notices_mail_task() -> None:
    """Mails notices that nobody has read in the app."""
    notices_mail()


@shared_task
def notices_prune_task() -> None:
    """Deletes notices that were kept long enough."""
    notices_prune()
