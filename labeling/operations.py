"""Takes in what a journal holds: many changes at once, each exactly once, and merged with what others annotated meanwhile.

A client keeps its changes in a journal of its own and sends them in order, again and again until each is answered. Every
change has a name (``operation``), so sending one twice changes once; whatever kills the server in between leaves either all
of a request or none of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from django.utils import timezone

from labeling.assist.answers import ShownSuggestion, SuggestionDecision, answers_record
from labeling.errors import AnnotationInvalidError, ItemDeletedError
from labeling.history import revisions_made
from labeling.merge import Clash, Step, merge
from labeling.services import annotations_check, annotations_write_with_history, provenance_of
from studio.accounts.access import Principal
from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError, StudioError
from studio.common.events import event_write
from studio.common.sql.batch import StatementBatch
from studio.datasets.items.annotations import AnnotationWrite, item_annotations
from studio.datasets.items.label_set import takes_several
from studio.datasets.items.lookup import items_lock
from studio.datasets.models import Item


@dataclass(frozen=True)
class Change:
    """One entry of a journal."""

    item: str
    operation: str
    """The client's name for it."""
    step: Step
    choice: Literal["ask", "mine", "theirs"] = "ask"
    """What a person decided where the two clash; ``ask`` before that."""
    seen: int | None = None
    """The revision that the person looked at when deciding: with anything newer the question is open again."""
    shown: ShownSuggestion | None = None
    """The suggestion that the person saw."""


@dataclass
class Outcome:
    """What became of a change."""

    change: Change
    status: Literal["saved", "merged", "conflict", "refused"]
    item: Item | None = None
    """As it is after all changes of the request."""
    revision: int | None = None
    """That the change made; None when it made none."""
    clashes: tuple[Clash, ...] = ()
    error: StudioError | None = None


@dataclass
class _Round:
    """At most one change of each item, so that all of them are written by one statement each table."""

    outcomes: list[Outcome] = field(default_factory=list)
    writes: list[AnnotationWrite] = field(default_factory=list)
    operations: list[str | None] = field(default_factory=list)

    def add(self, outcome: Outcome, write: AnnotationWrite, operation: str | None) -> None:
        self.outcomes.append(outcome)
        self.writes.append(write)
        self.operations.append(operation)


@dataclass
class _Intake:
    """One request's changes on their way into the tables."""

    rows: Mapping[str, Item]
    """Locked, by id."""
    known: dict[tuple[str, str], int]
    """Item and operation of the changes that were made before -> the revision."""
    actor: Principal
    at: datetime
    batch: StatementBatch
    open_clashes: dict[str, tuple[Clash, ...]] = field(default_factory=dict)
    """By item: what waits for a decision."""

    def take(self, changes: Sequence[Change]) -> list[Outcome]:
        """Lays changes, at most one an item, onto their items."""
        first, second = _Round(), _Round()
        outcomes = [self._outcome(change, first, second) for change in changes]
        for turn in (first, second):
            annotations_write_with_history(writes=turn.writes, operations=turn.operations, at=self.at, batch=self.batch)
            for outcome, operation in zip(turn.outcomes, turn.operations, strict=True):
                if operation is not None and outcome.item is not None:
                    outcome.revision = outcome.item.revision
                    self.known[outcome.change.item, operation] = outcome.item.revision
        return outcomes

    def _outcome(self, change: Change, first: _Round, second: _Round) -> Outcome:
        row = self.rows.get(change.item)
        if row is None:
            return Outcome(change, "refused", error=NotFoundError("There is no such item."))
        done = self.known.get((change.item, change.operation))
        if done is not None:
            return Outcome(change, "saved", row, done)
        if row.deleted_at is not None:
            return Outcome(change, "refused", row, error=ItemDeletedError())
        if change.item in self.open_clashes:
            # What came after stands on what is not decided yet.
            return Outcome(change, "conflict", row, clashes=self.open_clashes[change.item])
        return self._lay(change, row, first, second)

    def _lay(self, change: Change, row: Item, first: _Round, second: _Round) -> Outcome:
        """Merges one change and notes what is to be written."""
        project, step, current = row.dataset.project, change.step, item_annotations(row)
        is_decided = change.choice != "ask" and change.seen == row.revision
        several = takes_several(project)
        merged = merge(step, current, takes_several=several)
        if merged.clashes and not is_decided:
            self.open_clashes[change.item] = merged.clashes
            return Outcome(change, "conflict", row, clashes=merged.clashes)
        mine = merge(step, current, takes_several=several, prefer="mine") if is_decided else merged
        try:
            annotations_check(annotations=mine.annotations, project=project, item=row)
        except AnnotationInvalidError as error:
            return Outcome(change, "refused", row, error=error)
        is_alone = set(step.before or ()) <= set(current or ()) if step.has_others else current == step.before
        outcome = Outcome(change, "saved" if is_alone else "merged", row)
        who = provenance_of(self.actor)
        first.add(outcome, AnnotationWrite(row, mine.annotations, who), change.operation)
        if is_decided and change.choice == "theirs" and mine.annotations != merged.annotations:
            second.add(
                outcome,
                AnnotationWrite(row, merged.annotations, row.provenance if merged.annotations == current else who),
                None,
            )
        return outcome


