"""What people keep of items beside their files: camera, site, batch. Reports cut the judged items by it; no model learns it.

``facts.json`` lies beside a version in a job's ``data/`` and is no part of it: a version never changes, and what is known of an
item may.
"""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.base import Contract

FACTS_FILE = "facts.json"


class ItemFacts(Contract):
    """``facts.json``."""

    schema_version: int = 1
    values: Mapping[str, Mapping[str, str]] = {}
    """Name of the fact -> item id -> value; items without a value are left out, and those that only train may be."""
