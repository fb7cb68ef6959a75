"""Everything a caller can get wrong, each with a stable code, an HTTP status and the number EasyDL clients expect."""

from __future__ import annotations


class RuntimeFault(Exception):  # noqa: N818 - the base is no error by itself; its children are
    """Base of what the runtime refuses or fails at."""

    code = "internal_error"
    status = 500
    title = "Something went wrong on the server"
    hint = "Try again; if it happens again, look at the server's output."
    easydl_code = 336000
    """Number in EasyDL-shaped answers."""

    def __init__(self, detail: str = "", *, retry_after_s: int | None = None) -> None:
        super().__init__(detail or self.title)
        self.detail = detail or self.title
        self.retry_after_s = retry_after_s
        self.facts: dict[str, object] = {}
        """Where in the request, as fields that stand in the answer beside the words."""


class ArtefactUnreadableError(RuntimeFault):
    """The artefact directory does not hold a model that this runtime can run."""

    code = "artefact_unreadable"
    title = "The model cannot be loaded"
    hint = "Build or deploy the artefact again."
    easydl_code = 2


class AnswerInvalidError(RuntimeFault):
    """The model's number is infinite or none."""

    code = "answer_invalid"
    status = 422
    title = "The model gives no number for this"
    hint = "Look for extreme cells in the request; train the model again if there are none."
    easydl_code = 2


class BodyTooLargeError(RuntimeFault):
    """The body is larger than the deployment allows."""

    code = "body_too_large"
    status = 413
    title = "The request is too large"
    hint = "Send less in one request."
    easydl_code = 336001


class JsonInvalidError(RuntimeFault):
    """The body claims to be JSON and is not, or not an object."""

    code = "json_invalid"
    status = 400
    title = "The body is not valid JSON"
    hint = 'Send an object such as {"image": "<base64>", "top_num": 5}.'
    easydl_code = 336002


class MultipartInvalidError(RuntimeFault):
    """A multipart body cannot be taken apart."""

    code = "multipart_invalid"
    status = 400
    title = "The multipart body cannot be read"
    hint = "Let your HTTP client build the form; name the picture's field file."
    easydl_code = 336001


class ArgumentInvalidError(RuntimeFault):
    """``top`` or ``threshold`` is out of range."""

    code = "argument_invalid"
    status = 400
    title = "An argument is not valid"
    hint = "top is a whole number of at least 1, threshold lies between 0 and 1."
    easydl_code = 336001


class ApiKeyMissingError(RuntimeFault):
    """No key was sent."""

    code = "api_key_missing"
    status = 401
    title = "An API key is needed"
    hint = "Send the header Authorization: Bearer <key>."
    easydl_code = 100


class ApiKeyUnknownError(RuntimeFault):
    """The key is not known here."""

    code = "api_key_unknown"
    status = 401
    title = "The API key is not known"
    hint = "Check the key, or make a new one in the workspace's settings."
    easydl_code = 110


class MetricsTokenError(RuntimeFault):
    """``/metrics`` is asked for without its token, or with another one."""

    code = "metrics_token_invalid"
    status = 401
    title = "The token of the metrics is needed"
    hint = "Send the header Authorization: Bearer <token> with the token that the server was started with."


class ApiKeyExpiredError(RuntimeFault):
    """The key's time is over."""

    code = "api_key_expired"
    status = 401
    title = "The API key has expired"
    hint = "Make a new key in the workspace's settings."
    easydl_code = 111


class PermissionDeniedError(RuntimeFault):
    """The key may not predict."""

    code = "permission_denied"
    status = 403
    title = "The API key may not predict"
    hint = "Use a key whose role may call deployments."
    easydl_code = 6


class KeyOutOfScopeError(RuntimeFault):
    """The key is for another deployment, or for another project's."""

    code = "key_out_of_scope"
    status = 403
    title = "The API key is not for this deployment"
    hint = "Use the deployment's own key, or one with a wider scope."
    easydl_code = 6


class DeploymentNotFoundError(RuntimeFault):
    """There is no such deployment in the key's workspace."""

    code = "deployment_not_found"
    status = 404
    title = "There is no such deployment"
    hint = "Check the address and that the key belongs to the same workspace."
    easydl_code = 3


class DeploymentStoppedError(RuntimeFault):
    """The deployment is switched off."""

    code = "deployment_stopped"
    status = 503
    title = "The deployment is stopped"
    hint = "Start it on the deployments page."
    easydl_code = 2


class DeploymentStartingError(RuntimeFault):
    """The model is being loaded."""

    code = "deployment_starting"
    status = 503
    title = "The deployment is starting"
    hint = "Try again in a moment."
    easydl_code = 336100


class DeploymentFailedError(RuntimeFault):
    """The model could not be loaded."""

    code = "deployment_failed"
    status = 503
    title = "The deployment could not start"
    hint = "Look at the deployment's page for the reason."
    easydl_code = 2


class ServerBusyError(RuntimeFault):
    """More pictures wait than the server takes."""

    code = "server_busy"
    status = 503
    title = "The server has too much to do"
    hint = "Try again in a moment, or send requests more slowly."
    easydl_code = 4


class QuotaExceededError(RuntimeFault):
    """The deployment's calls of this minute are used up."""

    code = "quota_exceeded"
    status = 429
    title = "The quota is used up"
    hint = "Wait as long as Retry-After says."
    easydl_code = 18


class RouteNotFoundError(RuntimeFault):
    """Nothing answers at this address."""

    code = "not_found"
    status = 404
    title = "Nothing answers at this address"
    hint = "Predictions are at POST /v1/deployments/{id}/predict."
    easydl_code = 3


class NotExplainedError(RuntimeFault):
    """The answers of this model are not explained."""

    code = "not_explained"
    status = 422
    title = "This model's answers are not explained"
    hint = "Labels of pictures and texts and objects in pictures are explained item by item, rows against other rows."


class MethodNotAllowedError(RuntimeFault):
    """The address exists, but not for this method."""

    code = "method_not_allowed"
    status = 405
    title = "This address answers another method"
    hint = "Predict with POST."
    easydl_code = 3
