"""Ways of training, by what a task consumes: in batches, or on all rows at once. A module each, found by listing.

The jobs ``train``, ``evaluate`` and ``refit`` are written once, beside this package; a way fills in their steps (``way.py``).
"""

from __future__ import annotations

from automl.contracts.listing import kind_in, kind_names
from engine.errors import JobInvalidError
from engine.tasks import task_spec
from engine.training.way import Way


def way_of(task: str) -> Way:
    """The way in which models of a task are trained.

    Args:
        task: its name.

    Raises:
        JobInvalidError: there is no such task, or no way to train what it consumes.
    """
    try:
        consumed = task_spec(task).consumes
    except ValueError as error:
        raise JobInvalidError(str(error)) from error
    for name in kind_names(__name__):
        way: Way = kind_in(__name__, name)
        if consumed in way.consumes:
            return way
    raise JobInvalidError(f"There is no way to train what consumes {consumed}.")
