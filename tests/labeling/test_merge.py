"""Merging what several people said of one item: properties that hold for whatever they do, in whatever order it arrives."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from automl.contracts.annotation import Annotations
from labeling.merge import Clash, ItemAnnotations, MergeResult, Step, merge

IDS = ("a", "b", "c", "d")
LABELS = ("cat", "dog", "cow")


def annotations_of(*objects: dict) -> ItemAnnotations:
    return Annotations.validate_python(list(objects))


def box(id_: str | None, label: str = "cat", x: float = 0.0, **attributes: object) -> dict:
    named = {"attributes": [{"name": name, "value": value} for name, value in attributes.items()]} if attributes else {}
    return {
        "kind": "box",
        "label": label,
        "x": x,
        "y": 0.0,
        "width": 5.0,
        "height": 5.0,
        **({"id": id_} if id_ else {}),
        **named,
    }


def label(name: str) -> dict:
    return {"kind": "class", "label": name}


def polygon(id_: str, x: float) -> dict:
    return {"kind": "polygon", "label": "cat", "id": id_, "points": [[x, 0], [x + 1, 0], [x, 1]]}


def both_orders(
    base: ItemAnnotations, one: ItemAnnotations, other: ItemAnnotations, *, takes_several: bool = False
) -> tuple[MergeResult, MergeResult]:
    """What comes of two steps from one base, in either order of arrival."""
    first, second = Step(base, one), Step(base, other)
    return merge(second, one, takes_several=takes_several), merge(first, other, takes_several=takes_several)


def content(merged: ItemAnnotations) -> object:
    """The objects without their order."""
    if merged is None:
        return None
    return sorted(one.model_dump_json() for one in merged)


A, B = box("a"), box("b")


@pytest.mark.parametrize(
    ("base", "one", "other", "together"),
    [
        pytest.param([A], [A, box("c")], [A, box("d")], [A, box("c"), box("d")], id="both add"),
        pytest.param([A, B], [box("a", x=3), B], [A, box("b", x=7)], [box("a", x=3), box("b", x=7)], id="different objects"),
        pytest.param([A], [box("a", x=3)], [box("a", "dog")], [box("a", "dog", x=3)], id="shape and label of one"),
        pytest.param(
            [A], [box("a", seen=True)], [box("a", hidden=2.0)], [box("a", hidden=2.0, seen=True)], id="two attributes"
        ),
        pytest.param([A, B], [B], [A, box("b", x=2)], [box("b", x=2)], id="one goes, another moves"),
        pytest.param([A, B], [B], [B], [B], id="both delete the same"),
        pytest.param([A], [box("a", x=1)], [box("a", x=1)], [box("a", x=1)], id="both say the same"),
        pytest.param(
            [polygon("p", 0)],
            [polygon("p", 0), polygon("p", 5)],
            [polygon("p", 0), B],
            [polygon("p", 0), polygon("p", 5), B],
            id="a part is added",
        ),
        pytest.param([], [A], [B], [A, B], id="into an empty picture"),
        pytest.param(None, [A], [B], [A, B], id="into a picture nobody had looked at"),
    ],
)
def test_changes_of_different_things_come_together(base, one, other, together):
    base, one, other = (None if x is None else annotations_of(*x) for x in (base, one, other))
    for merged in both_orders(base, one, other):
        assert merged.clashes == ()
        assert content(merged.annotations) == content(annotations_of(*together))


@pytest.mark.parametrize(
    ("base", "one", "other", "clash"),
    [
        pytest.param([A], [box("a", x=1)], [box("a", x=2)], Clash("#a", "shape"), id="two shapes"),
        pytest.param([A], [box("a", "dog")], [box("a", "cow")], Clash("#a", "label"), id="two labels"),
        pytest.param([A, B], [box("a", x=1), B], [B], Clash("#a", "object"), id="moved and deleted"),
        pytest.param([box("a", n=1.0)], [box("a", n=2.0)], [box("a", n=3.0)], Clash("#a", "attributes.n"), id="one attribute"),
        pytest.param([label("cat")], [label("dog")], [label("cow")], Clash("class", "label"), id="two class labels"),
        pytest.param(None, [label("dog")], [label("cow")], Clash("class", "label"), id="two first class labels"),
        pytest.param(None, [], [label("cow")], Clash("", "standing"), id="nothing there, or a cow"),
        pytest.param([A], None, [A, B], Clash("", "standing"), id="taken back, and added to"),
    ],
)
def test_changes_of_the_same_thing_are_for_a_person_to_decide(base, one, other, clash):
    base, one, other = (None if x is None else annotations_of(*x) for x in (base, one, other))
    for merged, theirs, mine in zip(both_orders(base, one, other), (one, other), (other, one), strict=True):
        assert clash in merged.clashes
        assert content(merged.annotations) == content(theirs)
        assert content(merge(Step(base, mine), theirs, takes_several=False, prefer="mine").annotations) == content(mine)


def test_several_class_labels_are_a_set():
    base, one, other = annotations_of(label("cat")), annotations_of(label("cat"), label("dog")), annotations_of(label("cow"))
    for merged in both_orders(base, one, other, takes_several=True):
        assert merged.clashes == ()
        assert content(merged.annotations) == content(annotations_of(label("dog"), label("cow")))


def test_objects_left_out_of_a_step_are_not_touched():
    others = [box(f"o{n}", x=float(n)) for n in range(5)]
    now = annotations_of(*others, A)
    merged = merge(Step(annotations_of(A), annotations_of(box("a", x=9)), has_others=True), now, takes_several=False)
    assert merged == MergeResult(annotations_of(*others, box("a", x=9)), ())
    assert merge(Step(annotations_of(A), annotations_of(), has_others=True), now, takes_several=False) == MergeResult(
        annotations_of(*others), ()
    )


def test_an_object_without_a_name_is_replaced_and_a_twin_of_it_stays():
    twin = box(None, x=1)
    merged = merge(
        Step(annotations_of(twin, twin), annotations_of(twin, box(None, x=2))),
        annotations_of(twin, twin, B),
        takes_several=False,
    )
    assert content(merged.annotations) == content(annotations_of(twin, box(None, x=2), B))


def test_an_item_emptied_object_by_object_takes_what_somebody_else_adds():
    """Two who remove one object each leave as much as one who removes both."""
    base, steps = annotations_of(A, B), (annotations_of(B), annotations_of(A), annotations_of(A, B, box("c")))
    for order in itertools.permutations(steps):
        current = base
        for after in order:
            merged = merge(Step(base, after), current, takes_several=False)
            assert merged.clashes == ()
            current = merged.annotations
        assert content(current) == content(annotations_of(box("c")))
    for merged in both_orders(base, (), annotations_of(A, B, box("c"))):
        assert (merged.clashes, content(merged.annotations)) == ((), content(annotations_of(box("c"))))


def test_what_lies_above_what_is_kept():
    base = annotations_of(A, B, box("c"))
    merged = merge(
        Step(base, annotations_of(box("c"), A, B)), annotations_of(box("a", x=4), B, box("c"), box("d")), takes_several=False
    )
    assert merged.annotations is not None
    assert [one.id for one in merged.annotations] == ["c", "a", "b", "d"]


# -- whatever they do -------------------------------------------------------------------------------------------------------

boxes = st.builds(box, st.sampled_from(IDS), st.sampled_from(LABELS), st.sampled_from([0.0, 1.0, 2.0]))
states = st.none() | st.lists(boxes, max_size=4, unique_by=lambda one: one["id"]).map(lambda objects: annotations_of(*objects))
one_class = st.none() | st.lists(st.sampled_from(LABELS), max_size=1).map(lambda names: annotations_of(*map(label, names)))
several_classes = st.none() | st.lists(st.sampled_from(LABELS), max_size=3, unique=True).map(
    lambda names: annotations_of(*map(label, names))
)
worlds = st.one_of(
    st.tuples(states, st.lists(states, min_size=2, max_size=4), st.just(False)),
    st.tuples(one_class, st.lists(one_class, min_size=2, max_size=3), st.just(False)),
    st.tuples(several_classes, st.lists(several_classes, min_size=2, max_size=4), st.just(True)),
)


@given(worlds)
@settings(max_examples=400, deadline=None)
def test_steps_without_a_clash_converge_in_every_order(world):
    base, people, takes_several = world
    ends = set()
    for order in itertools.permutations(people):
        current, clashes = base, ()
        for after in order:
            merged = merge(Step(base, after), current, takes_several=takes_several)
            clashes += merged.clashes
            current = merged.annotations
        if clashes:
            ends.add("clash")
        else:
            ends.add(str(content(current)))
    assert len(ends) == 1


@given(worlds)
@settings(max_examples=200, deadline=None)
def test_a_clash_leaves_the_annotations_of_the_other(world):
    base, (one, other, *_), takes_several = world
    merged = merge(Step(base, other), one, takes_several=takes_several)
    changed_by_one = set(content(one) or ()) - set(content(base) or ())
    if merged.clashes:
        lost = changed_by_one - set(content(merged.annotations) or ())
        # An object that both changed in different fields carries both changes; nothing else may go.
        touched = {x.id for x in other or () if x not in (base or ())}
        assert all(any(f'"id":"{id_}"' in text for id_ in touched if id_) for text in lost)


@given(worlds)
@settings(max_examples=200, deadline=None)
def test_alone_a_step_comes_to_what_was_meant_and_twice_is_once(world):
    base, (after, *_), takes_several = world
    alone = merge(Step(base, after), base, takes_several=takes_several)
    assert alone == MergeResult(after, ())
    assert merge(Step(base, after), alone.annotations, takes_several=takes_several) == MergeResult(after, ())


@given(states, states, boxes)
@settings(max_examples=200, deadline=None)
def test_leaving_out_what_is_alike_changes_nothing(base, after, other):
    if not base or not after:
        return
    alike = [one for one in base if one in after]
    trimmed = Step(
        tuple(one for one in base if one not in alike), tuple(one for one in after if one not in alike), has_others=bool(alike)
    )
    current = tuple(one for one in base if one.id != other["id"]) + annotations_of(other)
    full = merge(Step(base, after), current, takes_several=False)
    part = merge(trimmed, current, takes_several=False)
    assert (content(full.annotations), set(full.clashes)) == (content(part.annotations), set(part.clashes))
