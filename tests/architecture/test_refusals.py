"""What the server refuses to people who gather and label data is said in every language of the app."""

from __future__ import annotations

import re
from itertools import chain

from tests.platform_process import ROOT

CODE = re.compile(r'^    code(?:: \w+)? = "(\w+)"', re.MULTILINE)
OF_PROGRAMS = frozenset(
    {
        "bulk_target_invalid",
        "features_unsupported",
        "no_columns",
        "no_thumbnail",
        "part_too_large",
        "quality_unsupported",
        "search_unfit",
        "upload_offset_mismatch",
    }
)
"""Refusals that no page can bring about: they tell programs."""


def test_refusals_of_data_and_labelling_have_words():
    files = chain(
        (ROOT / "labeling").rglob("*errors.py"),
        (ROOT / "platform" / "studio" / "datasets").rglob("*errors.py"),
        (ROOT / "platform" / "studio" / "datasets").rglob("examples.py"),
    )
    codes = {code for path in files for code in CODE.findall(path.read_text())}
    words = (ROOT / "frontend" / "src" / "i18n" / "zh" / "refusals.ts").read_text()
    said = set(re.findall(r"^  (\w+): \{", words, flags=re.MULTILINE))
    assert len(codes) > 40
    assert codes - said - OF_PROGRAMS == set()
