"""Celery tasks of deployments; the clock in settings calls them."""

from __future__ import annotations

from celery import shared_task

from studio.deployments.alerts.judge import alerts_judge
from studio.deployments.alerts.sending import deliveries_send
from studio.deployments.gateway import serving_rebuild
from studio.deployments.logs import log_collect, log_prune
from studio.deployments.retraining.judge import retraining_advance, retraining_judge
from studio.deployments.rollouts import rollouts_advance


@shared_task
def alerts_judge_task(is_slow: bool = False) -> None:
    """Judges what deployments are watched for; what takes long only every hour."""
    alerts_judge(is_slow=is_slow)


@shared_task
def alerts_send_task() -> None:
    """Sends the messages about alerts that are due."""
    deliveries_send()


@shared_task
def log_collect_task() -> None:
    """Turns new lines of the prediction log into rows."""
    log_collect()


@shared_task
def log_prune_task() -> None:
    """Forgets what is too old."""
    log_prune()


@shared_task
def retraining_advance_task() -> None:
    """Offers the models of trainings that retrain rules started."""
    retraining_advance()


@shared_task
def retraining_judge_task() -> None:
    """Starts the trainings that are due by retrain rules."""
    retraining_judge()


@shared_task
def rollouts_advance_task() -> None:
    """Judges candidates and changes their shares."""
    rollouts_advance()


@shared_task
def serving_rebuild_task() -> None:
    """Puts the prediction server's folder right, whatever happened to it."""
    serving_rebuild()
