"""How many texts a second two models read when many are waiting, on one thread.

Texts of like length go together. The student reads batches of 64, its teacher batches of 8, which are the fastest for a large
encoder: it took 14 ms a text so, 17 one by one and 23 in batches of 64, whose numbers leave the cache.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from engine.compress.text_model import TextModel

BATCH, TEACHER_BATCH = 64, 8
_EACH = 6
"""One of so many batches is read by the teacher, which has no time for all: 168 of a thousand texts."""
_ROUNDS = 3


@dataclass(frozen=True)
class BatchPace:
    """Processor seconds a text: the median of the rounds."""

    whole_s: float
    """From texts to scores."""
    graph_s: float
    """Without the tokenizer."""


def batch_paces(teacher: TextModel, student: TextModel, texts: Sequence[str]) -> tuple[BatchPace, BatchPace]:
    """Both sides read the same texts in turn, the teacher some of each length.

    Args:
        teacher: loaded with one thread.
        student: likewise.
        texts: at least a hundred.
    """
    ordered = sorted(texts, key=len)
    material = (
        (teacher, _batches(ordered, TEACHER_BATCH)[_EACH // 2 :: _EACH]),
        (student, _batches(ordered, BATCH)),
    )
    for model, batches in material:
        _round_s(model, batches[-1:])
    rounds = [[_round_s(model, batches) for model, batches in material] for _ in range(_ROUNDS)]
    of_teacher, of_student = (
        BatchPace(*(median(column) for column in zip(*side, strict=True))) for side in zip(*rounds, strict=True)
    )
    return of_teacher, of_student


def _batches(texts: Sequence[str], size: int) -> list[Sequence[str]]:
    return [texts[start : start + size] for start in range(0, len(texts), size)]


def _round_s(model: TextModel, batches: Sequence[Sequence[str]]) -> tuple[float, float]:
    """Processor time of this thread, which is the only one, a text: with the tokenizer, and without."""
    whole_s = graph_s = 0.0
    for batch in batches:
        started_s = time.thread_time()
        tokens_BT = model.tokenizer.batch(batch)
        read_s = time.thread_time()
        model.session.run(tokens_BT)
        ended_s = time.thread_time()
        whole_s, graph_s = whole_s + ended_s - started_s, graph_s + ended_s - read_s
    num_texts = sum(map(len, batches))
    return whole_s / num_texts, graph_s / num_texts
