"""What the target of a table can be: a module each, found by the annotation that the task's spec asks for."""

from __future__ import annotations

from automl.contracts.listing import kind_in, kind_names
from studio.datasets.tables.targets.kind import TargetKind
from studio.projects.catalog import annotation_schema
from studio.projects.models import Project

_KINDS: tuple[TargetKind, ...] = tuple(kind_in(__name__, name) for name in kind_names(__name__))


def target_kind(project: Project) -> TargetKind:
    """The kind of the target of a project of rows, as the project's options stand.

    Raises:
        LookupError: no kind gives an annotation that the project takes; the message names those.
    """
    kinds = annotation_schema(project).kinds
    chosen = next((kind for kind in _KINDS if kind.annotation in kinds), None)
    if chosen is None:
        raise LookupError(f"no kind of target gives any of {', '.join(kinds)}")
    return chosen
