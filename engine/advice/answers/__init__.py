"""Heads that answer as models do. A module a kind of answers, found by listing, with its ``KIND``; others get no advice."""

from __future__ import annotations

from automl.contracts.listing import kind_in
from engine.advice.learner import AnswersKind


def answers_kind(name: str) -> AnswersKind:
    """The kind of that name.

    Raises:
        UnknownNameError: there is none; the message names it.
    """
    kind: AnswersKind = kind_in(__name__, name)
    return kind
