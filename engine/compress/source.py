"""The model that is made smaller: its graphs, and items as the shipped runtime reads them.

Shapes: a feed holds one item.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from pydantic import ValidationError

from automl.contracts.artefact import MANIFEST_FILE, MODEL_FILE, ArtefactManifest
from automl.contracts.dataset import ItemRecord
from engine.answers import answer_kind
from engine.artefact.session import GraphSession, session_of
from engine.compress.graphs import named
from engine.compress.smaller_graph import NoCandidateError
from engine.compress.trainable_model import TrainableModel
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError, JobInvalidError
from engine.items import item_kind
from engine.items.kind import ItemReader
from engine.job import Job
from runtime.answers import answers_kind
from runtime.errors import RuntimeFault
from runtime.items import items_kind

_ITEMS = 48
_LEAST_ITEMS = 4
_ROWS = 192
"""That ranges come from, where the graph is asked more than one of an item."""
CALIBRATION_BYTES = 2**29
"""Of the items that are held while methods are tried; at least ``_LEAST_ITEMS`` are."""
Feeds = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class DecodedItem:
    """An item as the runtime decodes it, and as the graph takes it."""

    item: Any
    feeds: Feeds
    graph_feeds: Mapping[str, Sequence[Feeds]] = field(default_factory=dict)
    """Some of what each graph, by its file, is asked to answer it, one row each: the feeds, windows of a picture that is read
    in tiles, or lines that were cut out. Of items to calibrate by."""
    num_asked: int = 1
    """How many rows the graphs are asked in all."""


class Source:
    """An artefact that is made smaller.

    Args:
        job: whose control is asked between steps.
        folder: of the artefact.
        work: an empty folder for files that are needed meanwhile.

    Raises:
        JobInvalidError: it cannot be read.
    """

    def __init__(self, job: Job, folder: Path, work: Path):
        self.job, self.folder, self.work = job, folder, work
        try:
            self.manifest = ArtefactManifest.read(folder / MANIFEST_FILE)
            self.session = session_of(folder)
            self.reader: ItemReader = item_kind(self.manifest.decode.kind).opened(self.manifest.decode, folder)
            decode = self.manifest.decode.model_dump(mode="json")
            self._items = items_kind(decode["kind"])(decode, self.session.inputs, folder)
        except (OSError, ValidationError, KeyError, TypeError, ValueError) as error:
            raise JobInvalidError(f"The artefact cannot be read: {error}") from error
        others = (name for name in self.manifest.files if name.endswith(".onnx"))
        self.graphs: Sequence[SourceGraph] = [SourceGraph(self, name) for name in (MODEL_FILE, *others)]
        self._answers = answers_kind(self.manifest.output.value)(self.manifest.label_set.names)
        self.calibration: Sequence[DecodedItem] = ()
        """Items of training that ranges and sensitivities come from."""
        self.span = (0.0, 1.0)
        """Share of the whole job that the method at work is, from and to."""
        self._trainable: TrainableModel | NoCandidateError | None = None
        self._learned: tuple[DatasetVersion, Sequence[ItemRecord]] | None = None

    @property
    def trainable(self) -> TrainableModel:
        """The model with its weights, to be trained further; loaded at the first call.

        Raises:
            NoCandidateError: it keeps none that could be.
            StoppedError: the job was asked to stop.
            EngineError: items cannot be read.
        """
        if self._trainable is None:
            try:
                self._trainable = TrainableModel.open(self.job, self.folder, self.manifest, self.session, self.work)
            except NoCandidateError as none:
                self._trainable = none
        if isinstance(self._trainable, NoCandidateError):
            raise self._trainable
        return self._trainable

    def opened(self, graphs: Mapping[str, Path], *, is_optimised: bool = True) -> GraphSession:
        """Opens graphs that a method made as the model is opened: in the same pipeline, if there is one.

        Args:
            graphs: by the names of those in whose place they answer.
            is_optimised: as of ``Session``.

        Raises:
            NoCandidateError: the runtime refuses one.
        """
        try:
            return session_of(self.folder, is_optimised=is_optimised, graphs=graphs)
        except Exception as error:  # the runtime's errors have no base of their own
            raise NoCandidateError("unfit") from error

    def calibration_of(self, version: DatasetVersion, records: Sequence[ItemRecord]) -> list[DecodedItem]:
        """Items spread evenly over the records, as many as fit into memory, with what the graphs are asked about them.

        Raises:
            DataInvalidError: the runtime refuses one.
            StoppedError: the job was asked to stop.
        """
        self._learned = version, records
        first = self._read(version, records[0])
        fitting = max(_LEAST_ITEMS, CALIBRATION_BYTES // max(1, sum(feed.nbytes for feed in first.feeds.values())))
        num = min(_ITEMS, fitting, len(records))
        found = []
        for read in self.spread(num):
            asked = {name: _rows_of(batches) for name, batches in self.session.asked(read.feeds).items()}
            kept = {name: _evenly(rows, -(-_ROWS // num)) for name, rows in asked.items()}
            found.append(replace(read, graph_feeds=kept, num_asked=sum(map(len, asked.values()))))
        return found

    def spread(self, most: int) -> Iterator[DecodedItem]:
        """At most so many items, spread evenly over those that ``calibration_of`` was given; none before.

        Items are read as they are asked for, so that they need not fit into memory at once.

        Raises:
            DataInvalidError: the runtime refuses one.
            StoppedError: the job was asked to stop.
        """
        if self._learned is None:
            return
        version, records = self._learned
        num = min(most, len(records))
        for number in range(num):
            yield self._read(version, records[number * len(records) // num])

    def _read(self, version: DatasetVersion, record: ItemRecord) -> DecodedItem:
        self.job.control.raise_if_stopped()
        try:
            return self.decoded(version.blob_path(record.blob).read_bytes())
        except RuntimeFault as fault:
            raise DataInvalidError(f"{record.name} cannot be read: {fault.detail}", items=(record.item,)) from fault

    def decoded(self, content: bytes) -> DecodedItem:
        """An item from its file's bytes.

        Raises:
            RuntimeFault: it cannot be decoded.
        """
        item = self._items.decode(content)
        return DecodedItem(item, self._items.feeds(item))

    @cached_property
    def expected(self) -> list[Mapping[str, Any]]:
        """The model's answers to the items of ``calibration``, in the form of golden samples."""
        return [self.golden(self.session.answers(each.feeds)[0]) for each in self.calibration]

    def golden(self, answer: NDArray[np.float32]) -> Mapping[str, Any]:
        """An answer in the form of golden samples, which the runtime compares."""
        golden = answer_kind(self.manifest.output).golden(answer)
        return {"labels": self.manifest.label_set.names, "detections": (), **golden}

    def difference(self, expected: Mapping[str, Any], answer: NDArray[np.float32], read: DecodedItem) -> float:
        """How far an answer to an item is from the expected one (``golden``), by the runtime's own comparison."""
        return self._answers.difference(expected, answer, read.item)


