"""The job of a run: reads items, asks the model, and writes the results part by part.

A part is a file and a row, written in one transaction with the run's counts, and a source goes on behind the last part. So a
process that is killed loses some seconds and repeats nothing; one that lost its lease cannot write what the next one has
written, since the number of a part is unique.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice, repeat

import orjson
from django.db import IntegrityError

from runtime.coverage import Coverage, coverage_open
from runtime.errors import AnswerInvalidError, RuntimeFault
from runtime.predictor import Predictor
from studio.common.blob_store import BlobMissingError
from studio.datasets.files.text import TextRefusedError
from studio.jobs.handlers import Reporter
from studio.jobs.states import JobLeaseLostError
from studio.predictions.answers import keeps_scores
from studio.predictions.entries import Entry, ItemPreview, Result
from studio.predictions.errors import PredictionColumnsError, PredictionModelGoneError
from studio.predictions.items import predicted_items
from studio.predictions.items.kind import PredictedItems
from studio.predictions.models import PredictionRun
from studio.predictions.parts import part_write
from studio.predictions.sources import SourceEntry, entries_left
from studio.registry.selectors import artefact_folder

PART_S = 3.0
"""A part is closed after so long: about what a kill costs, and how often counts are reported."""
_AHEAD = 2
"""Pieces that each thread has waiting for it."""
_WARM_S = 2.0
"""Before, nobody can say how long it will take."""
_PACE_S = 60.0
"""Over which the pace is measured: it changes with what else the machine does."""

_REFUSED = (RuntimeFault, TextRefusedError, BlobMissingError)

Step = tuple[SourceEntry, Result]


def run_predict(*, run: PredictionRun, reporter: Reporter, num_threads: int) -> None:
    """Continues a run to its end.

    Raises:
        PredictionModelGoneError: the model was deleted.
        PredictionColumnsError: the rows have none of the model's columns.
        JobCancelledError, JobLeaseLostError: as the reporter says.
    """
    if run.artefact is None:
        raise PredictionModelGoneError
    reporter.progress("load", _fraction_before(run))
    work = _Work(run, reporter, num_threads)
    for results, position in work.parts():
        try:
            part_write(run=run, results=results, position=position, columns=list(work.columns))
        except IntegrityError as error:
            raise JobLeaseLostError from error
    PredictionRun.objects.filter(id=run.id).update(num_expected=run.num_results)


def _fraction_before(run: PredictionRun) -> float:
    """How far earlier attempts came; of files the job remembers it."""
    if run.num_expected:
        return run.num_results / run.num_expected
    return run.job.progress_fraction if run.job else 0.0


class _Work:
    """One attempt."""

    def __init__(self, run: PredictionRun, reporter: Reporter, num_threads: int) -> None:
        assert run.artefact is not None
        facts = run.artefact.facts
        self.columns: dict[str, None] = dict.fromkeys(run.columns)
        self._kind: PredictedItems = predicted_items(facts)
        self._predictor = Predictor()
        self._predictor.setup(artefact_folder(run.artefact))
        has_scores = bool(keeps_scores(facts))
        coverage = coverage_open(facts.output.value, run.coverage or None, self._predictor.labels)
        self._answerer = Answerer(self._kind, self._predictor, run.artefact.answers_from, coverage, has_scores=has_scores)
        self._run, self._reporter, self._num_threads = run, reporter, num_threads
        self._pace = _Pace()

    def parts(self) -> Iterator[tuple[list[Result], str]]:
        """Results in order, each part with the position of its last one."""
        results: list[Result] = []
        began = 0.0
        for source_entry, result in self._steps():
            if not results:  # to get behind what has results already may take longer than a part does
                began = time.monotonic()
            results.append(result)
            last = source_entry
            if len(results) >= self._kind.in_part or time.monotonic() - began >= PART_S:
                yield results, last.position
                self._report(last.fraction)
                results = []
        if results:
            yield results, last.position

    def _report(self, fraction: float) -> None:
        self._reporter.progress("predict", fraction, self._pace.remaining_s(fraction))

    def _steps(self) -> Iterator[Step]:
        """Results in the order of their entries; some pieces are under way side by side."""
        entries = entries_left(self._run, self._kind)
        pieces = iter(lambda: list(islice(entries, self._kind.at_once)), [])
        most = self._num_threads * _AHEAD
        waiting: deque[tuple[list[SourceEntry], Future[list[Result]]]] = deque()
        with ThreadPoolExecutor(self._num_threads) as pool:
            try:
                for piece in chain(pieces, repeat([], most)):
                    self._reporter.check_cancelled()
                    if piece:
                        self._note(piece)
                        waiting.append(
                            (piece, pool.submit(self._answerer.results, [source_entry.entry for source_entry in piece]))
                        )
                    if waiting and (not piece or len(waiting) > most):
                        first, future = waiting.popleft()
                        yield from zip(first, future.result(), strict=True)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    def _note(self, piece: list[SourceEntry]) -> None:
        """Keeps the names of cells; rows of another table than the model's are no use to go through."""
        names = dict.fromkeys(
            self._kind.cell_names([source_entry.entry.content for source_entry in piece if not source_entry.entry.code])
        )
        if names and not self.columns:
            known = self._kind.known_names(self._predictor)
            if known.isdisjoint(names):
                raise PredictionColumnsError(sorted(known))
        self.columns |= names


