"""Calls that ask about texts: plain UTF-8, multipart forms, or JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from ...bodies import FORM_TYPE
from ...errors import ArgumentInvalidError, JsonInvalidError, MultipartInvalidError, RuntimeFault
from ...protocol_errors import UrlRefusedError
from ...schemas import THRESHOLD, TOP, Schema, object_of, request_of
from .._single import EXPLAINED, EXPLAINING_FAULTS, LABEL, MAX_ITEMS, SingleCalls
from ..kind import Description
from .errors import TextJsonInvalidError, TextMissingError, TextsTooManyError, TextUnreadableError
from .tokens import TextTokens, text_data, text_of

_TEXT: Schema = {"type": "string", "minLength": 1}
_PLACE: Schema = {"type": "integer", "minimum": 0, "description": "In characters (Unicode code points)."}
_CUT: Schema = {
    "type": "array",
    "items": {"type": "integer"},
    "description": "Texts, counted from 1, that are longer than the model reads: their ends were not read.",
}
_SHARE: Schema = {"type": "number", "minimum": -1, "maximum": 1}
_SEGMENT = object_of(
    {
        "start": _PLACE,
        "end": {**_PLACE, "description": "The character after the last."},
        "fall": {**_SHARE, "description": "How far the score falls without the part."},
        "weight": {**_SHARE, "description": "The same in shares of the greatest; 0 everywhere where nothing counts."},
    }
)


class TextCalls(SingleCalls):
    """See ``Calls``."""

    tensor: ClassVar[str] = "text"
    noun: ClassVar[str] = "texts"
    too_many: ClassVar[type[RuntimeFault]] = TextsTooManyError
    missing: ClassVar[type[RuntimeFault]] = TextMissingError
    json_invalid: ClassVar[type[JsonInvalidError]] = TextJsonInvalidError

    def is_item(self, content_type: str) -> bool:
        """See ``SingleCalls``: plain text may begin with a brace."""
        return content_type.startswith("text/plain")

    def from_fields(self, fields: Mapping[str, Any]) -> list[bytes]:
        """See ``SingleCalls``."""
        texts = fields.get("texts", [fields["text"]] if "text" in fields else [])
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise ArgumentInvalidError("text must be a string, texts a list of strings")
        try:
            return [text.encode() for text in texts]
        except UnicodeEncodeError as error:  # half of a surrogate pair, which JSON can spell
            raise ArgumentInvalidError(f"a text holds what is no character: {error.reason}") from error

    def log_bytes(self, item: bytes) -> bytes:
        """See ``Calls``."""
        return text_data(text_of(item))

    def notes(self, decoded: Sequence[TextTokens]) -> Mapping[str, Any]:
        """Texts of which the model reads only the beginning."""
        return {"cut_texts": [number for number, one in enumerate(decoded, 1) if one.is_cut]}

    @staticmethod
    def description(decode: Mapping[str, Any] | None) -> Description:
        """See ``Calls``."""
        del decode
        one = request_of("text", _TEXT)
        several = request_of("texts", {"type": "array", "items": _TEXT, "minItems": 1, "maxItems": MAX_ITEMS})
        contents = {
            "application/json": {"schema": {"oneOf": [one, several]}},
            "text/plain": {"schema": {"type": "string"}},
            "multipart/form-data": {"schema": request_of("text", _TEXT, {"top": TOP, "threshold": THRESHOLD})},
            FORM_TYPE: {"schema": one},
        }
        faults = (
            ArgumentInvalidError,
            MultipartInvalidError,
            TextJsonInvalidError,
            UrlRefusedError,
            TextMissingError,
            TextUnreadableError,
            TextsTooManyError,
        )
        return Description(
            "texts",
            contents,
            faults,
            notes={"cut_texts": _CUT},
            explaining={**contents, "application/json": {"schema": request_of("text", _TEXT, {"label": LABEL})}},
            explaining_query={"label": LABEL},
            explained=object_of(EXPLAINED | {"segments": {"type": "array", "items": _SEGMENT}}),
            explaining_faults=EXPLAINING_FAULTS,
        )
