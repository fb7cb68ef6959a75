"""Asks deployed models about texts, pictures and rows of tables."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from modelyard.errors import ApiError, ModelyardError
from modelyard.rows import Row, row_cells, table_rows

if TYPE_CHECKING:
    from modelyard.client import Client

MAX_ITEMS_PER_REQUEST = 64
"""Texts or files in one request: as many as the prediction server takes."""
MAX_ROWS_PER_REQUEST = 1_000
"""Rows in one request."""
MAX_BYTES_PER_REQUEST = 8 * 2**20
"""Of items in one request; one that is larger goes alone."""

Input = str | bytes | os.PathLike[str] | Row
"""A text; the bytes of a file; the path of a file; a row as cells by column."""
_Read = str | bytes | dict[str, Any]


@dataclass(frozen=True)
class Prediction:
    """A model's prediction for one text, picture or row."""

    annotations: list[dict[str, Any]]
    """As the API has them, the surest first: ``{"kind": "class", "label": "good", "score": 0.93}``."""
    model: str
    """Id of the model that answered."""
    ask_a_person: bool | None = None
    """Whether a person should look at it; None where no error rate was chosen for the model."""
    possible_labels: tuple[str, ...] = ()
    """Labels that are possible at that error rate, the best first."""
    interval: tuple[float, float] | None = None
    """Between which numbers the true one lies, but for the error rate; None where none was chosen, and where labels are
    predicted."""

    @property
    def label(self) -> str | None:
        """The surest label; None when nothing was found, and where a number is predicted."""
        return str(self.annotations[0]["label"]) if self.annotations and "label" in self.annotations[0] else None

    @property
    def score(self) -> float | None:
        """How sure that is, 0..1; None when nothing was found, and where a number is predicted."""
        return float(self.annotations[0]["score"]) if self.annotations and "score" in self.annotations[0] else None

    @property
    def value(self) -> float | None:
        """The number that is predicted; None where labels are."""
        return float(self.annotations[0]["value"]) if self.annotations and "value" in self.annotations[0] else None


@dataclass(frozen=True)
class Form:
    """What was read in the picture of a form."""

    template: str
    """Name in calls of the template by which it was read."""
    fields: list[dict[str, Any]]
    """As the API has them: ``name``, ``kind``, ``value``, ``text``, ``confidence``, ``points``, ``problems``."""
    references: dict[str, Any]
    """How many reference texts were ``found`` of the ``total``, and which are ``missing``."""
    model: str
    """Id of the model that read."""

    @property
    def values(self) -> dict[str, Any]:
        """The value of each field by its name; of a table a list of rows, each with a value by the name of a column."""
        return {each["name"]: each["value"] for each in self.fields}


