"""What the library ``tokenizers`` knows of characters, as a file that libraries in other languages ship: ``unicode.txt``."""

from __future__ import annotations

from pathlib import Path

from exporters.sbom import Part

TABLES_FILE = Path(__file__).with_name("unicode.txt")
LICENCE_FILE = Path(__file__).with_name("LICENSE")
"""Of the tables; goes wherever they go."""
UNICODE = Part("Unicode Character Database", "Unicode-3.0", purl="pkg:generic/unicode-character-database")
"""What the tables are taken from."""
