"""The engine's errors: data that crosses the process wall as a ``failed`` event, never a pickle.

Every class has a stable ``code`` that the platform may look at, a message for people and a hint what to do.
"""

from __future__ import annotations


class EngineError(Exception):
    """Base of all errors that a job reports by itself."""

    code = "engine_error"
    hint = "Look into the job's log."
    is_retryable = False

    def __init__(self, message: str, *, hint: str | None = None, items: tuple[str, ...] = ()):
        super().__init__(message)
        self.message = message
        self.hint = hint or type(self).hint
        self.items = items
        """Ids of the items that caused it, when known."""
