"""Pages of items and positions among them, at the same cost wherever in a million items they lie.

No step looks at more than a window of an index. A filter that matches next to nothing gives short or empty pages with a cursor
behind them, and never one slow page.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db import connection
from django.db.models import F, QuerySet, Window
from django.db.models.expressions import RawSQL
from django.db.models.functions import RowNumber

from studio.common.paging import Page, cursor_decode, cursor_encode
from studio.datasets.items.filters import FilterIndex, ItemFilter, filter_index
from studio.datasets.items.lookup import items_read
from studio.datasets.models import Dataset, Item

WINDOW = 4000
"""Entries of an index that one page looks at before it gives what it has."""
POSITIONS_WINDOW = 50_000
"""The same for a part of the positions, where each entry is looked at."""
CELLS_WINDOW = 10_000
"""The same where each entry's cells are read, which takes some 10 µs."""
SEGMENT = 200
"""Items from one position to the next: one page."""
JUMPS = 500
"""Positions in a part where every entry is a match: nothing but the index is read."""
SPARSE = 4000
"""Up to so many matches in a part of the positions all are named: looking for a segment of them would take many steps."""


@dataclass(frozen=True)
class Positions:
    """Where every so many-th match starts, so that a scroll bar can jump."""

    starts: list[str]
    """Ids of the first item of each segment, in order."""
    num_items: int
    """Matches in these segments; each but the last has ``SEGMENT``."""
    ids: list[str] | None
    """All matches, where they lie so far apart that looking for them again would be slow; they are few then."""
    next_cursor: str | None
    """None when the end of the dataset was reached."""


def item_page(
    dataset: Dataset, *, criteria: ItemFilter, cursor: str | None, limit: int, start: str = "", stop: str = ""
) -> Page[Item]:
    """Cuts a page out of a dataset's items, oldest first.

    Args:
        dataset: whose items.
        criteria: which of them.
        cursor: where the page before ended.
        limit: items in a page; a page that is not the last may hold fewer, or none.
        start: the first id that may come.
        stop: the first id that may not.
    """
    ids, next_id = item_ids(
        filter_index(dataset, criteria), after=cursor_decode(Item, "id", cursor), limit=limit, start=start, stop=stop
    )
    rows = items_read(ids)
    return Page([rows[item] for item in ids if item in rows], None if next_id is None else cursor_encode(next_id))


def item_ids(
    walk: FilterIndex, *, after: str = "", limit: int, start: str = "", stop: str = "", window: int | None = None
) -> tuple[list[str], str | None]:
    """The next matches, and the id behind which to go on; None at the end. ``window`` is ``WINDOW`` unless given."""
    if walk.is_exact:
        found = list(walk.ids(after=after, start=start, stop=stop)[: limit + 1])
        return found[:limit], found[limit - 1] if len(found) > limit else None
    is_sparse = walk.rest or walk.cells is not None
    end = walk.window_end((window or WINDOW) if is_sparse else limit + 1, after=after, start=start, stop=stop)
    if walk.cells is None:
        found = list(walk.ids(after=after, start=start, stop=stop, until=end or "")[: limit + 1])
    else:
        found = list(islice(walk.matching(after=after, start=start, stop=stop, until=end or ""), limit + 1))
    if len(found) > limit:
        return found[:limit], found[limit - 1]
    return found, end


def item_positions(dataset: Dataset, *, criteria: ItemFilter, cursor: str | None) -> Positions:
    """Finds the next part of the positions of a filter's matches."""
    walk = filter_index(dataset, criteria)
    after = cursor_decode(Item, "id", cursor)
    if walk.is_exact:
        return _jumped(walk, after)
    end = walk.window_end(POSITIONS_WINDOW if walk.cells is None else CELLS_WINDOW, after=after)
    if walk.cells is not None:
        read = list(walk.matching(after=after, until=end or ""))
        return Positions(read[::SEGMENT], len(read), read, None if end is None else cursor_encode(end))
    ids = walk.ids(after=after, until=end or "")
    next_cursor = None if end is None else cursor_encode(end)
    found = list(ids[: SPARSE + 1])
    if len(found) <= SPARSE:
        return Positions(found[::SEGMENT], len(found), found, next_cursor)
    starts, num_items = _every(ids, walk)
    return Positions(starts, num_items, None, next_cursor)


def _jumped(walk: FilterIndex, after: str) -> Positions:
    """Positions where every entry of the index is a match: one statement jumps from segment to segment."""
    behind = walk.marks.filter(**{f"{walk.key}__gt": RawSQL("s.last", [])}).order_by(walk.key).values_list(walk.key)
    first, first_values = behind[:1].query.sql_with_params()
    last, last_values = behind[SEGMENT - 1 : SEGMENT].query.sql_with_params()
    sql = f"""
        WITH RECURSIVE s(number, first, last) AS (
            SELECT 0, CAST(NULL AS varchar(40)), CAST(%s AS varchar(40))
            UNION ALL SELECT s.number + 1, ({first}), ({last}) FROM s WHERE s.last IS NOT NULL AND s.number < {JUMPS}
        ) SELECT first, last FROM s WHERE first IS NOT NULL ORDER BY number
    """  # noqa: S608 - made by the query compiler
    with connection.cursor() as cursor:
        cursor.execute(sql, [after, *first_values, *last_values])
        segments = cursor.fetchall()
    starts = [segment[0] for segment in segments]
    num_items = len(segments) * SEGMENT
    if segments and segments[-1][1] is None:
        num_items += walk.ids(start=starts[-1]).count() - SEGMENT
    is_more = len(segments) == JUMPS and segments[-1][1] is not None
    return Positions(starts, num_items, None, cursor_encode(segments[-1][1]) if is_more else None)


def _every(ids: QuerySet[Any], walk: FilterIndex) -> tuple[list[str], int]:
    if len(walk.ranges) > 1:  # a number before DISTINCT would count an item once a label
        found = list(ids)
        return found[::SEGMENT], len(found)
    numbered = ids.annotate(place=(Window(RowNumber(), order_by=F(walk.key).asc()) - 1) % SEGMENT)
    starts: list[str] = list(numbered.filter(place=0))
    if not starts:
        return [], 0
    return starts, (len(starts) - 1) * SEGMENT + ids.filter(**{f"{walk.key}__gte": starts[-1]}).count()