@dataclass(frozen=True)
class Journal:
    """What one request brings, and what it is about."""

    changes: Sequence[Change]
    """As the client made them."""
    items: Mapping[str, Item]
    """Those that the caller can see, by id, with dataset and project; locked."""
    made: dict[tuple[str, str], int]
    """Item and operation of the changes that were made when they were sent before -> the revision."""


def journal_open(sight: Sight, changes: Sequence[Change]) -> Journal:
    """Finds and locks the items that changes are about. Needs a transaction."""
    items = {item.id: item for item in items_lock(sight, {change.item for change in changes})}
    return Journal(changes, items, revisions_made(items.values(), {change.operation for change in changes}))


def changes_save(*, journal: Journal, actor: Principal) -> list[Outcome]:
    """Lays changes onto their items, in order. Needs the transaction in which the journal was opened.

    A change that cannot be taken is reported and leaves the others alone. Where a person decided for the other side, what was
    meant is written into the history all the same, below the side that stands.

    Args:
        journal: the items are brought up to date.
        actor: who speaks; may label all of them.
    """
    batch = StatementBatch()
    intake = _Intake(journal.items, dict(journal.made), actor, timezone.now(), batch)
    outcomes = [outcome for turn in _rounds(journal.changes) for outcome in intake.take(turn)]
    answers_record(answered=list(_answered(outcomes)), batch=batch)
    _record(batch, journal.items.values(), actor)
    batch.send()
    place = {id(change): index for index, change in enumerate(journal.changes)}
    return sorted(outcomes, key=lambda outcome: place[id(outcome.change)])


def _rounds(changes: Sequence[Change]) -> list[list[Change]]:
    """The first change of each item, then the second of each, and so on."""
    turns: list[list[Change]] = []
    count: dict[str, int] = {}
    for change in changes:
        turn = count.get(change.item, 0)
        count[change.item] = turn + 1
        if turn == len(turns):
            turns.append([])
        turns[turn].append(change)
    return turns


def _answered(outcomes: Iterable[Outcome]) -> Iterator[SuggestionDecision]:
    for outcome in outcomes:
        change, made = outcome.change, outcome.revision
        if change.shown is not None and outcome.item is not None and made is not None:
            yield SuggestionDecision(outcome.item, made, change.step.after, change.shown)


def _record(batch: StatementBatch, rows: Collection[Item], actor: Principal) -> None:
    """One event a project, so that pages with one of the items open show its annotations."""
    projects = {row.dataset.project_id: row.dataset for row in rows}
    for project, dataset in projects.items():
        touched = [row.id for row in rows if row.dataset_id == dataset.id]
        event_write(
            batch,
            workspace=dataset.project.workspace_id,
            project=project,
            type="annotation.saved",
            subject=dataset.id,
            data={"items": touched, "by": provenance_of(actor)},
        )
