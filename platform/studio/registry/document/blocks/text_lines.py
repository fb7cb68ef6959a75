"""How well lines of text are found and read."""

from __future__ import annotations

from django.utils.safestring import SafeString

from automl.contracts.report import TextLinesReport
from automl.contracts.words import Words
from studio.registry.document.markup import EMPTY, joined, section, table
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)

_NONE = "–"


class TextLines:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """The lines that were read wrongly beside their true text, and the characters that are confused most."""
        found = split.text_lines
        if found is None:
            return EMPTY
        note = words("text_lines.read", right=found.num_right, lines=found.num_lines, found=found.num_found)
        return joined(
            [
                section(sheet.text(words("text_lines.wrong")), _wrong(sheet, found), sheet.text(note)),
                section(sheet.text(words("text_lines.confused")), _confused(sheet, found)),
            ]
        )


def _wrong(sheet: Sheet, found: TextLinesReport) -> SafeString:
    head = [sheet.text(words(f"text_lines.head.{name}")) for name in ("truth", "given", "edits")]
    rows = [[line.truth or _NONE, line.given or _NONE, str(line.num_edits)] for line in found.wrong]
    return table(head, rows, num_texts=2)


def _confused(sheet: Sheet, found: TextLinesReport) -> SafeString:
    head = [sheet.text(words(f"text_lines.head.{name}")) for name in ("truth", "given", "count")]
    rows = [[each.truth or _NONE, each.given or _NONE, str(each.count)] for each in found.confused]
    return table(head, rows, num_texts=2)


KIND = TextLines()
