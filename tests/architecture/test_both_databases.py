"""What says other things to SQLite than to PostgreSQL is asked on both.

The platform's suites run whole on PostgreSQL and S3; on SQLite and files run the modules marked ``both_databases``. A marker
names the source files that its module stands for.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("platform/studio", "labeling")
SPEAKS_SQL = re.compile(r"connection\.(vendor|features|ops|settings_dict|cursor\()|dialect\(\)|RawSQL\(")
NOT_OURS = (
    "platform/studio/config/sqlite3/",
    "platform/studio/datasets/uploads/sources/",
)
"""A back end of one database alone, and databases of other people."""


def speakers() -> set[str]:
    """Source files that write SQL or ask which database they speak to."""
    files = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if "migrations" not in path.parts]
    names = {str(path.relative_to(ROOT)) for path in files if SPEAKS_SQL.search(path.read_text(encoding="utf-8"))}
    return {name for name in names if not name.startswith(NOT_OURS)}


def named() -> dict[str, str]:
    """Source file -> the test module whose marker names it."""
    found = {}
    for path in (*(ROOT / "tests" / "studio").rglob("test_*.py"), *(ROOT / "tests" / "labeling").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "both_databases(" in text else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.both_databases":
                found |= {argument.value: path.name for argument in node.args if isinstance(argument, ast.Constant)}
    return found


def test_who_speaks_sql_is_asked_on_both_databases():
    left = sorted(speakers() - named().keys())
    assert not left, (
        f"{', '.join(left)}: name the file in `pytest.mark.both_databases(...)` of the test module that shows it right on both"
    )


def test_a_marker_names_files_that_speak_sql():
    stale = {name: module for name, module in named().items() if name not in speakers()}
    assert not stale, f"these files speak no SQL (any more): {stale}"
