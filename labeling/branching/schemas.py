"""What the endpoints of restoring and branching take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import StringConstraints

from studio.jobs.schemas import JobOut

BranchName = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f]+$")
]


class RestoreIn(Schema):
    """Puts the working state back to a version."""

    project: str
    version: str


class BranchStartIn(Schema):
    """Starts a branch at a version."""

    project: str
    name: BranchName
    version: str


class BranchSwitchIn(Schema):
    """Goes to another branch."""

    project: str
    name: BranchName


class UndoIn(Schema):
    """Undoes a restore, by its job."""

    job: str


class RestoreJobOut(Schema):
    """The job that puts the data back."""

    job: JobOut


class RestoreOut(Schema):
    """A restore that has ended well."""

    job: str
    version: str
    """Where to."""
    version_number: int
    branch: str
    saved: str
    """The version in which the state before was kept."""
    saved_number: int
    num_changed: int
    """Items on which something else is said now."""
    num_unlabelled: int
    """Items that the version does not hold: what was said of them is in the version before and in their history."""
    num_brought_back: int
    """Items that had been deleted."""
    num_kept: int
    """Items that somebody changed while it ran: they stay as that person left them."""
    by: str
    at: datetime
    can_undo: bool


class LastRestoreOut(Schema):
    """The last restore of a project, if any."""

    last: RestoreOut | None
