"""What kinds share whose items are read and answered one by one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import parse_qsl

from ..annotations import Annotation
from ..answers import Answers
from ..bodies import FORM_TYPE, form_parse, is_json, threshold_of, top_of
from ..errors import AnswerInvalidError, ArgumentInvalidError, JsonInvalidError, NotExplainedError, RuntimeFault
from ..explaining import box_of, item_explain
from ..protocol_errors import InferenceInvalidError
from ..schemas import SCORE, Schema
from ..tensors import BYTES, Tensor, TensorSpec, strings_of
from .kind import Decoded, Feeds, PredictRequest

if TYPE_CHECKING:
    from ..explaining import ExplainCall
    from ..predictor import Predictor

MAX_ITEMS = 64
LABEL: Schema = {"type": "string", "description": "Whose score is explained; without it the label that the model says."}
EXPLAINED: Schema = {
    "id": {"type": "string"},
    "model": {"type": "string"},
    "label": {"type": "string", "description": "Whose score is explained."},
    "score": {**SCORE, "description": "Of the whole item."},
    "latency_ms": {"type": "number", "minimum": 0},
}
"""Fields of every explanation of one item."""
EXPLAINING_FAULTS = (NotExplainedError, ArgumentInvalidError, AnswerInvalidError)
_FIELD = re.compile(r"\s*(\w+)=")
_SHARED_FIELDS = frozenset({"url", "top", "top_num", "threshold"})
"""That a page's form may begin with, whatever the items are."""
_FIELD_BYTES = 64
"""At the beginning of a body, where its first field is named."""


class SingleItems:
    """Items of which the graph takes one at a time: they differ in size."""

    def num_at_once(self, feeds: Feeds) -> int:
        """See ``Items``."""
        del feeds
        return 1

    def feeds_check(self, feeds: Feeds) -> None:
        """See ``Items``."""

    def fed(self, feeds: Feeds) -> Sequence[Decoded | None]:
        """See ``Items``."""
        return [None] * len(next(iter(feeds.values())))


class SingleCalls:
    """Calls about such items."""

    tensor: ClassVar[str]
    """Name of the tensor of encoded items, and of the field of a page's form that holds one: that of the kind."""
    max_items: ClassVar[int] = MAX_ITEMS
    noun: ClassVar[str]
    too_many: ClassVar[type[RuntimeFault]]
    missing: ClassVar[type[RuntimeFault]]
    json_invalid: ClassVar[type[JsonInvalidError]]

    def __init__(self, items: Any) -> None:  # noqa: ANN401 - the kind's own first half
        self._items = items

    def request(self, body: bytes, content_type: str, query: Mapping[str, str]) -> PredictRequest:
        """See ``Calls``."""
        items, arguments = self._items_and_arguments(body, content_type, query)
        return PredictRequest(items, top_of(arguments), threshold_of(arguments)) if arguments else PredictRequest(items)

    def _items_and_arguments(
        self, body: bytes, content_type: str, query: Mapping[str, str]
    ) -> tuple[list[bytes], Mapping[str, Any]]:
        """Finds both in a request.

        A body that starts with ``{`` is JSON whatever it calls itself, unless it may be the item itself: EasyDL's own examples
        send JSON without a content type.
        """
        if not body:
            raise self.missing
        arguments: Mapping[str, Any] = {}
        if content_type.startswith("multipart/form-data"):
            items, arguments = form_parse(body, content_type, self.missing, fields=(self.tensor, f"{self.tensor}s"))
        elif not self.is_item(content_type) and is_json(body, content_type):
            arguments = self._json(body)
            items = self.from_fields(arguments)
        elif content_type.startswith(FORM_TYPE) and self._is_form(body):
            arguments = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
            items = self.from_form(arguments)
        else:
            items = [body]
        if not items:
            raise self.missing
        if len(items) > self.max_items:
            raise self.too_many(f"{len(items)} {self.noun}, at most {self.max_items} go into one request")
        return items, {**query, **arguments} if query else arguments

    def _is_form(self, body: bytes) -> bool:
        """Whether it begins as a page's form does: curl calls any body a form, so one that does not is an item."""
        field = _FIELD.match(body[:_FIELD_BYTES].decode("latin-1"))
        return field is not None and (field[1] == self.tensor or field[1] in _SHARED_FIELDS)

    def is_item(self, content_type: str) -> bool:
        """Whether a body of that type is an item, whatever it begins with."""
        del content_type
        return False

    def from_fields(self, fields: Mapping[str, Any]) -> list[bytes]:
        """The items of a JSON body."""
        raise NotImplementedError

    def from_form(self, fields: Mapping[str, Any]) -> list[bytes]:
        """The items of a form as a page sends it."""
        return self.from_fields(fields)

    def from_string(self, value: bytes) -> bytes:
        """An item out of a string of JSON."""
        return value

    def parts(self, request: PredictRequest) -> Sequence[Sequence[bytes]]:
        """See ``Calls``."""
        return [(item,) for item in request.items]

    def read(self, part: Sequence[bytes], request: PredictRequest) -> Decoded:
        """See ``Calls``."""
        del request
        return self._items.decode(part[0])

    @classmethod
    def tensor_specs(cls, decode: Mapping[str, Any]) -> Sequence[TensorSpec]:
        """See ``Calls``."""
        del decode
        return (TensorSpec(cls.tensor, BYTES, (-1,)),)

    def tensor_request(self, tensors: Mapping[str, Tensor], *, is_binary: bool) -> PredictRequest | None:
        """See ``Calls``."""
        if self.tensor not in tensors:
            return None
        if len(tensors) > 1:
            raise InferenceInvalidError(f"{self.tensor} stands alone; the other inputs are the graph's own tensors")
        values = strings_of(self.tensor, tensors[self.tensor])
        return PredictRequest(values if is_binary else [self.from_string(value) for value in values])

    def notes(self, decoded: Sequence[Any]) -> Mapping[str, Any]:
        """See ``Calls``."""
        del decoded
        return {}

    def easydl_batch(
        self, request: PredictRequest, predictions: Sequence[Sequence[Annotation]], answers: Answers
    ) -> Mapping[str, Any]:
        """EasyDL has no such requests."""
        raise self.too_many

    def explain(self, predictor: Predictor, call: ExplainCall) -> Mapping[str, Any]:
        """See ``Calls``."""
        items, arguments = self._items_and_arguments(call.body, call.content_type, call.query)
        if len(items) > 1:
            raise self.too_many(f"{len(items)} {self.noun}, one is explained at a time")
        label = arguments.get("label")
        if label is not None and not isinstance(label, str):
            raise ArgumentInvalidError("label must be a text")
        box = box_of(arguments.get("box"))
        return item_explain(predictor, items[0], label=label, box=box, thresholds=call.thresholds)

    def _json(self, body: bytes) -> dict[str, Any]:
        try:
            fields = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise self.json_invalid(f"the body is not JSON: {error}") from error
        if not isinstance(fields, dict):
            raise self.json_invalid("the body is JSON but not an object")
        return fields
