"""Calls that ask about pictures: raw files, multipart forms, or JSON with base64."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import unquote

from ...bodies import FORM_TYPE
from ...errors import ArgumentInvalidError, JsonInvalidError, MultipartInvalidError, RuntimeFault
from ...protocol_errors import UrlRefusedError
from ...schemas import BINARY, THRESHOLD, TOP, Schema, object_of, request_of
from .._single import EXPLAINED, EXPLAINING_FAULTS, LABEL, MAX_ITEMS, SingleCalls
from ..kind import Description
from .errors import (
    Base64InvalidError,
    PictureMissingError,
    PicturesTooManyError,
    PictureTooLargeError,
    PictureUnreadableError,
)

DATA_URI_MARK = ";base64,"
RAW_TYPES = ("application/octet-stream", "image/jpeg", "image/png", "image/webp")
_BASE64: Schema = {
    "type": "string",
    "contentEncoding": "base64",
    "minLength": 1,
    "description": "A JPEG, PNG, WebP, BMP, GIF or TIFF file in base64; a data URL is taken too.",
}
_WHOLE: Schema = {"type": "integer", "minimum": 1}
_SHARES: Schema = {"type": "array", "items": {"type": "number", "minimum": -1, "maximum": 1}}
_GRID = object_of(
    {
        "rows": _WHOLE,
        "columns": _WHOLE,
        "falls": {**_SHARES, "description": "How far the score falls without each cell, row by row from the top left."},
        "weights": {**_SHARES, "description": "The same in shares of the greatest; 0 everywhere where nothing counts."},
    }
)
_AREA = object_of({side: {"type": "number"} for side in ("x", "y", "width", "height")})
_GRID["properties"]["area"] = {**_AREA, "description": "Where the grid lies, in pixels; without it over the whole picture."}
_EXPLAINED = object_of(EXPLAINED | {"grid": _GRID})
_EXPLAINED["properties"]["box"] = {**_AREA, "description": "Of the object that is explained, in pixels of the picture."}
_BOX: Schema = {
    "type": "string",
    "description": "Of an object: `x,y,width,height` in pixels of the picture, whether or not the model finds it; without it "
    "the surest one that it finds.",
    "example": "12,40,220,180",
}
_SIDES: Schema = {"type": "array", "minItems": 4, "maxItems": 4, "items": {"type": "number"}, "description": "As in the query."}
_EXPLAINING = request_of("image", _BASE64, {"label": LABEL, "box": _SIDES})


class ImageCalls(SingleCalls):
    """See ``Calls``."""

    tensor: ClassVar[str] = "image"
    noun: ClassVar[str] = "pictures"
    too_many: ClassVar[type[RuntimeFault]] = PicturesTooManyError
    missing: ClassVar[type[RuntimeFault]] = PictureMissingError
    json_invalid: ClassVar[type[JsonInvalidError]] = JsonInvalidError

    def from_fields(self, fields: Mapping[str, Any]) -> list[bytes]:
        """See ``SingleCalls``."""
        if "images" in fields:
            encoded = fields["images"]
            if not isinstance(encoded, list):
                raise ArgumentInvalidError("images must be a list of base64 strings")
        else:
            encoded = [fields["image"]] if fields.get("image") is not None else []
            if not encoded and "url" in fields:
                raise UrlRefusedError
        return [picture_from_base64(text) for text in encoded]

    def from_form(self, fields: Mapping[str, Any]) -> list[bytes]:
        """See ``SingleCalls``. A + that was not encoded has become a space, and is put back."""
        if "image" in fields:
            return [picture_from_base64(fields["image"].strip().replace(" ", "+"))]
        if "url" in fields:
            raise UrlRefusedError
        return []

    def from_string(self, value: bytes) -> bytes:
        """See ``SingleCalls``."""
        return picture_from_base64(value.decode("utf-8", "replace"))

    def log_bytes(self, item: bytes) -> bytes:
        """See ``Calls``."""
        return item

    @staticmethod
    def description(decode: Mapping[str, Any] | None) -> Description:
        """See ``Calls``."""
        del decode
        one = request_of("image", _BASE64)
        several = request_of("images", {"type": "array", "items": _BASE64, "minItems": 1, "maxItems": MAX_ITEMS})
        files = {"type": "array", "items": BINARY, "minItems": 1, "maxItems": MAX_ITEMS}
        form = request_of("file", files, {"top": TOP, "threshold": THRESHOLD})
        contents = {
            **{media_type: {"schema": BINARY} for media_type in RAW_TYPES},
            "application/json": {"schema": {"oneOf": [one, several]}},
            "multipart/form-data": {"schema": form},
            FORM_TYPE: {"schema": one},
        }
        faults = (
            ArgumentInvalidError,
            MultipartInvalidError,
            JsonInvalidError,
            Base64InvalidError,
            UrlRefusedError,
            PictureMissingError,
            PictureUnreadableError,
            PictureTooLargeError,
            PicturesTooManyError,
        )
        return Description(
            "pictures",
            contents,
            faults,
            explaining={
                **contents,
                "application/json": {"schema": _EXPLAINING},
            },
            explaining_query={"label": LABEL, "box": _BOX},
            explained=_EXPLAINED,
            explaining_faults=EXPLAINING_FAULTS,
        )


def picture_from_base64(text: object) -> bytes:
    """A picture's file out of its base64, also as a data URL, with line breaks, or encoded for an address.

    Raises:
        Base64InvalidError, PictureMissingError: it is none, or empty.
    """
    if not isinstance(text, str):
        raise Base64InvalidError("a picture must be a base64 string")
    if text.startswith("data:"):
        text = text.partition(DATA_URI_MARK)[2]
    if "%" in text[-8:] or "%2" in text:  # of base64 only +, / and = are encoded
        text = unquote(text)
    try:
        picture = b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        try:
            # Some encoders break lines; everything else that is not base64 stays an error.
            picture = b64decode("".join(text.split()), validate=True)
        except (binascii.Error, ValueError) as error:
            raise Base64InvalidError(f"a picture is not base64: {error}") from error
    if not picture:
        raise PictureMissingError
    return picture
