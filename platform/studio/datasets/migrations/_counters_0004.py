"""The database's own bookkeeping of counts, as migration 0004 installs it: triggers that write ``CountChange`` rows.

A trigger holds for every writer, bulk statements and COPY included, so no service can forget a count. PostgreSQL adds rows,
one a statement and value, so that two people never wait for each other. SQLite has one writer at a time: there the row of the
count is raised in place and nothing has to be folded up.
"""

from __future__ import annotations

COUNTS = "datasets_countchange"

# Facet, value and amount that one row of a table stands for; `{r}` is the row.
ITEM = (
    ("state", "{r}.state", "CASE WHEN {r}.deleted_at IS NULL THEN 1 ELSE 0 END"),
    ("split", "{r}.split", "CASE WHEN {r}.deleted_at IS NULL THEN 1 ELSE 0 END"),
    ("provenance", "{r}.provenance", "CASE WHEN {r}.deleted_at IS NULL AND {r}.provenance <> '' THEN 1 ELSE 0 END"),
    ("bytes", "''", "CASE WHEN {r}.deleted_at IS NULL THEN {r}.size_bytes ELSE 0 END"),
    ("deleted", "''", "CASE WHEN {r}.deleted_at IS NOT NULL AND {r}.quarantine = '' THEN 1 ELSE 0 END"),
    ("quarantine", "''", "CASE WHEN {r}.deleted_at IS NOT NULL AND {r}.quarantine <> '' THEN 1 ELSE 0 END"),
)
LABEL = (("label", "{r}.label", "1"),)
FLAG = (
    (
        "flag",
        "{r}.kind",
        "CASE WHEN {r}.dismissed_at IS NULL AND EXISTS (SELECT 1 FROM datasets_item i "
        "WHERE i.id = {r}.item_id AND i.deleted_at IS NULL) THEN 1 ELSE 0 END",
    ),
)
TABLES = {"item": ITEM, "itemlabel": LABEL, "itemflag": FLAG}
EVENTS = ("insert", "update", "delete")

# An item that goes or comes back takes its flags along. The two transition tables are never joined with one another: they have
# no index, and a plan made for one row would be kept for a million.
_FLAGS_MOVE = """
    SELECT f.dataset_id, 'flag', f.kind, -1 FROM gone o JOIN datasets_itemflag f ON f.item_id = o.id
    WHERE o.deleted_at IS NULL AND f.dismissed_at IS NULL
    UNION ALL
    SELECT f.dataset_id, 'flag', f.kind, 1 FROM added n JOIN datasets_itemflag f ON f.item_id = n.id
    WHERE n.deleted_at IS NULL AND f.dismissed_at IS NULL"""


def rows_sql(table: str, source: str, sign: str = "") -> str:
    """A query (dataset, facet, value, change) of what the rows of ``source`` stand for; grouped."""
    return " UNION ALL ".join(
        f"SELECT r.dataset_id, '{facet}', {value.format(r='r')}, {sign}SUM({change.format(r='r')}) FROM {source} r GROUP BY 1, 3"
        for facet, value, change in TABLES[table]
    )


def install_sql(vendor: str) -> list[str]:
    """Statements that install the triggers; harmless when repeated."""
    return drop_sql(vendor) + (_postgres_sql() if vendor == "postgresql" else _sqlite_sql())


def drop_sql(vendor: str) -> list[str]:
    """Statements that take the triggers away."""
    if vendor != "postgresql":
        names = [f"{COUNTS}_{table}_{event}" for table in TABLES for event in EVENTS]
        names += [f"{COUNTS}_item_update_{facet}" for facet, _, _ in ITEM] + [f"{COUNTS}_item_flags"]
        return [f"DROP TRIGGER IF EXISTS {name}" for name in names]
    names = [(table, f"{COUNTS}_{table}_{event}") for table in TABLES for event in EVENTS]
    drops = [
        (f"DROP TRIGGER IF EXISTS {name} ON datasets_{table}", f"DROP FUNCTION IF EXISTS {name}()") for table, name in names
    ]
    return [line for pair in drops for line in pair]


