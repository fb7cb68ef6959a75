"""What is looked for on each kind of items. A package each, found by listing, with a ``Inspect`` (``writing``) as ``KIND``."""
