"""Real tables from the store, as CSV."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from engine.assets.card import AssetCard
from engine.assets.fetch import AssetChangedError, Progress
from engine.assets.keep import Convert, stored_file

_TABLE_FILE = "table.csv"


def table(card_name: str, assets_dir: Path, on_progress: Progress | None = None) -> Path:
    """The table of a card as a UTF-8 CSV with a header, rows and columns in their order; fetched once.

    Raises:
        AssetUnknownError: there is no such card.
        AssetMissingError: it is not in the store and cannot be had now.
        AssetChangedError: the package holds other bytes than the card promises, or no table.
    """
    return stored_file(card_name, _TABLE_FILE, assets_dir, _converter, on_progress)


def holds_table(card: AssetCard) -> bool:
    """Whether a card is one of a table."""
    return card.converter == "table_rows"


def _converter(card: AssetCard) -> Convert:
    if not holds_table(card):
        raise ValueError(f"{card.title} holds no table")
    return _rows


def _rows(source: Path, target: Path) -> None:
    """From a JSON list of objects; what is null becomes an empty cell."""
    try:
        rows = json.loads(source.read_text(encoding="utf-8"))
        names = list(dict.fromkeys(name for row in rows for name in row))
    except (UnicodeDecodeError, ValueError, TypeError) as error:
        raise AssetChangedError(f"{source.name} is no list of rows.") from error
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: "" if cell is None else cell for name, cell in row.items()} for row in rows)
    target.write_text(out.getvalue(), encoding="utf-8", newline="")
