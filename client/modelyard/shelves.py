"""Shelves: what stands on a photo, by a deployment that finds packs and a gallery that names them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from modelyard.client import Client


@dataclass(frozen=True)
class Pack:
    """A pack on a photo."""

    box: Mapping[str, float]
    """``x``, ``y``, ``width``, ``height`` in pixels, from the top left."""
    name: str | None
    """Of the product; None: nothing in the gallery is similar enough."""
    nearest: str | None
    """The most similar product, whether or not that is enough."""
    similarity: float | None
    """To its most similar picture, -1..1."""
    score: float
    """How sure the detector is, 0..1."""
    row: int
    """Of the shelf, 1 is the top one."""
    is_facing: bool
    """Whether it stands on the board and not on another pack."""


@dataclass(frozen=True)
class ShelfCheck:
    """A photo that was checked."""

    packs: list[Pack]
    report: dict[str, Any]
    """As the API has it: ``products`` with ``name``, ``count``, ``facings``, ``share``, ``expected`` and ``missing``;
    ``unknown``; ``not_seen``."""

    @property
    def counts(self) -> dict[str, int]:
        """Packs of each product that is there."""
        return {each["name"]: each["count"] for each in self.report["products"] if each["count"]}

    @property
    def missing(self) -> dict[str, int]:
        """Packs of the plan beyond those that are there."""
        return {each["name"]: each["missing"] for each in self.report["products"] if each["missing"]}

    @property
    def unknown(self) -> list[Pack]:
        """Packs without a name."""
        return [pack for pack in self.packs if pack.name is None]


@dataclass(frozen=True)
class Shelf:
    """Who finds packs, who names them, and what should stand there."""

    client: Client
    id: str
    name: str
    plan: dict[str, int]

    @classmethod
    def read(cls, client: Client, data: Mapping[str, Any]) -> Shelf:
        """The shelf of a JSON object."""
        return cls(client, data["id"], data["name"], data["plan"])

    def check(self, photo: bytes | os.PathLike[str]) -> ShelfCheck:
        """Says what stands on a photo, which is not kept.

        Args:
            photo: its bytes or its path.

        Raises:
            ApiError: the photo cannot be read, the deployment does not run, or the key may not ask it or the gallery.
        """
        answer = self.client.transport.json("POST", f"/shelves/{self.id}/check", files=[("file", ("photo", _bytes(photo)))])
        names = ("box", "name", "nearest", "similarity", "score", "row", "is_facing")
        return ShelfCheck([Pack(**{name: each[name] for name in names}) for each in answer["packs"]], answer["report"])

    def add(self, photo: bytes | os.PathLike[str], packs: Sequence[Pack], name: str) -> int:
        """Adds packs of a photo to the gallery, all or none; returns how many. The next check knows the product.

        Args:
            photo: as it was checked.
            packs: some of the check's.
            name: of the product.

        Raises:
            ApiError: a pack is there under another name, or the key may not change the gallery.
        """
        form = {"name": name, "boxes": json.dumps([dict(pack.box) for pack in packs])}
        files = [("file", ("photo", _bytes(photo)))]
        return len(self.client.transport.json("POST", f"/shelves/{self.id}/packs", form=form, files=files))


def _bytes(photo: bytes | os.PathLike[str]) -> bytes:
    return photo if isinstance(photo, bytes) else Path(photo).read_bytes()
