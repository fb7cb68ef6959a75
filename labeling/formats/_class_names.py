"""Names of classes in Parquet as Hugging Face's library ``datasets`` writes it: numbers in the column, names in the schema.

The schema's metadata has under ``huggingface`` a JSON object ``{"info": {"features": {column: {"names": [...], "_type":
"ClassLabel"}}}}`` (``datasets/features/features.py``, ``Features.arrow_schema``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson
import pyarrow as pa


def features_of(schema: pa.Schema) -> dict[str, object]:
    """What the schema's metadata tell of each column: ``{"_type": "Image"}``, say."""
    try:
        found = orjson.loads((schema.metadata or {}).get(b"huggingface", b"{}"))
    except orjson.JSONDecodeError:
        return {}
    for key in ("info", "features"):
        found = found.get(key) if isinstance(found, Mapping) else None
    return dict(found) if isinstance(found, Mapping) else {}


def class_names(schema: pa.Schema) -> dict[str, list[str]]:
    """The names of the classes of each column that has some, in the order of their numbers; lists of classes too."""
    return {name: names for name, described in features_of(schema).items() if (names := names_of(described))}


def within(described: object) -> object:
    """The description of the entries of a list; anything else as it is."""
    while True:
        if isinstance(described, list) and len(described) == 1:
            described = described[0]
        elif (
            isinstance(described, Mapping)
            and described.get("_type") in {"Sequence", "List", "LargeList"}
            and "feature" in described
        ):
            described = described["feature"]
        else:
            return described


def names_of(described: object) -> list[str]:
    """The names of the classes of a column, or of a list of them; none of any other."""
    described = within(described)
    names = described.get("names") if isinstance(described, Mapping) and described.get("_type") == "ClassLabel" else None
    return names if isinstance(names, list) and all(isinstance(one, str) for one in names) else []


def class_name(value: object, names: Sequence[str]) -> object:
    """The name of a class by its number; -1, which stands for none, is empty, and what is no number of one stays."""
    if not names or isinstance(value, bool) or not isinstance(value, int) or value >= len(names):
        return value
    return None if value < 0 else names[value]
