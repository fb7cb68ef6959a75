"""Asks deployed models about texts and pictures."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modelyard.errors import ModelyardError

if TYPE_CHECKING:
    from modelyard.client import Client

AT_ONCE = 64
"""Items in one request: as many as the prediction server takes."""
AT_ONCE_BYTES = 8 * 2**20
"""Of items in one request; one that is larger goes alone."""

Asked = str | bytes | os.PathLike[str]
"""A text; the bytes of a file; the path of a file."""


@dataclass(frozen=True)
class Prediction:
    """What a model says of one text or picture."""

    annotations: list[dict[str, Any]]
    """As the API has them, the surest first: ``{"kind": "class", "label": "good", "score": 0.93}``."""
    model: str
    """Id of the model that answered."""

    @property
    def label(self) -> str | None:
        """The surest label; None when nothing was found."""
        return str(self.annotations[0]["label"]) if self.annotations else None

    @property
    def score(self) -> float | None:
        """How sure that is, 0..1; None when nothing was found."""
        return float(self.annotations[0]["score"]) if self.annotations else None


@dataclass(frozen=True)
class Deployment:
    """A model behind an address."""

    client: Client
    id: str
    name: str
    slug: str
    url: str
    """Where any program may ask it, with the same key."""
    state: str
    """``starting``, ``running``, ``stopped`` or ``failed``."""

    @classmethod
    def read(cls, client: Client, told: Mapping[str, Any]) -> Deployment:
        """The deployment of a JSON object."""
        return cls(client, *(told[name] for name in ("id", "name", "slug", "url", "state")))

    def predict(self, item: Asked, *, top: int | None = None, threshold: float | None = None) -> Prediction:
        """Asks about one item.

        Args:
            item: a text as it is, a picture or a file of text as its bytes or its ``pathlib.Path``.
            top: how many annotations at most; None leaves it to the server.
            threshold: the lowest score to be told, 0..1; None takes the deployment's own.

        Raises:
            ApiError: the item cannot be read, the key may not ask, or the deployment does not run.
            UnreachableError: the prediction server stays away.
        """
        (answer,) = self.predict_many([item], top=top, threshold=threshold)
        return answer

    def predict_many(
        self, items: Iterable[Asked], *, top: int | None = None, threshold: float | None = None
    ) -> Iterator[Prediction]:
        """Asks about any number of items, many in one request, and gives the answers in their order.

        Args:
            items: as of ``predict``, texts or files, not both.
            top: as of ``predict``.
            threshold: as of ``predict``.

        Raises:
            ModelyardError: texts and files are mixed.
            ApiError: as of ``predict``; one bad item refuses all that go in its request.
            UnreachableError: as of ``predict``.
        """
        query = {name: value for name, value in (("top", top), ("threshold", threshold)) if value is not None}
        for some in asked_together(items):
            yield from self._ask(some, query)

    def _ask(self, items: Sequence[str | bytes], query: Mapping[str, int | float]) -> Iterator[Prediction]:
        texts = [item for item in items if isinstance(item, str)]
        files = [("file", (str(place), item)) for place, item in enumerate(items) if isinstance(item, bytes)]
        if texts and files:
            raise ModelyardError("Texts and files were asked about together.", hint="Ask about each kind by itself.")
        transport = self.client.transport
        if texts:
            answer = transport.json("POST", self.url, query=query, body={"texts": texts})
        else:
            answer = transport.json("POST", self.url, query=query, files=files)
        return (Prediction(told["annotations"], answer["model"]) for told in answer["predictions"])


def asked_together(items: Iterable[Asked]) -> Iterator[list[str | bytes]]:
    """Texts and contents of files, as many as go into one request."""
    portion: list[str | bytes] = []
    size_bytes = 0
    for item in items:
        read = item if isinstance(item, str | bytes) else Path(item).read_bytes()
        read_bytes = len(read.encode(errors="replace") if isinstance(read, str) else read)
        if portion and (len(portion) == AT_ONCE or size_bytes + read_bytes > AT_ONCE_BYTES):
            yield portion
            portion, size_bytes = [], 0
        portion.append(read)
        size_bytes += read_bytes
    if portion:
        yield portion
