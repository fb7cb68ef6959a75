"""A small dataset version made by code: short Chinese and English remarks, for tests and for a first try without any texts.

Same arguments, same bytes. The label is what the remark is about; with several labels half of the texts are about two things.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from automl.contracts.annotation import ClassLabel
from automl.contracts.dataset import ItemRecord, LabelSet, MediaFacts, Split, VersionManifest
from engine.data.generated import SPLITS, GeneratedItem, Subject, write_version
from engine.tasks.shared.classification.options import LABELS_OPTION, ONE, SEVERAL
from engine.tasks.text_classification.check import MAX_CHARACTERS
from engine.tasks.text_classification.spec import TASK

LABELS = ("delivery", "food", "price", "room")
_SUBJECTS = {
    "delivery": ("the parcel", "the courier", "shipping", "快递", "物流", "包装盒"),
    "food": ("the breakfast", "the noodles", "dinner", "早餐", "味道", "牛肉面"),
    "price": ("the price", "the discount", "the bill", "价格", "优惠", "账单"),
    "room": ("the room", "the bed", "the bathroom", "房间", "床铺", "浴室"),
}
_OPENINGS_EN = ("I must say", "To be honest", "As always", "This time", "For once", "My friend thinks that")
_VERDICTS_EN = ("was better than expected", "was a little odd", "could not be improved", "took a while", "is worth a word")
_OPENINGS_ZH = ("说实话", "这次", "总的来说", "朋友觉得", "没想到", "不得不说")
_VERDICTS_ZH = ("比想象中好", "有点奇怪", "还可以再改进", "等了一会儿", "值得说一说")


def write(folder: Path, *, num_items: int = 60, num_labels: int = 4, labels: str = ONE, seed: int = 0) -> VersionManifest:
    """Writes a version below ``folder`` and returns its manifest.

    Args:
        folder: becomes the job's ``data/``; made when absent.
        num_items: spread evenly over labels, and three to one to one over train, validation and test.
        num_labels: 2 to 4.
        labels: value of the task's option: ``one`` or ``several``.
        seed: of the generator.
    """
    names = LABELS[:num_labels]
    generator = np.random.default_rng(seed)
    items = []
    for number in range(num_items):
        topics = _topics(number, names, is_several=labels == SEVERAL)
        text = _text(topics, number, generator)
        content = text.encode()
        facts = MediaFacts(format="txt", size_bytes=len(content), num_characters=len(text))
        name, split = f"{'-'.join(topics)}-{number:03d}.txt", SPLITS[number // len(names) % len(SPLITS)]
        items.append(GeneratedItem(name, content, facts, split, tuple(ClassLabel(label=topic) for topic in topics)))
    return write_version(folder, items, Subject(TASK, names, {LABELS_OPTION: labels}))


def _topics(number: int, names: tuple[str, ...], *, is_several: bool) -> list[str]:
    topics = {names[number % len(names)]}
    if is_several and number % 2:
        topics.add(names[(number + 1 + number // len(names)) % len(names)])
    return sorted(topics)


def _text(topics: list[str], number: int, generator: np.random.Generator) -> str:
    """One remark a topic, all in one language; the number makes every text another one."""
    is_english = bool(generator.integers(2))
    openings, verdicts = (_OPENINGS_EN, _VERDICTS_EN) if is_english else (_OPENINGS_ZH, _VERDICTS_ZH)
    remarks = []
    for topic in topics:
        subjects = _SUBJECTS[topic][:3] if is_english else _SUBJECTS[topic][3:]
        parts = [str(generator.choice(words)) for words in (openings, subjects, verdicts)]
        remarks.append(f"{' '.join(parts)}." if is_english else f"{parts[0]}，{parts[1]}{parts[2]}。")
    return f"{' '.join(remarks)} No. {number}" if is_english else f"{''.join(remarks)}（第{number}条）"


def answers(targets: np.ndarray, labels: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Scores ``_NL`` that are right everywhere, and some that are wrong everywhere."""
    right_NL = np.eye(len(labels))[targets]
    return right_NL, np.roll(right_NL, 1, axis=1)


def faults(records: list[ItemRecord], label_set: LabelSet) -> dict[str, tuple[list[ItemRecord], LabelSet]]:
    """The example with one thing wrong at a time, by the code of the problem that the checker must find.

    Args:
        records: of the example with one label an item.
        label_set: of the example.
    """
    first, rest = records[0], records[1:]
    label = label_set.names[0]
    carries = [record for record in records if record.annotations == (ClassLabel(label=label),)]
    others = [record for record in records if record not in carries]
    train = [record for record in carries if record.split == Split.TRAIN]
    many = [
        first.model_copy(update={"item": f"itm_{number:026x}", "split": Split.TRAIN}) for number in range(len(records) * 20)
    ]

    def with_length(num_characters: int | None) -> tuple[list[ItemRecord], LabelSet]:
        media = first.media.model_copy(update={"num_characters": num_characters})
        return [first.model_copy(update={"media": media}), *rest], label_set

    def with_labels(*names: str) -> tuple[list[ItemRecord], LabelSet]:
        annotations = tuple(ClassLabel(label=name) for name in names)
        return [first.model_copy(update={"annotations": annotations}), *rest], label_set

    return {
        "too_few_labels": (carries, LabelSet(labels=label_set.labels[:1])),
        "label_unknown": with_labels("nobody knows"),
        "several_labels": with_labels(*label_set.names),
        "label_missing": with_labels(),
        "label_without_items": (others, label_set),
        "label_with_few_items": ([*others, *train[:1]], label_set),
        "imbalance": ([*records, *many], label_set),
        "validation_empty": ([record for record in records if record.split != Split.VALIDATION], label_set),
        "test_empty": ([record for record in records if record.split != Split.TEST], label_set),
        "test_few": (records, label_set),
        "item_no_text": with_length(None),
        "text_blank": with_length(0),
        "text_long": with_length(MAX_CHARACTERS + 1),
    }