def _postgres_sql() -> list[str]:
    statements = []
    for table in TABLES:
        gone, added = rows_sql(table, "gone", "-"), rows_sql(table, "added")
        moved = [_FLAGS_MOVE] if table == "item" else []
        events = {
            "insert": ("NEW TABLE AS added", [added]),
            "update": ("OLD TABLE AS gone NEW TABLE AS added", [gone, added, *moved]),
            "delete": ("OLD TABLE AS gone", [gone]),
        }
        for event, (tables, parts) in events.items():
            name = f"{COUNTS}_{table}_{event}"
            statements += [
                f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                f"INSERT INTO {COUNTS} (dataset_id, facet, value, change) SELECT s.d, s.f, s.v, SUM(s.c) "
                f"FROM ({' UNION ALL '.join(parts)}) AS s(d, f, v, c) GROUP BY 1, 2, 3 HAVING SUM(s.c) <> 0; "
                "RETURN NULL; END $$",
                f"CREATE TRIGGER {name} AFTER {event.upper()} ON datasets_{table} REFERENCING {tables} "
                f"FOR EACH STATEMENT EXECUTE FUNCTION {name}()",
            ]
    return statements


def _sqlite_sql() -> list[str]:
    statements = []
    for table, counts in TABLES.items():
        added = [_raise("NEW", facet, value, change) for facet, value, change in counts]
        gone = [_raise("OLD", facet, value, change, "-") for facet, value, change in counts]
        statements.append(_trigger(f"{table}_insert", f"INSERT ON datasets_{table}", added))
        statements.append(_trigger(f"{table}_delete", f"DELETE ON datasets_{table}", gone))
        if table != "item":
            statements.append(_trigger(f"{table}_update", f"UPDATE ON datasets_{table}", gone + added))
    # One trigger a facet, so that a change costs only what it touches.
    for facet, value, change in ITEM:
        differs = " OR ".join(
            f"{part.format(r='OLD')} IS NOT {part.format(r='NEW')}" for part in (value, change) if "{r}" in part
        )
        steps = [_raise("OLD", facet, value, change, "-"), _raise("NEW", facet, value, change)]
        statements.append(_trigger(f"item_update_{facet}", f"UPDATE ON datasets_item WHEN {differs}", steps))
    flags = "SELECT kind FROM datasets_itemflag WHERE item_id = NEW.id AND dismissed_at IS NULL"
    moved = [
        f"INSERT INTO {COUNTS} (dataset_id, facet, value, change) SELECT NEW.dataset_id, 'flag', f.kind, 0 FROM ({flags}) f "
        f"WHERE NOT EXISTS (SELECT 1 FROM {COUNTS} WHERE dataset_id = NEW.dataset_id AND facet = 'flag' AND value = f.kind);",
        f"UPDATE {COUNTS} SET change = change + CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE -1 END "
        f"WHERE dataset_id = NEW.dataset_id AND facet = 'flag' AND value IN ({flags});",
    ]
    when = "(OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)"
    return [*statements, _trigger("item_flags", f"UPDATE OF deleted_at ON datasets_item WHEN {when}", moved)]


def _trigger(name: str, event: str, steps: list[str]) -> str:
    head, _, when = event.partition(" WHEN ")
    return f"CREATE TRIGGER {COUNTS}_{name} AFTER {head} {f'WHEN {when} ' if when else ''}BEGIN {' '.join(steps)} END"


def _raise(row: str, facet: str, value: str, change: str, sign: str = "") -> str:
    """Raises one count in place, or makes its row first."""
    dataset, value, change = f"{row}.dataset_id", value.format(r=row), f"{sign}({change.format(r=row)})"
    find = f"dataset_id = {dataset} AND facet = '{facet}' AND value = {value}"
    return (
        f"INSERT INTO {COUNTS} (dataset_id, facet, value, change) SELECT {dataset}, '{facet}', {value}, 0 "
        f"WHERE {change} <> 0 AND NOT EXISTS (SELECT 1 FROM {COUNTS} WHERE {find}); "
        f"UPDATE {COUNTS} SET change = change + {change} WHERE {change} <> 0 AND {find};"
    )
