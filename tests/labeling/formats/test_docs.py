"""The documentation names every format, and which are written."""

from __future__ import annotations

import re
from pathlib import Path

from studio.datasets.files.formats import format_names

ROOT = Path(__file__).parents[3]


def test_the_list_of_formats_is_whole():
    text = (ROOT / "docs" / "formats.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \|.*\| (yes)? ?\|$", text, re.MULTILINE)
    assert tuple(name for name, _ in rows) == format_names()
    assert tuple(name for name, is_written in rows if is_written) == format_names(is_written=True)
    counts = f"{len(format_names())} formats are read, {len(format_names(is_written=True))} of them are written"
    assert counts in text


def test_other_pages_give_the_same_number():
    read, written = len(format_names()), len(format_names(is_written=True))
    assert f"{read} label formats in, {written} of them out" in (ROOT / "README.md").read_text()
    assert f"导入 {read} 种、导出 {written} 种标注格式" in (ROOT / "README.zh-CN.md").read_text()
