"""The pure parts: which item next, what may be said, and the formats."""

from __future__ import annotations

import pytest

from automl.contracts.annotation import Box, ClassLabel, Mask, TextValue, Value, Vector
from automl.contracts.task import AnnotationSchema
from labeling.formats import csv_labels, image_folder
from labeling.next_item import Candidate, choose
from labeling.validation import annotation_complaints, usable

SCHEMA = AnnotationSchema(kinds=("class",), needs_label_set=True)


def pick(*candidates: Candidate, mine=(), leased=(), skip=(), count=10) -> list[str]:
    return choose(candidates, mine=frozenset(mine), leased=frozenset(leased), skip=frozenset(skip), count=count)


def test_the_oldest_comes_first():
    assert pick(Candidate("c"), Candidate("a"), Candidate("b"), count=2) == ["a", "b"]


def test_what_the_person_holds_comes_before_all():
    assert pick(Candidate("a"), Candidate("b", 0.9), Candidate("c"), mine={"c"}) == ["c", "b", "a"]


def test_the_least_sure_come_before_the_unseen():
    assert pick(Candidate("a"), Candidate("b", 0.2), Candidate("c", 0.7)) == ["c", "b", "a"]


def test_held_and_skipped_items_never_come():
    assert pick(Candidate("a"), Candidate("b", 1.0), Candidate("c"), leased={"b"}, skip={"a"}) == ["c"]
    assert pick(Candidate("a"), mine={"a"}, skip={"a"}) == []


@pytest.mark.parametrize(
    ("annotations", "several", "words"),
    [
        ([], False, []),
        ([ClassLabel(label="a")], False, []),
        ([ClassLabel(label="a"), ClassLabel(label="b")], True, []),
        ([ClassLabel(label="a"), ClassLabel(label="b")], False, ["one label per item"]),
        ([ClassLabel(label="a"), ClassLabel(label="a")], True, ["twice"]),
        ([ClassLabel(label="z")], False, ["label set"]),
        ([ClassLabel(label="a", score=0.5)], False, ["score"]),
        ([Box(label="a", x=0, y=0, width=1, height=1)], False, ["not box"]),
        (
            [ClassLabel(label="z", score=0.1), Box(label="a", x=0, y=0, width=1, height=1)],
            True,
            ["label set", "score", "not box"],
        ),
    ],
)
def test_all_complaints_come_at_once(annotations, several, words):
    found = annotation_complaints(annotations, schema=SCHEMA, labels={"a", "b"}, takes_several=several)
    assert len(found) == len(words)
    assert all(any(word in complaint.en for complaint in found) for word in words)


@pytest.mark.parametrize(
    ("counts", "known", "sides", "is_refused"),
    [
        ("08", (), (4, 2), False),
        ("08", (), None, False),
        ("08", (), (2, 4), True),
        ("08", ("08",), (2, 4), False),
        ("07", (), (4, 2), True),
        ("no run lengths", (), None, True),
    ],
)
def test_a_mask_is_one_of_the_pictures_pixels_or_was_there_before(counts, known, sides, is_refused):
    mask = Mask(label="a", width=4, height=2, counts=counts)
    schema = AnnotationSchema(kinds=("mask",), needs_label_set=True)
    found = annotation_complaints([mask], schema=schema, labels={"a"}, takes_several=False, known_masks=known, sides=sides)
    assert ["pixels" in complaint.en for complaint in found] == [True] * is_refused


def test_answers_without_a_label_are_usable_where_the_task_takes_them():
    schema = AnnotationSchema(kinds=("class", "text", "value"), needs_label_set=True)
    apt = [ClassLabel(label="a", score=0.9), TextValue(text="said"), Value(value=2.5)]
    answer = [*apt, ClassLabel(label="gone", score=0.1), Vector(values=(1.0,)), Box(label="a", x=0, y=0, width=1, height=1)]
    assert usable(answer, schema=schema, labels={"a"}) == apt


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (["rose/1.png", "tulip/2.png"], ["rose", "tulip"]),
        (["flowers/rose/1.png", "flowers/tulip/2.png"], ["rose", "tulip"]),
        (["a/b/rose/1.png", "a/b/tulip/2.png"], ["rose", "tulip"]),
        (["rose/1.png", "rose/2.png"], ["rose", "rose"]),
        (["flowers/rose/1.png", "flowers/rose/2.png"], ["rose", "rose"]),
        (["flowers/loose.png", "flowers/rose/1.png"], [None, "rose"]),
        (["rose/deep/er/1.png", "tulip/2.png"], ["rose", "tulip"]),
        (["set/train/rose/1.png", "set/test/tulip/2.png"], ["rose", "tulip"]),
        (["train/1.png", "test/2.png"], ["train", "test"]),
        (["1.png", "2.png"], [None, None]),
        (["_none/1.png", "rose/2.png"], ["", "rose"]),
    ],
)
def test_folders_name_labels(names, labels):
    found = image_folder.read(names, {}).annotations
    annotations = [found.get(name) for name in names]
    expected = [None if label is None else tuple(ClassLabel(label=one) for one in [label] if one) for label in labels]
    assert annotations == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_tables_are_read_whatever_wrote_them(encoding, delimiter):
    text = f"文件{delimiter}标签\r\na.png{delimiter}花|草\r\n\r\nb.png{delimiter}花\r\nb.png{delimiter}树\r\n"
    found = csv_labels.read(["a.png", "b.png"], {"t.csv": text.encode(encoding)})
    assert found.complaints == []
    assert {name: [one.label for one in annotations] for name, annotations in found.annotations.items()} == {
        "a.png": ["花", "草"],
        "b.png": ["花", "树"],
    }
