"""Which items a person may choose from, by one statement: everybody who labels asks it again and again."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from labeling.next_item import Candidate
from studio.common.writes import Writes

_FREE = """i.dataset_id = %(dataset)s AND i.deleted_at IS NULL AND i.state = 'unlabelled' AND {not_skipped}
    AND NOT EXISTS (SELECT 1 FROM labeling_assignment a WHERE a.item_id = i.id AND a.holder <> %(holder)s)"""
_SKIPPED = {
    "postgresql": "i.id <> ALL(%(skip)s::text[])",
    "sqlite": "i.id NOT IN (SELECT value FROM json_each(%(skip)s))",
}
_QUEUE = {
    "postgresql": "jsonb_array_elements_text(q.queue) WITH ORDINALITY AS u(value, key)",
    "sqlite": "json_each(q.queue) AS u",
}
"""The queue's items with their places."""


def _sql(vendor: str) -> tuple[str, list[str]]:
    """The statement and what stands at its marks."""
    free = _FREE.format(not_skipped=_SKIPPED[vendor])
    sql = f"""
    SELECT 'mine', i.id, CAST(NULL AS double precision) FROM labeling_assignment m JOIN datasets_item i ON i.id = m.item_id
    WHERE m.dataset_id = %(dataset)s AND m.holder = %(holder)s AND {free}
    UNION ALL SELECT * FROM (
        SELECT 'unsure', i.id, s.uncertainty_fraction FROM labeling_suggestion s JOIN datasets_item i ON i.id = s.item_id
        WHERE s.dataset_id = %(dataset)s AND s.uncertainty_fraction IS NOT NULL AND {free}
        ORDER BY s.uncertainty_fraction DESC LIMIT %(count)s
    ) AS most_unsure
    UNION ALL SELECT 'useful', i.id, u.key
    FROM assist_assist q CROSS JOIN {_QUEUE[vendor]} JOIN datasets_item i ON i.id = u.value
    WHERE q.dataset_id = %(dataset)s AND {free}
    UNION ALL SELECT * FROM (
        SELECT 'oldest', i.id, CAST(NULL AS double precision) FROM datasets_item i WHERE {free}
        ORDER BY i.id LIMIT 2 * %(count)s
    ) AS first_of_all"""  # noqa: S608 - constants
    return _NAMED.sub("%s", sql), _NAMED.findall(sql)


_NAMED = re.compile(r"%\((\w+)\)s")
_SQL = {vendor: _sql(vendor) for vendor in _SKIPPED}


@dataclass
class Candidates:
    """What a person may choose from."""

    mine: set[str] = field(default_factory=set)
    """Items that the person holds."""
    items: list[Candidate] = field(default_factory=list)
    """Those that are held, the most unsure, those that the strategy ranks, and the oldest; each once."""


def candidates_read(writes: Writes, *, dataset: str, holder: str, skip: Collection[str], count: int) -> Candidates:
    """Reads the unlabelled items of a dataset from which so many are chosen, behind what ``writes`` holds.

    Of the oldest there are enough though all that are most unsure were among them.

    Args:
        writes: what is sent before.
        dataset: its id.
        holder: who chooses; what others hold is left out.
        skip: ids of items that are left out too.
        count: how many are chosen.
    """
    skipped = list(skip) if connection.vendor == "postgresql" else json.dumps(list(skip))
    found = Candidates()
    known: dict[str, dict[str, Any]] = {}
    values = {"dataset": dataset, "holder": holder, "skip": skipped, "count": count}
    sql, names = _SQL[connection.vendor]
    for kind, item, number in writes.ask(sql, [values[name] for name in names]):
        known.setdefault(item, {})[kind] = number
    found.mine = {item for item, told in known.items() if "mine" in told}
    found.items = [Candidate(item, told.get("unsure"), told.get("useful")) for item, told in known.items()]
    return found
