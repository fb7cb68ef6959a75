"""What a kind of items does, in two halves: reading items for the graph, and calls that ask about them.

A package beside this module each, with the class of the first half as ``KIND``, which names that of the second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from numpy.typing import NDArray

from ..annotations import Annotation, Bounds
from ..answers import Answers
from ..errors import RuntimeFault
from ..facts import Fact
from ..schemas import Schema
from ..tensors import Tensor, TensorSpec

if TYPE_CHECKING:
    from ..explaining import ExplainCall
    from ..predictor import Predictor

Decoded = Any
"""One item, or several that the graph answers at once, in the form of their kind."""
Feeds = Mapping[str, NDArray[Any]]
"""The graph's inputs by name, items along the first axis."""
Contents = Mapping[str, Any]
"""Media types of a request's body, each with its schema."""


@dataclass(slots=True)
class PredictRequest:
    """What a caller asks."""

    items: Sequence[Any]
    """As they came: files, texts in UTF-8, cells of rows."""
    top: int | None = None
    threshold: float | None = None
    is_batch: bool = False
    """Asked as EasyDL's clients ask about many items at once."""


@dataclass(frozen=True, slots=True)
class Description:
    """What the API's description says of a kind."""

    noun: str
    """Of several items."""
    contents: Contents
    faults: Sequence[type[RuntimeFault]]
    """What can be wrong with the items."""
    query: Schema = field(default_factory=dict)
    """Arguments of the address that only this kind knows."""
    notes: Schema = field(default_factory=dict)
    """Properties of an answer that only this kind has."""
    easydl_contents: Contents = field(default_factory=dict)
    """Media types whose schema is another one where EasyDL's form is asked for."""
    explaining: Contents = field(default_factory=dict)
    """Of a request to explain an answer."""
    explaining_query: Schema = field(default_factory=dict)
    """Arguments of its address."""
    explained: Schema = field(default_factory=dict)
    """Of an explanation."""
    explaining_faults: Sequence[type[RuntimeFault]] = ()


class Items(Protocol):
    """The items that one model reads."""

    name: ClassVar[str]
    """Of the kind."""
    calls: ClassVar[type[Calls]]

    def __init__(self, decode: Mapping[str, Any], inputs: Sequence[str], artefact_dir: Path) -> None:
        """Takes what the manifest says of items and the names of the graph's inputs.

        Raises:
            OSError, KeyError, TypeError, ValueError, ImportError: it is not by the contract, or a file or library is missing.
        """

    @staticmethod
    def files(decode: Mapping[str, Any]) -> Sequence[str]:
        """Names of the artefact's files that reading items needs."""

    def typical(self) -> Decoded:
        """An item to try the graph with, for which a sound model has an answer: without one an artefact is not opened."""

    def decode(self, data: bytes) -> Decoded:
        """Reads one item as a dataset keeps it, the way training reads it.

        Raises:
            RuntimeFault: it cannot be read; the error's code says why.
        """

    def feeds(self, decoded: Decoded) -> Feeds:
        """What the graph takes."""

    def facts(self, decoded: Decoded) -> Sequence[Fact]:
        """What can be said of one item at next to no cost, the same facts in the same order of every item of a model."""

    def num_at_once(self, feeds: Feeds) -> int:
        """How many items one run of the graph should take at most."""

    def explain(self, data: bytes, score: Callable[[Decoded], float], box: Bounds | None = None) -> Mapping[str, Any]:
        """Says what counts in an item, by a score of the item without each of its parts.

        Args:
            data: the item as a dataset keeps it; it can be decoded.
            score: of a decoded item, 0..1.
            box: of the object that is meant, in pixels of the picture; None where it is the item as a whole.

        Returns:
            Fields of the explanation that only this kind has.

        Raises:
            NotExplainedError: items of this kind are not explained one by one.
        """

    def feeds_check(self, feeds: Feeds) -> None:
        """Looks at tensors that a caller made himself.

        Raises:
            TensorInvalidError: they hold more than the graph is for.
        """

    def fed(self, feeds: Feeds) -> Sequence[Decoded | None]:
        """The items that such tensors hold, for kinds of answers that need something of them; None where none does."""


class Calls(Protocol):
    """The calls that ask about items of one model."""

    max_items: ClassVar[int]
    """In one request: more would keep other callers waiting."""
    too_many: ClassVar[type[RuntimeFault]]
    """What a request with more is refused with."""

    def __init__(self, items: Any) -> None:  # noqa: ANN401 - the kind's own first half
        """Takes the first half."""

    def request(self, body: bytes, content_type: str, query: Mapping[str, str]) -> PredictRequest:
        """Finds items and arguments in a request. Arguments in the body win over those in the address.

        Raises:
            RuntimeFault: something is wrong with it.
        """

    def parts(self, request: PredictRequest) -> Sequence[Sequence[Any]]:
        """The request's items, cut into what is read and answered in one piece."""

    def read(self, part: Sequence[Any], request: PredictRequest) -> Decoded:
        """Reads the items of one part.

        Raises:
            RuntimeFault: one cannot be read.
        """

    @staticmethod
    def tensor_specs(decode: Mapping[str, Any]) -> Sequence[TensorSpec]:
        """What the Open Inference Protocol takes in place of the graph's own tensors.

        Args:
            decode: what a manifest says of items.
        """

    def tensor_request(self, tensors: Mapping[str, Tensor], *, is_binary: bool) -> PredictRequest | None:
        """Finds items in tensors of that protocol; None where these are no items, but may be the graph's own.

        Args:
            tensors: by name; strings are ``bytes`` objects.
            is_binary: whether strings came as bytes, not in JSON.

        Raises:
            RuntimeFault: an item cannot be read, or they are not by ``tensor_specs``.
        """

    def log_bytes(self, item: Any) -> bytes | None:  # noqa: ANN401 - of ``PredictRequest.items``
        """An item as the prediction log keeps it and a dataset takes it; None where a dataset would refuse it."""

    def notes(self, decoded: Sequence[Any]) -> Mapping[str, Any]:
        """What a caller should know of how the items were read: fields of the answer beside the predictions.

        Args:
            decoded: the parts of the request, as they were read.
        """

    def easydl_batch(
        self, request: PredictRequest, predictions: Sequence[Sequence[Annotation]], answers: Answers
    ) -> Mapping[str, Any]:
        """EasyDL's answer to a request that ``is_batch``."""

    def explain(self, predictor: Predictor, call: ExplainCall) -> Mapping[str, Any]:
        """Says what each part of an item adds to its answer; runs in any thread.

        Raises:
            NotExplainedError: the model gives answers that are not explained.
            RuntimeFault: something is wrong with the request.
        """

    @staticmethod
    def description(decode: Mapping[str, Any] | None) -> Description:
        """For the API's description.

        Args:
            decode: what a manifest says of items; None describes any model of the kind.
        """
