"""The written table of a model's stages."""

from __future__ import annotations

from studio.registry.errors import ArtefactStageError
from studio.registry.models import Stage

MOVES: dict[Stage, frozenset[Stage]] = {
    Stage.NONE: frozenset({Stage.CANDIDATE, Stage.PRODUCTION, Stage.ARCHIVED}),
    Stage.CANDIDATE: frozenset({Stage.NONE, Stage.PRODUCTION, Stage.ARCHIVED}),
    Stage.PRODUCTION: frozenset({Stage.CANDIDATE, Stage.ARCHIVED}),
    Stage.ARCHIVED: frozenset({Stage.NONE, Stage.CANDIDATE}),
}
REPLACED_BECOMES = Stage.CANDIDATE
"""What the production model becomes when another takes its place: it was good enough, so going back is one step."""


def stage_check(before: Stage, after: Stage) -> None:
    """Refuses a move that the table does not have.

    Raises:
        ArtefactStageError: with the moves there are.
    """
    if after not in MOVES[before]:
        raise ArtefactStageError(before=before, after=after, allowed=sorted(MOVES[before]))
