"""Pieces of a page. What goes in is escaped unless it was made here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

EMPTY = SafeString("")


def joined(parts: Iterable[object]) -> SafeString:
    """One piece behind the other."""
    return format_html_join("", "{}", ((part,) for part in parts))


def section(title: str, body: object, note: str = "") -> SafeString:
    """A titled part of the page, with a sentence that says how to read it."""
    paragraph = format_html('<p class="note">{}</p>', note) if note else EMPTY
    return format_html("<section><h3>{}</h3>{}{}</section>", title, paragraph, body)


def table(head: Sequence[object], rows: Iterable[Sequence[object]], *, num_texts: int = 1) -> SafeString:
    """A table whose first columns are texts and whose others are numbers.

    Args:
        head: titles of the columns.
        rows: cells of each row, as many as there are titles.
        num_texts: columns of texts.
    """
    titles = joined(_cell("th", index, title, num_texts) for index, title in enumerate(head))
    lines = joined(
        format_html("<tr>{}</tr>", joined(_cell("td", index, cell, num_texts) for index, cell in enumerate(row)))
        for row in rows
    )
    return format_html('<div class="wide"><table><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>', titles, lines)


def facts(pairs: Iterable[tuple[str, object]]) -> SafeString:
    """Names with their values."""
    return format_html("<dl>{}</dl>", format_html_join("", "<div><dt>{}</dt><dd>{}</dd></div>", pairs))


def _cell(tag: str, index: int, content: object, num_texts: int) -> SafeString:
    kind = "" if index < num_texts else ' class="num"'
    return format_html("<{0}{1}>{2}</{0}>", SafeString(tag), SafeString(kind), content)
