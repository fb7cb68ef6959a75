"""Texts with known faults among sound ones, as the job ``quality`` gets them; sound ones are made-up words of two topics."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from automl.contracts.dataset import Label, LabelSet, Split
from automl.contracts.quality import ITEMS_FILE, LABELS_FILE, FindingKind, QualityItem, items_to_columns

LABELS = ("room", "food")
_CHARACTERS = (
    "酒店房间很大干净安静早餐好吃味道牛肉面汤咸淡辣甜床铺浴室热水窗户地毯空调隔音服务员前台菜单厨师筷子碗碟"
    "价格便宜贵下次还会再来推荐给朋友不太满意"
)
_ENGLISH = "staff kind breakfast warm every single morning our long stay here with two small children window facing garden"
_MARKS = "，。！；"
SPLITS = (Split.TRAIN, Split.TRAIN, Split.TRAIN, Split.VALIDATION, Split.TEST)


Sentence = Callable[[np.random.Generator, dict[str, list[str]], str], str]


@dataclass
class PlantedTexts:
    """The items, and which of them carry which fault."""

    items: list[QualityItem] = field(default_factory=list)
    truth: dict[FindingKind, set[str]] = field(default_factory=lambda: defaultdict(set))
    pairs: set[frozenset[str]] = field(default_factory=set)
    """Copies that belong together."""


def plant(folder: Path, *, num_clean: int, num_faults: int, seed: int, write: Sentence | None = None) -> PlantedTexts:
    """Writes the items below ``folder``, a job's ``data/``.

    Args:
        folder: made when absent.
        num_clean: texts without a fault.
        num_faults: texts of each fault; as many of the clean ones get a wrong label.
        seed: of the generator.
        write: makes a sound text of a label out of the words of each; ``sentence`` by default.
    """
    write = write or sentence
    rng = np.random.default_rng(seed)
    words = {label: _words(rng, 60) for label in (*LABELS, "both")}
    made = PlantedTexts()
    clean = [_add(made, write(rng, words, LABELS[n % 2]), LABELS[n % 2], SPLITS[n // 2 % 5]) for n in range(num_clean)]
    originals = iter(clean)
    for kind, change in (*_COPIES, *_COPIES):
        for number in range(num_faults):
            one = next(originals)
            split = one.split if kind is not FindingKind.LEAK else _another(one.split)
            copy = _add(made, change(one.text or "", number), one.labels[0], split)
            made.pairs.add(frozenset((one.item, copy.item)))
            made.truth[kind] |= {one.item, copy.item}
            if kind is FindingKind.LEAK:
                made.truth[FindingKind.NEAR_DUPLICATE] |= {one.item, copy.item}
    for kind, spoil in _SPOILT.items():
        for number in range(num_faults):
            item = _add(made, spoil(write(rng, words, LABELS[0]), rng, number), LABELS[0], Split.TRAIN)
            made.truth[kind].add(item.item)
    for _ in range(num_faults):
        one = next(originals)
        other = LABELS[1 - LABELS.index(one.labels[0])]
        made.items[made.items.index(one)] = one.model_copy(update={"labels": (other,)})
        made.truth[FindingKind.WRONG_LABEL].add(one.item)
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(items_to_columns(made.items)), folder / ITEMS_FILE)
    LabelSet(labels=tuple(Label(name=name) for name in LABELS)).write(folder / LABELS_FILE)
    return made


_COPIES: tuple[tuple[FindingKind, Callable[[str, int], str]], ...] = (
    (FindingKind.EXACT_DUPLICATE, lambda text, n: [f"  {text}!!", text.replace("，", " , "), text + "…"][n % 3]),
    (FindingKind.NEAR_DUPLICATE, lambda text, n: [text[:-6], f"{text[:20]}的{text[20:]}", f"补充：{text}"][n % 3]),
    (FindingKind.LEAK, lambda text, n: f"{text[:9]}了{text[9:]}"),
)
_SPOILT: dict[FindingKind, Callable[[str, np.random.Generator, int], str]] = {
    FindingKind.GARBLED: lambda text, rng, n: [
        text.encode().decode("latin-1"),
        text.encode().decode("gb18030", errors="replace"),
        "".join("\ufffd" if rng.random() < 0.2 else character for character in text),
    ][n % 3],
    FindingKind.LOW_INFORMATION: lambda text, rng, n: ["." * (9 + n), f"{text[:2]}{'！' * (12 + n)}", text[0] * (14 + n)][
        n % 3
    ],
    FindingKind.ODD_SIZE: lambda text, rng, n: [text[: n // 2 + 1], "，".join(_shuffled(text, rng) for _ in range(14))][n % 2],
    FindingKind.ODD_LANGUAGE: lambda text, rng, n: " ".join(rng.permutation(_ENGLISH.split())[:10]),
}


def _add(made: PlantedTexts, text: str, label: str, split: Split) -> QualityItem:
    number = len(made.items)
    item = QualityItem(
        item=f"itm_{number:05d}",
        name=f"{number}.txt",
        blob=f"{number:064x}",
        width=0,
        height=0,
        size_bytes=len(text.encode(errors="replace")),
        split=split,
        group=f"{number}",
        is_annotated=True,
        labels=(label,),
        text=text,
    )
    made.items.append(item)
    return item


def _words(rng: np.random.Generator, num: int) -> list[str]:
    return ["".join(rng.choice(list(_CHARACTERS), 2)) for _ in range(num)]


def sentence(rng: np.random.Generator, words: dict[str, list[str]], label: str) -> str:
    """Some twenty words, three in five of the topic."""
    chosen: Iterator[str] = (
        str(rng.choice(words[label if rng.random() < 0.6 else "both"])) + (str(rng.choice(list(_MARKS))) if n % 5 == 4 else "")
        for n in range(rng.integers(16, 26))
    )
    return "".join(chosen)


def _shuffled(text: str, rng: np.random.Generator) -> str:
    return "".join(rng.permutation(list(text)))


def _another(split: Split) -> Split:
    return Split.TEST if split is not Split.TEST else Split.TRAIN
