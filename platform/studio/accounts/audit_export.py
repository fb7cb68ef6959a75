"""The audit trail as a file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

from django.db.models import QuerySet

from studio.accounts.audit_chain import row_content
from studio.accounts.audit_words import row_sentence
from studio.accounts.models import AuditRow

COLUMNS = ("seq", "at", "actor", "actor_id", "action", "text", "subject", "project", "address", "detail", "sha256")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What spreadsheets take for the beginning of a formula."""


def export_chunks(rows: QuerySet[AuditRow], form: str, language: str) -> Iterator[bytes]:
    """The file, row by row.

    Args:
        rows: sealed ones, in their order.
        form: ``csv`` has a sentence in the language asked for; ``jsonl`` has what was sealed and its hash, so that whoever has
            the file can go through the chain.
        language: ``en`` or ``zh``.
    """
    if form == "jsonl":
        for row in rows.iterator(chunk_size=500):
            content = row_content(row) | {"sha256": row.sha256}
            yield json.dumps(content, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        return
    yield b"\xef\xbb\xbf" + _csv_line(COLUMNS)
    for row in rows.iterator(chunk_size=500):
        yield _csv_line(_cells(row, language))


def cell_quoted(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: an apostrophe stands before one that would be."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _cells(row: AuditRow, language: str) -> tuple[str, ...]:
    sentence = row_sentence(row)
    return (
        str(row.seq),
        row.created_at.isoformat(timespec="seconds"),
        row.actor_name,
        row.actor_id,
        row.action,
        sentence.in_language(language),
        row.subject,
        row.project,
        row.address,
        json.dumps(row.detail, ensure_ascii=False, sort_keys=True) if row.detail else "",
        row.sha256,
    )


def _csv_line(cells: tuple[str, ...]) -> bytes:
    line = io.StringIO()
    csv.writer(line).writerow([cell_quoted(cell) for cell in cells])
    return line.getvalue().encode("utf-8", "replace")
