"""What a pre-flight does with a kind of items. A module beside this one each, with a ``FaultKind`` as ``KIND``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from automl.contracts.task import Problem
from engine.errors import EngineError
from engine.job import Job
from engine.preflight.part import VersionItems


@dataclass(frozen=True)
class Looked:
    """What was found on items."""

    problems: tuple[Problem, ...]
    num_read: int
    """Items that were opened."""
    error: EngineError | None = None
    """What a trial would end with at the first blocking one."""


class FaultKind(Protocol):
    """Opens items and looks for what the shards cannot say."""

    def look(self, items: VersionItems, job: Job, *, time_s: float) -> Looked:
        """Looks at items, the most unusual first, until the time is over.

        Raises:
            StoppedError: the job was asked to stop.
        """
