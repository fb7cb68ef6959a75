"""Names of classes in Parquet as Hugging Face's library ``datasets`` writes it: numbers in the column, names in the schema.

The schema's metadata has under ``huggingface`` a JSON object ``{"info": {"features": {column: {"names": [...], "_type":
"ClassLabel"}}}}`` (``datasets/features/features.py``, ``Features.arrow_schema``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson
import pyarrow as pa


def class_names(schema: pa.Schema) -> dict[str, list[str]]:
    """The names of the classes of each column that has some, in the order of their numbers."""
    try:
        found = orjson.loads((schema.metadata or {}).get(b"huggingface", b"{}"))
    except orjson.JSONDecodeError:
        return {}
    for key in ("info", "features"):
        found = found.get(key) if isinstance(found, Mapping) else None
    columns = found.items() if isinstance(found, Mapping) else ()
    return {name: names for name, told in columns if (names := _names(told))}


def _names(told: object) -> list[str]:
    names = told.get("names") if isinstance(told, Mapping) and told.get("_type") == "ClassLabel" else None
    return names if isinstance(names, list) and all(isinstance(one, str) for one in names) else []


def class_name(value: object, names: Sequence[str]) -> object:
    """The name of a class by its number; -1, which stands for none, is empty, and what is no number of one stays."""
    if not names or isinstance(value, bool) or not isinstance(value, int) or value >= len(names):
        return value
    return None if value < 0 else names[value]
