"""What an annotation format is, and how one is found.

The formats themselves live in the labelling app, one file each. This app sits below it and must not import it, so the folder to
list is named in settings (``LABEL_FORMATS``).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast

from django.conf import settings

from automl.contracts.annotation import Annotation
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord

MAX_LABEL_CHARS = 256
"""As ``automl.contracts.annotation.LabelName`` has it."""


def label_is_valid(label: str) -> bool:
    """Whether a text can be a label's name."""
    return 0 < len(label) <= MAX_LABEL_CHARS and label.isprintable()


@dataclass(frozen=True)
class Complaint:
    """Something in the label files that could not be used; ``code`` is a key of ``REASONS``."""

    name: str
    code: str


@dataclass
class Reading:
    """What the label files say: annotations by file name. A file that is not mentioned stays unlabelled."""

    annotations: dict[str, tuple[Annotation, ...]] = field(default_factory=dict)
    complaints: list[Complaint] = field(default_factory=list)


@dataclass(frozen=True)
class ExportedFile:
    """One file of a download: either bytes of its own or an item's blob."""

    path: str
    data: bytes = b""
    blob: str | None = None


class LabelFormat(Protocol):
    """One module of the formats folder."""

    TITLE: Text

    def is_label_file(self, name: str) -> bool:
        """Whether a file of an upload carries labels rather than data."""

    def read(self, names: Sequence[str], label_files: Mapping[str, bytes]) -> Reading:
        """Reads labels.

        Args:
            names: the names of all data files.
            label_files: name and bytes of the files that carry labels.
        """

    def write(self, records: Iterable[ItemRecord]) -> Iterator[ExportedFile]:
        """Yields the files of a download, pictures included, without holding the records."""


def format_names() -> tuple[str, ...]:
    """The formats that exist, in the order of their names."""
    package = importlib.import_module(settings.LABEL_FORMATS)
    return tuple(sorted(module.name for module in pkgutil.iter_modules(package.__path__) if not module.name.startswith("_")))


def format_load(name: str) -> LabelFormat:
    """Finds a format by its name.

    Raises:
        LookupError: there is no such format; the message lists those that exist.
    """
    known = format_names()
    if name not in known:
        raise LookupError(f"no label format {name!r}; there are: {', '.join(known)}")
    return cast(LabelFormat, importlib.import_module(f"{settings.LABEL_FORMATS}.{name}"))
