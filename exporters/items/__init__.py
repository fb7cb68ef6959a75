"""What products need to know about the items that a model reads: a module for each kind, found by the name in the manifest."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Protocol

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.listing import kind_in
from automl.contracts.modality import Modality
from exporters.errors import ArtefactInvalidError


class ItemKind(Protocol):
    """What each module calls ``KIND``."""

    packages: ClassVar[Mapping[str, str]]
    """Packages that reading needs besides those of every product: import name -> distribution name."""
    easydl_word: ClassVar[str]
    """Last part of the path of EasyDL's API for a classifier of such items."""

    def files(self, decode: Any) -> tuple[str, ...]:  # noqa: ANN401 - the kind's own part of the manifest
        """Files of the artefact that reading needs."""

    def request(self, sample: bytes, decode: Any) -> tuple[bytes, str]:  # noqa: ANN401 - as above
        """The request to a server about a golden sample: body and content type."""

    def values(self, decode: Any) -> Mapping[str, str]:  # noqa: ANN401 - as above
        """Values for the placeholders of the kind's own templates."""


def known_items() -> frozenset[str]:
    """Kinds of items that products support: those that have a module here."""
    return frozenset(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))


def known_reads() -> frozenset[Modality]:
    """The modalities of these kinds, for targets that need nothing of their own for a kind."""
    return frozenset(modality for modality in Modality if modality.items in known_items())


def reads_of(folder: Path) -> frozenset[Modality]:
    """Modalities that a target reads which has a folder for each kind of items within ``folder``."""
    return frozenset(modality for modality in known_reads() if (folder / modality.items).is_dir())


def item_kind(manifest: ArtefactManifest) -> ItemKind:
    """The kind of what a model reads; ArtefactInvalidError where there is none such."""
    if manifest.decode.kind not in known_items():
        raise ArtefactInvalidError(f"no product reads items of the kind {manifest.decode.kind!r}")
    kind: ItemKind = kind_in(__name__, manifest.decode.kind)
    return kind