class Answerer:
    """Asks a model about pieces; ``results`` may be called from several threads."""

    def __init__(
        self,
        kind: PredictedItems,
        predictor: Predictor,
        thresholds: Mapping[str, float],
        coverage: Coverage | None,
        *,
        has_scores: bool,
    ) -> None:
        """Takes what the answers come from.

        Args:
            kind: of the items that the model reads.
            predictor: the model.
            thresholds: lowest score by label with which it answers.
            coverage: what was chosen for the model; None where nothing was.
            has_scores: keeps the scores of all labels.
        """
        self._kind, self._predictor, self._has_scores = kind, predictor, has_scores
        self._thresholds, self._coverage = thresholds, coverage

    def results(self, entries: list[Entry]) -> list[Result]:
        """One for each entry, in order."""
        readable = [entry for entry in entries if not entry.code]
        try:
            answered = self._answered(readable) if readable else []
        except _REFUSED:
            # One of them is wrong; alone, each answers for itself.
            answered = [self._alone(entry) for entry in readable]
        left = iter(answered)
        return [_failed(entry, entry.code) if entry.code else next(left) for entry in entries]

    def _answered(self, entries: list[Entry]) -> list[Result]:
        predictor = self._predictor
        decoded = self._kind.read(predictor, [entry.content for entry in entries])
        answers = predictor.predict_many(decoded)
        scores: list[list[float] | None] = answers.tolist() if self._has_scores else [None] * len(entries)
        results = []
        for entry, answer, own in zip(entries, answers, scores, strict=True):
            shown = self._kind.preview(entry, decoded)
            try:
                annotations = orjson.dumps(predictor.passing(answer, decoded, self._thresholds)).decode()
            except AnswerInvalidError:
                results.append(Result(entry, shown, code="answer_missing"))
                continue
            beside = predictor.beside(answer, self._thresholds, self._coverage) if self._coverage else {}
            results.append(Result(entry, shown, annotations, own, beside))
        return results

    def _alone(self, entry: Entry) -> Result:
        try:
            return self._answered([entry])[0]
        except BlobMissingError:
            return _failed(entry, "stored_file_missing")
        except _REFUSED:
            return Result(entry, self._kind.preview(entry, None), code=self._kind.refusal(entry))


def _failed(entry: Entry, code: str) -> Result:
    return Result(entry, ItemPreview(), code=code)


class _Pace:
    """How long the rest will take, by how far this attempt has come in the last minute."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, float]] = deque()

    def remaining_s(self, fraction: float) -> float | None:
        """Seconds that are left; None while there is no estimate."""
        now = time.monotonic()
        self._seen.append((now, fraction))  # what an earlier attempt has done is no measure
        while len(self._seen) > 1 and now - self._seen[1][0] >= _PACE_S:
            self._seen.popleft()
        began, first = self._seen[0]
        elapsed_s, done = now - began, fraction - first
        return elapsed_s / done * (1 - fraction) if done > 0 and elapsed_s > _WARM_S else None