@dataclass(frozen=True)
class Deployment:
    """A model behind an address."""

    client: Client
    id: str
    name: str
    slug: str
    url: str
    """Address of its prediction API, for any program with the same key."""
    state: str
    """``starting``, ``running``, ``stopped`` or ``failed``."""

    @classmethod
    def read(cls, client: Client, data: Mapping[str, Any]) -> Deployment:
        """The deployment of a JSON object."""
        return cls(client, *(data[name] for name in ("id", "name", "slug", "url", "state")))

    def predict(self, item: Input, *, top: int | None = None, threshold: float | None = None) -> Prediction:
        """Asks about one item.

        Args:
            item: a text as it is, a picture or a file of text as its bytes or its ``pathlib.Path``, a row of a table as a
                mapping from columns to cells.
            top: how many annotations at most; None leaves it to the server, which answers the five best labels of an item and
                up to a hundred objects.
            threshold: the lowest score to be returned, 0..1; None takes the deployment's own.

        Raises:
            ApiError: the item cannot be read, the key may not ask, or the deployment does not run.
            UnreachableError: the prediction server does not answer.
        """
        (answer,) = self.predict_many([item], top=top, threshold=threshold)
        return answer

    def predict_many(
        self,
        items: Iterable[Input],
        *,
        top: int | None = None,
        threshold: float | None = None,
        invalid_cells: Literal["refuse", "missing"] = "refuse",
    ) -> Iterator[Prediction]:
        """Asks about any number of items, many in one request, and gives the answers in their order.

        Args:
            items: as of ``predict``, texts, files or rows, not several of these.
            top: as of ``predict``.
            threshold: as of ``predict``.
            invalid_cells: of rows: ``missing`` takes a cell that is no number or no moment where one is wanted as empty.

        Raises:
            ModelyardError: texts, files and rows are mixed.
            ApiError: as of ``predict``; one bad item refuses all that go in its request. Of rows ``extra`` holds ``row``,
                counted from 1, ``column`` and ``cell``.
            UnreachableError: as of ``predict``.
        """
        query: dict[str, Any] = {name: value for name, value in (("top", top), ("threshold", threshold)) if value is not None}
        if invalid_cells != "refuse":
            query["invalid_cells"] = invalid_cells
        num_before = 0
        for some in batched(items):
            try:
                answers = self._ask(some, query)
            except ApiError as error:
                raise _counted_on(error, num_before) from error
            yield from answers
            num_before += len(some)

    def predict_table(
        self,
        table: str | os.PathLike[str] | Iterable[Row],
        *,
        top: int | None = None,
        threshold: float | None = None,
        invalid_cells: Literal["refuse", "missing"] = "refuse",
    ) -> Iterator[Prediction]:
        """Asks about all rows of a table, a thousand in a request, and gives the answers in their order.

        Args:
            table: the path of a CSV or JSON Lines file in UTF-8, or rows, such as ``frame.to_dict("records")`` of pandas.
            top: as of ``predict``.
            threshold: as of ``predict``.
            invalid_cells: as of ``predict_many``.

        Raises:
            ModelyardError: the file cannot be read.
            ApiError, UnreachableError: as of ``predict_many``.
        """
        return self.predict_many(table_rows(table), top=top, threshold=threshold, invalid_cells=invalid_cells)

    def fields(self, picture: bytes | os.PathLike[str], template: str | None = None) -> Form:
        """Reads the fields of a form in a picture, by a template of the project.

        Args:
            picture: its bytes or its path.
            template: its name in calls; None takes the one of which most reference texts are found.

        Raises:
            ApiError: there is no such template (``template_unknown``), the picture does not show the form
                (``references_not_found``), or as of ``predict``.
            UnreachableError: as of ``predict``.
        """
        data = picture if isinstance(picture, bytes) else Path(picture).read_bytes()
        query = {} if template is None else {"template": template}
        address = f"{self.url.rpartition('/')[0]}/fields"
        answer = self.client.transport.json("POST", address, query=query, files=[("file", ("picture", data))])
        (form,) = answer["forms"]
        return Form(form["template"], form["fields"], form["references"], answer["model"])

    def columns(self) -> dict[str, Any]:
        """What a form for rows needs to know: ``target``, ``output``, ``labels``, ``fields`` and ``examples``.

        Raises:
            ApiError: the model reads no rows (``model_reads_no_rows``).
        """
        data: dict[str, Any] = self.client.transport.json("GET", f"/deployments/{self.id}/form")
        return data

    def _ask(self, items: Sequence[_Read], query: Mapping[str, Any]) -> list[Prediction]:
        texts = [item for item in items if isinstance(item, str)]
        rows = [item for item in items if isinstance(item, dict)]
        files = [("file", (str(place), item)) for place, item in enumerate(items) if isinstance(item, bytes)]
        if sum(map(bool, (texts, rows, files))) > 1:
            raise ModelyardError("Texts, files and rows were asked about together.", hint="Ask about each kind by itself.")
        transport = self.client.transport
        if texts or rows:
            body = {"texts": texts} if texts else {"rows": rows}
            answer = transport.json("POST", self.url, query=query, body=body)
        else:
            answer = transport.json("POST", self.url, query=query, files=files)
        return [_prediction(data, answer["model"]) for data in answer["predictions"]]


def batched(items: Iterable[Input]) -> Iterator[list[_Read]]:
    """Texts, contents of files, or rows, as many as go into one request."""
    portion: list[_Read] = []
    size_bytes = 0
    for item in items:
        read: _Read
        if isinstance(item, Mapping):
            read = row_cells(item)
            read_bytes, at_once = len(json.dumps(read, ensure_ascii=False)), MAX_ROWS_PER_REQUEST
        else:
            read = item if isinstance(item, str | bytes) else Path(item).read_bytes()
            read_bytes = len(read.encode(errors="replace") if isinstance(read, str) else read)
            at_once = MAX_ITEMS_PER_REQUEST
        if portion and (len(portion) >= at_once or size_bytes + read_bytes > MAX_BYTES_PER_REQUEST):
            yield portion
            portion, size_bytes = [], 0
        portion.append(read)
        size_bytes += read_bytes
    if portion:
        yield portion


def _counted_on(error: ApiError, num_before: int) -> ApiError:
    """A refusal of a row that counts from the first row of all, not of its request."""
    row = error.extra.get("row")
    if not num_before or not isinstance(row, int):
        return error
    return ApiError(
        status=error.status,
        code=error.code,
        message=error.message.replace(f"row {row}", f"row {num_before + row}", 1),
        hint=error.hint,
        fields=error.fields,
        extra={**error.extra, "row": num_before + row},
    )


def _prediction(data: Mapping[str, Any], model: str) -> Prediction:
    interval = data.get("interval")
    return Prediction(
        data["annotations"],
        model,
        ask_a_person=data.get("ask_a_person"),
        possible_labels=tuple(data.get("possible_labels") or ()),
        interval=None if interval is None else (interval["low"], interval["high"]),
    )
