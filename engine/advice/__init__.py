"""What more items would bring, from learning curves of a quick head: the job ``advice``."""

from __future__ import annotations

from automl.contracts.listing import kind_names

_ITEMS, _ANSWERS = "engine.advice.items", "engine.advice.answers"


def can_be_advised(items: str, answers: str) -> bool:
    """Whether a quick head can stand for models of this kind.

    Args:
        items: kind of items that the model reads.
        answers: kind of its answers.
    """
    return items in kind_names(_ITEMS) and answers in kind_names(_ANSWERS)
