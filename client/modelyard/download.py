"""Saves what the platform hands out as files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from modelyard.records import Version
from modelyard.transport import api_error

if TYPE_CHECKING:
    from modelyard.client import Client


def version_download(
    client: Client,
    version: Version,
    path: str | os.PathLike[str],
    *,
    form: str = "image_folder",
    progress: Callable[[int], None] | None = None,
) -> Path:
    """Saves a version's items and labels as a zip.

    Args:
        client: the workspace.
        version: which.
        path: the file to write; it is there whole or not at all.
        form: name of an annotation format.
        progress: called with the bytes received.
    """
    return download(client, f"/versions/{version.id}/download", Path(path), query={"format": form}, progress=progress)


def download(
    client: Client,
    address: str,
    path: Path,
    *,
    query: Mapping[str, str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Path:
    """Saves what an address of the API answers.

    Raises:
        ApiError: the server refused.
    """
    partial = path.with_name(f".{path.name}.partial")
    received = 0
    try:
        with client.transport.http.stream("GET", address, params=query) as answer:
            if not answer.is_success:
                answer.read()
                raise api_error(answer)
            with partial.open("wb") as file:
                for chunk in answer.iter_bytes(2**20):
                    file.write(chunk)
                    received += len(chunk)
                    if progress is not None:
                        progress(received)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return path
