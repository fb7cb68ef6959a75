"""Kinds of answers where models are trained. A module each, found by listing; the runtime's half is ``runtime.answers``."""

from __future__ import annotations

from automl.contracts.listing import kind_in
from automl.contracts.task import OutputKind
from engine.answers.kind import AnswerKind, Averaging

__all__ = ["AnswerKind", "Averaging", "answer_kind"]


def answer_kind(output: OutputKind) -> AnswerKind:
    """The kind of that name.

    Raises:
        ValueError: there is none; the message names it.
    """
    kind: AnswerKind = kind_in(__name__, output.value)
    return kind
