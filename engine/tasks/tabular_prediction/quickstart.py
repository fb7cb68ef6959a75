"""A table to begin with: 406 real cars of 1970 to 1982 with numbers, categories, dates and missing cells. Always the same.

Either column of ``TARGETS`` may be predicted. Some cells of both are empty, so that there is something to fill in.
"""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

from engine.assets.fetch import Progress
from engine.assets.tables import table
from engine.tasks.tabular_prediction.options import CATEGORY, NUMBER

LABELS_FROM = "auto"
BACKBONE = None
"""Models of rows learn from nothing but the rows."""
TABLE_FILE = "cars.csv"
TARGETS = {CATEGORY: "origin", NUMBER: "miles_per_gallon"}
"""By value of the option ``predicts``: the column that becomes the target when the table is taken in."""
_CARD = "vega_cars"
_UNKNOWN_EVERY = 25
"""Of the rows, whose origin is left out."""
_ZIP_TIME = (2020, 1, 1, 0, 0, 0)


def write_zip(target: Path, assets_dir: Path, on_progress: Progress | None = None) -> None:
    """Writes the zip with the table, whole or not at all.

    Raises:
        AssetMissingError: the table is not in the store and cannot be had.
    """
    with table(_CARD, assets_dir, on_progress).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([name.lower() for name in rows[0]])
    for number, row in enumerate(rows):
        is_unknown = number % _UNKNOWN_EVERY == _UNKNOWN_EVERY - 1
        writer.writerow(["" if is_unknown and name.lower() == TARGETS[CATEGORY] else cell for name, cell in row.items()])
    partial = target.with_name(target.name + ".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
        # The mark makes spreadsheets read it right.
        archive.writestr(zipfile.ZipInfo(TABLE_FILE, _ZIP_TIME), out.getvalue().encode("utf-8-sig"))
    partial.replace(target)
    if on_progress is not None:
        on_progress(1.0)
