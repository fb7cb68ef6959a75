"""What a caller can get wrong about pictures."""

from __future__ import annotations

from ...errors import RuntimeFault


class PictureMissingError(RuntimeFault):
    """The request holds no picture."""

    code = "picture_missing"
    status = 400
    title = "The request holds no picture"
    hint = "Send the picture's bytes as the body, a multipart field named file, or JSON with image or images in base64."
    easydl_code = 336001


class PictureUnreadableError(RuntimeFault):
    """The bytes are no picture, or a broken one."""

    code = "picture_unreadable"
    status = 400
    title = "The picture cannot be decoded"
    hint = "Send a whole JPEG, PNG, WebP, BMP, GIF or TIFF file."
    easydl_code = 336005


class PictureTooLargeError(RuntimeFault):
    """The picture has more pixels than the runtime decodes."""

    code = "picture_too_large"
    status = 413
    title = "The picture has too many pixels"
    hint = "Send a smaller picture; the model looks at a reduced one anyway."
    easydl_code = 336001


class PicturesTooManyError(RuntimeFault):
    """One request holds more pictures than allowed."""

    code = "pictures_too_many"
    status = 413
    title = "Too many pictures in one request"
    hint = "Send them in several requests."
    easydl_code = 336001


class Base64InvalidError(RuntimeFault):
    """A picture in JSON is not base64."""

    code = "base64_invalid"
    status = 400
    title = "The picture is not valid base64"
    hint = "Encode the file's bytes as standard base64, without a header."
    easydl_code = 336003
