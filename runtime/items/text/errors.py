"""What a caller can get wrong about texts."""

from __future__ import annotations

from ...errors import JsonInvalidError, RuntimeFault


class TextMissingError(RuntimeFault):
    """The request holds no text."""

    code = "text_missing"
    status = 400
    title = "The request holds no text"
    hint = 'Send the text in UTF-8 as the body with the content type text/plain, or JSON such as {"texts": ["..."]}.'
    easydl_code = 336001


class TextUnreadableError(RuntimeFault):
    """The bytes are not UTF-8."""

    code = "text_unreadable"
    status = 400
    title = "The text cannot be decoded"
    hint = "Send the text in UTF-8."
    easydl_code = 336005


class TextsTooManyError(RuntimeFault):
    """One request holds more texts than allowed."""

    code = "texts_too_many"
    status = 413
    title = "Too many texts in one request"
    hint = "Send them in several requests."
    easydl_code = 336001


class TextJsonInvalidError(JsonInvalidError):
    """The same of a model that reads texts."""

    hint = 'Send an object such as {"texts": ["..."], "top_num": 5}.'
