"""Collects what is found item by item: blocking problems one by one, advice once for all items that it concerns."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from automl.contracts.task import Problem, Severity
from automl.contracts.words import Words
from engine.errors import EngineError
from engine.preflight.items.kind import Looked

MOST_BLOCKING = 200
"""Items that are listed one by one."""


words = Words(__file__)


@dataclass
class Found:
    """What was found so far; ``refused.<code>``, ``fault.<code>`` and ``remedy.<code>`` are keys of the words."""

    num_read: int = 0
    blocking: list[Problem] = field(default_factory=list)
    error: EngineError | None = None
    _named: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))

    def refuse(self, item: str, name: str, error: EngineError) -> None:
        """An item that ends every trial."""
        self.error = self.error or error
        if len(self.blocking) < MOST_BLOCKING:
            message = words(f"refused.{error.code}", name=name)
            remedy = words("remedy.refused")
            self.blocking.append(
                Problem(code=error.code, severity=Severity.BLOCKING, item=item, message=message, remedy=remedy)
            )

    def advise(self, code: str, item: str, name: str) -> None:
        """An item that a person should look at."""
        self._named[code].append((item, name))

    def looked(self) -> Looked:
        """All of it."""
        advice = [
            Problem(
                code=code,
                severity=Severity.ADVISORY,
                item=named[0][0],
                message=words(f"fault.{code}", count=len(named), name=named[0][1]),
                remedy=words(f"remedy.{code}"),
            )
            for code, named in self._named.items()
        ]
        return Looked((*self.blocking, *advice), self.num_read, self.error)
