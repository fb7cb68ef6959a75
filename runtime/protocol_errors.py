"""What a caller in the form of others can get wrong: EasyDL's, and the Open Inference Protocol's."""

from __future__ import annotations

from .errors import RuntimeFault


class UrlRefusedError(RuntimeFault):
    """The request names an address in place of a picture; the server fetches none, since it may see what its caller may not."""

    code = "url_refused"
    status = 400
    title = "The server does not fetch addresses"
    hint = "Fetch the file yourself and send its bytes, in JSON as base64 in the field image."
    easydl_code = 336001


class EncodingUnsupportedError(RuntimeFault):
    """The body is compressed: unpacked it could be of any size."""

    code = "encoding_unsupported"
    status = 415
    title = "The server does not unpack bodies"
    hint = "Send the body as it is, without Content-Encoding."
    easydl_code = 336001


class InferenceInvalidError(RuntimeFault):
    """The request is none of the protocol."""

    code = "inference_invalid"
    status = 400
    title = "The inference request cannot be read"
    hint = "GET /v2/models/{name} lists the inputs with their datatypes and shapes."


class TensorInvalidError(RuntimeFault):
    """A tensor is broken or does not fit the model."""

    code = "tensor_invalid"
    status = 400
    title = "A tensor does not fit"
    hint = "GET /v2/models/{name} tells names, datatypes and shapes."


class ItemsTooManyError(RuntimeFault):
    """One request holds more items than allowed."""

    code = "items_too_many"
    status = 413
    title = "Too many items in one request"
    hint = "Send them in several requests."


class VersionNotFoundError(RuntimeFault):
    """The deployment serves another model than the one named."""

    code = "version_not_found"
    status = 404
    title = "The deployment does not serve this model"
    hint = "GET /v2/models/{name} tells which one it serves, or leave the version out."
