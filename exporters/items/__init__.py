"""What products must know of the items that a model reads: a module for each kind, found by the name in the manifest."""

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
    """That reading needs beside those of every product: names to import by the names of their distributions."""
    easydl_word: ClassVar[str]
    """Last part of EasyDL's address of a model that tells such items' classes."""

    def files(self, decode: Any) -> tuple[str, ...]:  # noqa: ANN401 - the kind's own part of the manifest
        """Files of the artefact that reading needs."""

    def request(self, sample: bytes, decode: Any) -> tuple[bytes, str]:  # noqa: ANN401 - as above
        """The body and its content type that ask a server about a golden sample, read as training reads it."""

    def values(self, decode: Any) -> Mapping[str, str]:  # noqa: ANN401 - as above
        """What the kind's own templates ask for."""


def known_items() -> frozenset[str]:
    """What models may read in a product: the kinds that have a module here."""
    return frozenset(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))


def known_reads() -> frozenset[Modality]:
    """The modalities of these kinds: what a target may read that has nothing of its own for a kind."""
    return frozenset(modality for modality in Modality if modality.items in known_items())


def reads_of(folder: Path) -> frozenset[Modality]:
    """The same of a target that has a folder for each kind in ``folder``: the modalities of those that are there."""
    return frozenset(modality for modality in known_reads() if (folder / modality.items).is_dir())


def item_kind(manifest: ArtefactManifest) -> ItemKind:
    """The kind of what a model reads; ArtefactInvalidError where there is none such."""
    if manifest.decode.kind not in known_items():
        raise ArtefactInvalidError(f"no product reads items of the kind {manifest.decode.kind!r}")
    kind: ItemKind = kind_in(__name__, manifest.decode.kind)
    return kind
