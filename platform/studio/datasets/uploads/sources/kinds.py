"""What a person may collect from: addresses of pictures, a folder of the server, an S3 bucket."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal
from urllib.parse import quote, unquote, urlencode, urlsplit
from xml.etree import ElementTree as Xml

from minio.credentials.credentials import Credentials
from minio.signer import presign_v4
from ninja import Schema
from pydantic import Field

from studio.datasets.files.formats import LabelFileProblem
from studio.datasets.files.limits import LIMITS
from studio.datasets.files.safe_names import NameRefusedError, is_noise, name_clean, name_show
from studio.datasets.uploads.sources.guard import path_below
from studio.datasets.uploads.sources.sql.source import SqlSource
from studio.datasets.uploads.sources.web import Fetcher, FetchRefusedError, url_parse, url_show

MAX_ENTRIES = 100_000
SIGNATURE_S = 3600


class UrlsSource(Schema):
    """Addresses of pictures, one a line; a comma or tab and a label may follow, several labels with `|` between."""

    kind: Literal["urls"] = "urls"
    text: Annotated[str, Field(min_length=1, max_length=30_000_000)]


class FolderSource(Schema):
    """A folder of the server below a place that the operator has opened."""

    kind: Literal["folder"] = "folder"
    path: Annotated[str, Field(min_length=1, max_length=4096)]


class BucketSource(Schema):
    """Objects of an S3 bucket. The keys are kept encrypted while the job runs and are forgotten when it has ended."""

    kind: Literal["bucket"] = "bucket"
    endpoint: Annotated[str, Field(min_length=8, max_length=512)]
    bucket: Annotated[str, Field(pattern=r"^[a-zA-Z0-9][a-zA-Z0-9._-]{1,254}$")]
    prefix: Annotated[str, Field(max_length=1024)] = ""
    region: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,32}$")] = "us-east-1"
    access_key: Annotated[str, Field(max_length=256)] = ""
    secret_key: Annotated[str, Field(max_length=256, repr=False)] = ""


AnySource = UrlsSource | FolderSource | BucketSource | SqlSource
Source = Annotated[AnySource, Field(discriminator="kind")]


@dataclass(frozen=True)
class Entry:
    """A file to collect. ``read`` raises FetchRefusedError."""

    name: str
    read: Callable[[], bytes]
    labels: tuple[str, ...] = ()


class SourceUnusableError(Exception):
    """Nothing can be listed; ``code`` is a key of ``REASONS``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def urls_entries(source: UrlsSource, fetcher: Fetcher) -> Iterator[Entry | LabelFileProblem]:
    """One entry a line; the name is the address without its scheme, so that two sites' pictures do not share one."""
    for line in source.text.splitlines():
        url, label = _columns(line)
        if not url or url.lower() in {"url", "image_url", "link"}:
            continue
        try:
            parts = url_parse(url)
            name = name_clean(f"{parts.hostname}/{unquote(parts.path).strip('/') or 'index'}"[-LIMITS.max_name_chars :])
        except FetchRefusedError as error:
            yield LabelFileProblem(url_show(url), error.code)
            continue
        except NameRefusedError as error:
            yield LabelFileProblem(name_show(url_show(url)), error.code)
            continue
        labels = tuple(one.strip() for one in label.split("|") if one.strip())
        yield Entry(name, lambda url=url: fetcher.fetch(url), labels)  # type: ignore[misc]


def _columns(line: str) -> tuple[str, str]:
    """Address and label of a line; a comma inside of an address belongs to it when no label follows."""
    text = line.strip().strip("\ufeff")
    for mark in ("\t", ";", ","):
        url, found, label = text.rpartition(mark)
        if found and not label.strip().startswith(("http://", "https://")) and "/" not in label:
            return url.strip().strip('"'), label.strip().strip('"')
    return text.strip('"'), ""


def folder_entries(source: FolderSource, roots: tuple[Path, ...]) -> Iterator[Entry | LabelFileProblem]:
    """Regular files below the folder; what leads out of the opened places is not followed.

    Raises:
        SourceUnusableError: the folder is not below an opened place, or is not there.
    """
    folder = folder_resolve(source.path, roots)
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not is_noise(name))
        for name in sorted(names):
            path = Path(root, name)
            shown = path.relative_to(folder).as_posix()
            if is_noise(shown):
                continue
            try:
                clean = name_clean(shown)
            except NameRefusedError as error:
                yield LabelFileProblem(name_show(shown), error.code)
                continue
            if path.is_symlink() or not path.is_file():
                yield LabelFileProblem(clean, "link_entry")
                continue
            yield Entry(clean, lambda path=path: _file_read(path))  # type: ignore[misc]


def folder_resolve(path: str, roots: tuple[Path, ...]) -> Path:
    """The folder that a path names, links resolved.

    Raises:
        SourceUnusableError: it is not below an opened place, or is not there.
    """
    folder = path_below(path, roots)
    if folder is None or not folder.is_dir():
        raise SourceUnusableError("folder_closed")
    return folder


def _file_read(path: Path) -> bytes:
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            data = file.read(LIMITS.max_file_bytes + 1)
    except OSError:
        raise FetchRefusedError("file_unreadable") from None
    if len(data) > LIMITS.max_file_bytes:
        raise FetchRefusedError("file_too_large")
    return data


def bucket_entries(source: BucketSource, fetcher: Fetcher) -> Iterator[Entry | LabelFileProblem]:
    """The objects under the prefix, in the order of their keys.

    Raises:
        SourceUnusableError: the bucket cannot be listed.
    """
    token = ""
    while True:
        query = {"list-type": "2", "max-keys": "1000", "prefix": source.prefix}
        if token:
            query["continuation-token"] = token
        try:
            page = Xml.fromstring(fetcher.fetch(_signed(source, "", query)))  # noqa: S314 - expat refuses entity bombs
        except FetchRefusedError as error:
            code = "bucket_refused" if error.code in {"url_answered_otherwise", "url_not_there"} else error.code
            raise SourceUnusableError(code) from None
        except Xml.ParseError:
            raise SourceUnusableError("bucket_refused") from None
        for content in page.iterfind("{*}Contents"):
            key = content.findtext("{*}Key") or ""
            if not key or key.endswith("/") or is_noise(key):
                continue
            try:
                name = name_clean(key[len(source.prefix) :].lstrip("/") or PurePosixPath(key).name)
            except NameRefusedError as error:
                yield LabelFileProblem(name_show(key), error.code)
                continue
            yield Entry(name, lambda key=key: fetcher.fetch(_signed(source, key, {})))  # type: ignore[misc]
        token = page.findtext("{*}NextContinuationToken") or ""
        if not token:
            return


def _signed(source: BucketSource, key: str, query: dict[str, str]) -> str:
    """Address of a bucket or object, signed when there are keys; a bucket that is open to all needs none."""
    base = source.endpoint.rstrip("/")
    url = urlsplit(f"{base}/{source.bucket}/{quote(key)}?{urlencode(query, quote_via=quote)}")
    if not source.access_key:
        return url.geturl()
    keys = Credentials(source.access_key, source.secret_key)
    signed = presign_v4(
        method="GET", url=url, region=source.region, credentials=keys, date=datetime.now(UTC), expires=SIGNATURE_S
    )
    return str(signed.geturl())
