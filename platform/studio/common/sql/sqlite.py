"""SQLite's ways: it is asked within the process, so a statement costs little and runs over many rows of values by itself."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from studio.common.sql.dialect import Row, Statement, Table, TableCounts
from studio.common.sql.errors import DatabaseCopyError


class SQLite:
    """The dialect."""

    name = "sqlite"
    joins_statements = False
    has_one_writer = True
    for_update = ""

    def prepared_cursor(self) -> CursorWrapper:
        """Any: the driver keeps the statements of all."""
        return connection.cursor()

    def insert(self, table: Table, rows: Sequence[Row], conflict: str) -> Iterator[Statement]:
        """Row by row."""
        places = ", ".join(["%s"] * len(table.columns))
        sql = f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({places}) {conflict}"  # noqa: S608 - names
        yield Statement(sql, rows, is_many=True)

    def update(self, table: Table, rows: Sequence[Row], also: str) -> Iterator[Statement]:
        """Row by row."""
        sets = [*(f"{column} = %s" for column in table.columns), *([also] if also else [])]
        num_keys = len(table.keys)
        values = [(*row[num_keys:], *row[:num_keys]) for row in rows]
        yield Statement(f"UPDATE {table.name} SET {', '.join(sets)} WHERE {_keys_match(table)}", values, is_many=True)  # noqa: S608

    def delete(self, table: Table, rows: Sequence[Row]) -> Iterator[Statement]:
        """Row by row."""
        yield Statement(f"DELETE FROM {table.name} WHERE {_keys_match(table)}", rows, is_many=True)  # noqa: S608 - names

    def execute(self, cursor: Any, statements: Sequence[Statement]) -> None:  # noqa: ANN401
        """One after another."""
        for one in statements:
            (cursor.executemany if one.is_many else cursor.execute)(one.sql, one.params)

    def is_any_of(self, values: Collection[str]) -> tuple[str, Any]:
        """One of a JSON list: the number of placeholders is limited."""
        return "IN (SELECT value FROM json_each(%s))", json.dumps(list(values))

    def joined(self, expression: str) -> str:
        """By the name that old releases know too."""
        return f"group_concat({expression}, ',')"

    def json_elements(self, column: str) -> str:
        """As it is called here."""
        return f"json_each({column}) AS elements"

    def json_members(self, column: str, key: str) -> str:
        """As it is called here."""
        return f"json_each({column}, '$.{key}') AS members"

    def csv(self, query: str, values: Sequence[Any]) -> AbstractContextManager[Iterator[bytes] | None]:
        """It writes none."""
        return nullcontext(None)

    @contextmanager
    def row_triggers_paused(self, prefix: str) -> Iterator[bool]:
        """Drops them and makes them anew: triggers and rows are rolled back together, and nobody else can write meanwhile."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = [row for row in cursor.fetchall() if row[0].startswith(prefix)]
            for name, _ in triggers:
                cursor.execute(f"DROP TRIGGER {name}")
        try:
            yield True
        except BaseException:
            transaction.set_rollback(True)  # nobody may go on without the triggers
            raise
        with connection.cursor() as cursor:
            for _, sql in triggers:
                cursor.execute(sql)

    def save(self, path: Path) -> TableCounts:
        """All pages at once: a copy in steps begins again with every write of another process."""
        name = str(connection.settings_dict["NAME"])
        with sqlite3.connect(f"file:{name}?mode=ro", uri=True) as source, sqlite3.connect(path) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
            if target.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                raise DatabaseCopyError("The copy of the database is damaged.", hint="Check the disk, then try again.")
            names = [row[0] for row in target.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            counts = {}
            for table in names:
                if not table.startswith("sqlite_"):
                    counts[table] = int(target.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0])  # noqa: S608
        return counts

    def load(self, path: Path) -> None:
        """Puts the file in its place."""
        name = str(connection.settings_dict["NAME"])
        connection.close()
        for ending in ("-wal", "-shm"):
            Path(f"{name}{ending}").unlink(missing_ok=True)
        shutil.copyfile(path, name)


def _keys_match(table: Table) -> str:
    return " AND ".join(f"{key} = %s" for key in table.keys)
