"""The guide of the documentation: the same pages in both languages, and only buttons and fields that the pages really have."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDES = {"en": ROOT / "docs" / "guide", "zh": ROOT / "docs" / "zh" / "guide"}
BOLD = re.compile(r"\*\*(.+?)\*\*")
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LISTED = re.compile(r"^(?:\d+\.|-) \*\*.+?\*\*", re.MULTILINE)
"""A list's own heading is bold without being on a page."""


def pages(language: str) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(GUIDES[language].glob("*.md"))}


def test_every_page_is_in_both_languages():
    assert set(pages("en")) == set(pages("zh"))


def test_every_page_is_in_the_side_bar_under_its_title():
    site = ROOT / "frontend" / "docs" / ".vitepress"
    listed = re.search(r"const GUIDE = \{(.*?)\} as const", (site / "config.ts").read_text(encoding="utf-8"), re.DOTALL)
    assert listed
    in_side_bar = set(re.findall(r"'([\w-]+)'", listed[1]))
    assert in_side_bar == {name.removesuffix(".md") for name in pages("en")}
    for texts in json.loads((site / "words.json").read_text(encoding="utf-8")).values():
        assert not in_side_bar - texts["pages"].keys()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_bold_is_on_a_page_of_the_app(language: str):
    words = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "frontend" / "src" / "i18n" / language).glob("*.ts"))
    known = {text.lower() for _, text in re.findall(r"""(['"`])((?:(?!\1).)*)\1""", words)}
    known |= {re.sub(r"\$t\(noun:\w+\)", "", text).strip() for text in known}
    missing = [
        f"{name}: {text}"
        for name, page in pages(language).items()
        for text in BOLD.findall(LISTED.sub("", FENCED.sub("", page)))
        if text.lower() not in known
    ]
    assert not missing
