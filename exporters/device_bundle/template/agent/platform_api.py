"""The platform's API for devices. The device always makes the connection: none of its ports needs to be open for this."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TIMEOUT_S = 20.0
CHUNK_BYTES = 1 << 20
TRY_AGAIN = frozenset({408, 425, 429})


class UnreachableError(Exception):
    """No answer, or one that says to try again later: the agent does."""


class RefusedError(Exception):
    """The platform refuses this for good."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.status = status
        self.code = code


class PlatformApi:
    """A client of the platform's API for devices."""

    def __init__(self, url: str, key: str = "") -> None:
        self._url = url.rstrip("/")
        self._key = key

    def join(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Exchanges a join code for a key."""
        return self._json("/api/device/join", body)

    def beat(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Reports the device's state (heartbeat); returns its settings and the assigned model."""
        return self._json("/api/device/beat", body)

    def usage(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Sends counts of calls."""
        return self._json("/api/device/usage", body)

    def measurement(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Sends what a benchmark measured."""
        return self._json("/api/device/measurements", body)

    def item(self, about: Mapping[str, Any], data: bytes) -> dict[str, Any]:
        """Sends an input with the model's prediction."""
        mark = uuid.uuid4().hex
        head = f'--{mark}\r\nContent-Disposition: form-data; name="about"\r\n\r\n{json.dumps(about)}\r\n'
        head += f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{about["id"]}"\r\n'
        body = f"{head}Content-Type: application/octet-stream\r\n\r\n".encode() + data + f"\r\n--{mark}--\r\n".encode()
        return self._read(self._request("/api/device/items", body, f"multipart/form-data; boundary={mark}"))

    def download(self, path: str, file: Path) -> None:
        """Downloads a file, continuing where an earlier download was interrupted."""
        file.parent.mkdir(parents=True, exist_ok=True)
        begun = file.stat().st_size if file.exists() else 0
        request = self._request(path, None, "")
        if begun:
            request.add_header("Range", f"bytes={begun}-")
        try:
            with self._open(request) as answer, file.open("ab" if answer.status == 206 else "wb") as written:
                while chunk := answer.read(CHUNK_BYTES):
                    written.write(chunk)
        except RefusedError as error:
            if error.status != 416:  # else all of it is there already
                raise
        except OSError as error:
            raise UnreachableError(str(error)) from error

    def _json(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        return self._read(self._request(path, json.dumps(body).encode(), "application/json"))

    def _request(self, path: str, body: bytes | None, content_type: str) -> urllib.request.Request:
        request = urllib.request.Request(self._url + path, data=body)  # noqa: S310 - the address that the device was joined to
        if content_type:
            request.add_header("Content-Type", content_type)
        if self._key:
            request.add_header("Authorization", f"Bearer {self._key}")
        return request

    def _read(self, request: urllib.request.Request) -> dict[str, Any]:
        try:
            with self._open(request) as answer:
                value = json.load(answer)
        except (OSError, ValueError) as error:
            raise UnreachableError(str(error)) from error
        return value if isinstance(value, dict) else {}

    def _open(self, request: urllib.request.Request) -> Any:  # noqa: ANN401 - what urllib answers with
        try:
            return urllib.request.urlopen(request, timeout=TIMEOUT_S)  # noqa: S310 - as above
        except urllib.error.HTTPError as error:
            if error.code >= 500 or error.code in TRY_AGAIN:
                raise UnreachableError(f"{request.full_url}: {error.code}") from error
            raise _refusal(error) from error
        except OSError as error:
            raise UnreachableError(str(error)) from error


def _refusal(error: urllib.error.HTTPError) -> RefusedError:
    try:
        problem = json.loads(error.read())
        return RefusedError(error.code, str(problem["code"]), str(problem.get("detail", "")))
    except (OSError, ValueError, KeyError, TypeError):
        return RefusedError(error.code, "refused", f"the platform answered {error.code}")
