"""Which items a person may choose from, by one statement: everybody who labels asks it again and again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from labeling.next_item import Candidate
from studio.common.sql import dialect
from studio.common.sql.batch import StatementBatch


@dataclass
class Candidates:
    """What a person may choose from."""

    mine: set[str] = field(default_factory=set)
    """Items that the person holds."""
    items: list[Candidate] = field(default_factory=list)
    """Those that are held, the most unsure, those that the strategy ranks, and the oldest; each once."""


def candidates_read(batch: StatementBatch, *, dataset: str, holder: str, skip: Collection[str], count: int) -> Candidates:
    """Reads the unlabelled items of a dataset from which so many are chosen, behind what ``batch`` holds.

    Of the oldest there are enough though all that are most unsure were among them.

    Args:
        batch: what is sent before.
        dataset: its id.
        holder: who chooses; what others hold is left out.
        skip: ids of items that are left out too.
        count: how many are chosen.
    """
    known: dict[str, dict[str, Any]] = {}
    for kind, item, number in batch.fetch(*_query(dataset, holder, skip, count)):
        known.setdefault(item, {})[kind] = number
    return Candidates(
        {item for item, kinds in known.items() if "mine" in kinds},
        [Candidate(item, kinds.get("unsure"), kinds.get("useful")) for item, kinds in known.items()],
    )


def _query(dataset: str, holder: str, skip: Collection[str], count: int) -> tuple[str, list[Any]]:
    """Kind, item and number of each candidate; the parameters of the query."""
    is_skipped, skipped = dialect().is_any_of(skip)
    free = f"""i.dataset_id = %s AND i.deleted_at IS NULL AND i.state = 'unlabelled' AND NOT (i.id {is_skipped})
        AND NOT EXISTS (SELECT 1 FROM labeling_assignment a WHERE a.item_id = i.id AND a.holder <> %s)"""  # noqa: S608
    free_params = [dataset, skipped, holder]
    sql = f"""
    SELECT 'mine', i.id, CAST(NULL AS double precision) FROM labeling_assignment m JOIN datasets_item i ON i.id = m.item_id
    WHERE m.dataset_id = %s AND m.holder = %s AND {free}
    UNION ALL SELECT * FROM (
        SELECT 'unsure', i.id, s.uncertainty_fraction FROM labeling_suggestion s JOIN datasets_item i ON i.id = s.item_id
        WHERE s.dataset_id = %s AND s.uncertainty_fraction IS NOT NULL AND {free}
        ORDER BY s.uncertainty_fraction DESC LIMIT %s
    ) AS most_unsure
    UNION ALL SELECT 'useful', i.id, elements.key
    FROM assist_assist q CROSS JOIN {dialect().json_elements("q.queue")} JOIN datasets_item i ON i.id = elements.value
    WHERE q.dataset_id = %s AND {free}
    UNION ALL SELECT * FROM (
        SELECT 'oldest', i.id, CAST(NULL AS double precision) FROM datasets_item i WHERE {free} ORDER BY i.id LIMIT %s
    ) AS first_of_all"""  # noqa: S608 - constants and the dialect's words
    mine, unsure, useful = [dataset, holder, *free_params], [dataset, *free_params, count], [dataset, *free_params]
    return sql, [*mine, *unsure, *useful, *free_params, 2 * count]