@dataclass(frozen=True)
class SourceGraph:
    """A graph of the model, which a method makes smaller."""

    source: Source
    file: str
    """Its name."""

    @property
    def work(self) -> Path:
        """A folder for files that are needed meanwhile."""
        folder = self.source.work / Path(self.file).stem
        folder.mkdir(exist_ok=True)
        return folder

    @property
    def feeds(self) -> list[Feeds]:
        """What it is asked about the items of ``Source.calibration``, one row each."""
        return [feeds for read in self.source.calibration for feeds in read.graph_feeds[self.file]]

    def model(self) -> onnx.ModelProto:
        """The graph itself, anew at each call, with a name for every node."""
        return named(onnx.load(self.source.folder / self.file))

    def rows(self, most: int) -> Iterator[Feeds]:
        """One of what it is asked about an item, of at most so many items; raises as ``Source.spread``."""
        for number, read in enumerate(self.source.spread(most)):
            asked = _rows_of(self.source.session.asked(read.feeds)[self.file])
            if asked:
                yield asked[number % len(asked)]


def _rows_of(batches: Sequence[Feeds]) -> list[Feeds]:
    return [
        {name: values[row : row + 1] for name, values in feeds.items()}
        for feeds in batches
        for row in range(len(next(iter(feeds.values()))))
    ]


def _evenly(rows: Sequence[Feeds], most: int) -> list[Feeds]:
    places = np.linspace(0, len(rows) - 1, min(len(rows), most))
    return [rows[place] for place in np.unique(places.round().astype(int))]
