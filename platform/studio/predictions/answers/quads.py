"""Lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pyarrow as pa

from runtime.answers.quads import TEXT
from studio.predictions.answers import Scores, StoredAnnotations

_LINE = pa.struct([("text", pa.string()), ("score", pa.float64()), ("points", pa.list_(pa.list_(pa.float64())))])


class Quads:
    """See ``AnswerColumns``."""

    has_scores: ClassVar[bool] = False

    def columns(
        self, annotations: Sequence[StoredAnnotations], scores: Sequence[Scores], labels: Sequence[str]
    ) -> list[tuple[str, pa.Array]]:
        """What is read, in reading order; how many lines there are; all of them, in pixels of the whole picture."""
        del scores, labels
        lines = [[_line(one) for one in each] for each in annotations]
        texts = ["\n".join(one["text"] for one in each) if each else None for each in lines]
        return [
            ("text", pa.array(texts, pa.string())),
            ("num_lines", pa.array([len(each) for each in lines], pa.int32())),
            ("lines", pa.array(lines, pa.list_(_LINE))),
        ]


def _line(annotation: Mapping[str, Any]) -> dict[str, Any]:
    text = next((one["value"] for one in annotation.get("attributes", ()) if one["name"] == TEXT), "")
    return {"text": str(text), "score": annotation.get("score"), "points": annotation["points"]}


KIND = Quads()
