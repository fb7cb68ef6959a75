"""A published model of texts as it answers: the graph, run as a server would, and its tokenizer.

Shapes: N texts, B batch, T tokens, L labels.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from automl.contracts.artefact import MANIFEST_FILE, MODEL_FILE, ArtefactManifest
from engine.artefact.session import Session
from engine.data.packed import packed_array
from engine.data.text import TextTokenizer, trimmed
from engine.errors import JobInvalidError
from engine.items import item_kind
from engine.items.text.kind import TextReader
from engine.job import Job

_BATCH = 32
_CHUNK_TEXTS = 256
_SCORED_AT = 0.1
"""Share of the whole job; how long the scores take only their teacher knows."""
_ROUNDS = 5


@dataclass(frozen=True)
class TextModel:
    """An artefact that is asked."""

    folder: Path
    manifest: ArtefactManifest
    tokenizer: TextTokenizer
    session: Session

    @classmethod
    def open(cls, folder: Path, *, num_threads: int = 1) -> TextModel:
        """Loads the artefact.

        Args:
            folder: of the artefact.
            num_threads: of the runtime.

        Raises:
            JobInvalidError: there is none, or it does not read texts.
        """
        try:
            manifest = ArtefactManifest.read(folder / MANIFEST_FILE)
            reader = item_kind(manifest.decode.kind).opened(manifest.decode, folder)
        except (OSError, ValidationError, ValueError) as error:
            raise JobInvalidError(f"The artefact cannot be read: {error}") from error
        if not isinstance(reader, TextReader):
            raise JobInvalidError("The teacher reads no texts.", hint="Choose a model of texts as the teacher.")
        return cls(folder, manifest, reader.tokenizer, Session(folder / MODEL_FILE, num_threads=num_threads))

    @property
    def model_bytes(self) -> int:
        """Of the graph."""
        return (self.folder / MODEL_FILE).stat().st_size

    def scores(self, texts: Sequence[str], job: Job) -> NDArray[np.float32]:
        """Scores ``_NL`` 0..1 of texts, from the host's cache if it has them.

        Args:
            texts: at least one, without white space at their ends.
            job: whose cache, events and control to use.

        Raises:
            BuildStoppedError: the job was asked to stop.
        """
        model = hashlib.sha256((self.folder / MODEL_FILE).read_bytes()).hexdigest()[:20]
        texts_key = hashlib.sha256("\0".join([self.tokenizer.definition, *texts]).encode()).hexdigest()[:20]
        scores_NL: NDArray[np.float32] = packed_array(
            job.cache_dir / "teacher_scores" / f"{model}-{texts_key}",
            num_rows=len(texts),
            rows=lambda places: self._scored([texts[row] for row in places]),
            chunk_rows=_CHUNK_TEXTS,
            on_progress=lambda done, total: job.progress("features", _SCORED_AT),
            should_stop=job.control.is_stopped,
        )
        return scores_NL

    def _scored(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Texts of like length go together, so that little padding is computed."""
        tokens_NT, pad_id = self.tokenizer.rows(texts), self.tokenizer.pad_id
        order_N = np.argsort((tokens_NT != pad_id).sum(axis=1), kind="stable")
        batches = [order_N[start : start + _BATCH] for start in range(0, len(order_N), _BATCH)]
        found_NL = np.concatenate([self.session.run(trimmed(tokens_NT[rows_B], pad_id)) for rows_B in batches])
        scores_NL = np.empty_like(found_NL)
        scores_NL[order_N] = found_NL
        return scores_NL


@dataclass(frozen=True)
class Latency:
    """How long one answer takes: medians over texts, in ms of one processor, which is the wall time of a core that is free."""

    answer_ms: float
    """From the text to its scores."""
    graph_ms: float
    """Without the tokenizer."""


def latencies(models: Sequence[TextModel], texts: Sequence[str]) -> list[Latency]:
    """Asks models in turn, one text at a time, in the same minutes of the same machine.

    Args:
        models: loaded with one thread.
        texts: at least one.
    """
    times: list[list[list[tuple[float, float]]]] = [[[] for _ in texts] for _ in models]
    for _ in range(_ROUNDS + 1):
        for model, of_model in zip(models, times, strict=True):
            for text, of_text in zip(texts, of_model, strict=True):
                of_text.append(_timed_ms(model, text))
    return [_pace([[median(column) for column in zip(*rounds[1:], strict=True)] for rounds in of_model]) for of_model in times]


def _timed_ms(model: TextModel, text: str) -> tuple[float, float]:
    """Processor time of this thread, which is the only one."""
    started_s = time.thread_time()
    tokens_1T = np.array([model.tokenizer.ids(text)], dtype=np.int64)
    read_s = time.thread_time()
    model.session.run(tokens_1T)
    ended_s = time.thread_time()
    return 1000.0 * (ended_s - started_s), 1000.0 * (ended_s - read_s)


def _pace(of_texts: Sequence[Sequence[float]]) -> Latency:
    answer_ms, graph_ms = (median(column) for column in zip(*of_texts, strict=True))
    return Latency(answer_ms, graph_ms)
