"""Ways to make a graph smaller, a package each, found by listing. Without torch, but for each ``work``."""

from __future__ import annotations

from automl.contracts.listing import kind_in, kind_names
from automl.contracts.task import TaskSpec
from engine.compress.method import Method


def method_names() -> tuple[str, ...]:
    """All there are."""
    return kind_names(__name__)


def method_of(name: str) -> Method:
    """One by its name.

    Raises:
        UnknownNameError: there is none.
    """
    method: Method = kind_in(__name__, name)
    return method


def methods_for(task: TaskSpec) -> tuple[Method, ...]:
    """The ways that suit the models of a task; none where its models are no networks."""
    known = (method_of(name) for name in method_names())
    return tuple(method for method in known if task.consumes in method.consumes and task.modality in method.reads)
