"""Names of classes that a set refers to by number: in a text file with a name per line, or in a schema of Parquet.

Hugging Face's library ``datasets`` writes numbers in the column and names in the schema, whose metadata have under
``huggingface`` a JSON object ``{"info": {"features": {column: {"names": [...], "_type": "ClassLabel"}}}}``
(``datasets/features/features.py``, ``Features.arrow_schema``).
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence

import orjson
import pyarrow as pa

from labeling.formats._files import text_of

CLASS_LISTS = frozenset({"classes.txt", "classnames.txt", "class_names.txt", "labels.txt"})
"""What files are called that name the classes, a line each, in the order of their numbers."""


def is_class_list(name: str) -> bool:
    """Whether a file names the classes, a line each."""
    return posixpath.basename(name).lower() in CLASS_LISTS


def listed_class_names(label_files: Mapping[str, bytes]) -> list[str]:
    """The names of the first such file; none where there is none."""
    for place in filter(is_class_list, label_files):
        return [line.strip() for line in text_of(label_files[place]).splitlines() if line.strip()]
    return []


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
