"""What can go wrong with the database as a file."""

from __future__ import annotations

from studio.common.errors import StudioError


class ToolMissingError(StudioError):
    """PostgreSQL's own programs are not installed here."""

    code = "tool_missing"
    title = "A program is missing"


class DatabaseCopyError(StudioError):
    """The database could not be written to a file or read from one."""

    code = "database_copy_failed"
    title = "The database could not be copied"
