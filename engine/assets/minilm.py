"""Renames the tensors of all-MiniLM-L6-v2, a BERT in the form of the transformers library, to those of our own encoder."""

from __future__ import annotations

from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from engine.assets.fetch import AssetChangedError

_NUM_LAYERS = 6
_NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mixed": "attention.output.dense",
    "norm": "attention.output.LayerNorm",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "norm_out": "output.LayerNorm",
}


def weights(path: Path) -> dict[str, Tensor]:
    """The tensors under the names of ``engine.models.text_encoder``.

    Raises:
        AssetChangedError: the file is no such model.
    """
    try:
        stored = load_file(path)
        types_2D = stored["embeddings.token_type_embeddings.weight"]
        found = {
            "words.vectors_ID": stored["embeddings.word_embeddings.weight"],
            # Every text is of type 0 here, so its vector can stand with the positions for good.
            "positions_PD": stored["embeddings.position_embeddings.weight"] + types_2D[:1],
            "norm.weight": stored["embeddings.LayerNorm.weight"],
            "norm.bias": stored["embeddings.LayerNorm.bias"],
        }
        for layer in range(_NUM_LAYERS):
            for name, place in _NAMES.items():
                for part in ("weight", "bias"):
                    found[f"layers.{layer}.{name}.{part}"] = stored[f"encoder.layer.{layer}.{place}.{part}"]
    except (KeyError, SafetensorError) as error:
        raise AssetChangedError(f"{path.name} is no BERT of {_NUM_LAYERS} layers: {error}") from error
    return found
