"""How many texts a second two models read when many are waiting: batches of texts of like length, on one thread."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from engine.compress.answering import Answering

BATCH = 64
_NUM_TEXTS = 192
_ROUNDS = 3


@dataclass(frozen=True)
class BatchPace:
    """Processor seconds a text: the median of the rounds."""

    whole_s: float
    """From texts to scores."""
    graph_s: float
    """Without the tokenizer."""


def batch_paces(teacher: Answering, student: Answering, texts: Sequence[str]) -> tuple[BatchPace, BatchPace]:
    """Both sides read the same batches in turn; each reads one batch before its clock runs.

    Args:
        teacher: loaded with one thread.
        student: likewise.
        texts: as many as three batches of them are read, spread evenly.
    """
    chosen = sorted(texts[:: max(1, len(texts) // _NUM_TEXTS)][:_NUM_TEXTS], key=len)
    batches = [chosen[start : start + BATCH] for start in range(0, len(chosen), BATCH)]
    sides = (teacher, student)
    rounds = [[_round_s(side, batches) for side in sides] for _ in range(_ROUNDS)]
    of_teacher, of_student = (
        BatchPace(*(median(column) / len(chosen) for column in zip(*side, strict=True))) for side in zip(*rounds, strict=True)
    )
    return of_teacher, of_student


def _round_s(model: Answering, batches: Sequence[Sequence[str]]) -> tuple[float, float]:
    """Processor time of this thread, which is the only one: with the tokenizer, and without."""
    model.session.run(model.tokenizer.batch(batches[0]))
    whole_s = graph_s = 0.0
    for batch in batches:
        started_s = time.thread_time()
        tokens_BT = model.tokenizer.batch(batch)
        read_s = time.thread_time()
        model.session.run(tokens_BT)
        ended_s = time.thread_time()
        whole_s, graph_s = whole_s + ended_s - started_s, graph_s + ended_s - read_s
    return whole_s, graph_s
