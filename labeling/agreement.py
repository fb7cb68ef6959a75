"""How far people who labelled the same items agree. Pure; values are whatever can be compared.

Cohen's kappa: J. Cohen, "A coefficient of agreement for nominal scales", 1960. Krippendorff's alpha: K. Krippendorff,
"Computing Krippendorff's alpha-reliability", 2011. Distance of label sets: R. Passonneau, "Measuring agreement on set-valued
items (MASI)", 2006. Objects are matched by intersection over union, best pairs first, as detection benchmarks do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from automl.contracts.annotation import Annotation, class_labels, label_of, without_classes
from labeling.geometry import iou

V = TypeVar("V", bound=Hashable)

Distance = Callable[[V, V], float]
"""0 for equal values, larger for more different ones; symmetric."""


def nominal(first: Hashable, second: Hashable) -> float:
    """Distance of names: equal or not."""
    return 0.0 if first == second else 1.0


def interval(first: float, second: float) -> float:
    """Distance of numbers: the square of their difference."""
    return (first - second) ** 2


def masi(first: frozenset[str], second: frozenset[str]) -> float:
    """Distance of label sets, 0..1: overlap weighted by whether one holds the other."""
    if first == second:
        return 0.0
    shared, union = first & second, first | second
    weight = 2 / 3 if first <= second or second <= first else 1 / 3 if shared else 0.0
    return 1.0 - len(shared) / len(union) * weight


def cohen_kappa(first: Sequence[V], second: Sequence[V]) -> float | None:
    """Agreement of two people beyond chance: 1 is perfect, 0 is chance, below 0 is worse.

    Args:
        first: annotations of one person, item by item.
        second: those of the other, of the same items.

    Returns:
        None when nothing was labelled by both, or when both always gave one and the same label, so that chance explains all.

    Raises:
        ValueError: the lengths differ.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} answers: both must answer the same items")
    total = len(first)
    if total == 0:
        return None
    observed = sum(one == other for one, other in zip(first, second, strict=True)) / total
    of_first, of_second = Counter(first), Counter(second)
    expected = sum(count * of_second[value] for value, count in of_first.items()) / total**2
    return None if expected == 1.0 else (observed - expected) / (1.0 - expected)


def krippendorff_alpha(units: Iterable[Sequence[V]], distance: Distance[V] = nominal) -> float | None:
    """Agreement of any number of people, with gaps: 1 is perfect, 0 is chance.

    Args:
        units: for each item, the values that people gave it; items with fewer than two count for nothing.
        distance: of two values, squared where the scale asks for it (``interval`` is).

    Returns:
        None when fewer than two values can be paired or all values are one and the same.
    """
    pairs: dict[V, dict[V, float]] = defaultdict(lambda: defaultdict(float))
    totals: Counter[V] = Counter()
    for unit in units:
        if len(unit) < 2:
            continue
        counts = Counter(unit)
        totals.update(counts)
        for one, num in counts.items():
            for other, num_other in counts.items():
                pairs[one][other] += num * (num_other - (one == other)) / (len(unit) - 1)
    number = sum(totals.values())
    expected = sum(
        count * count_other * distance(one, other) for one, count in totals.items() for other, count_other in totals.items()
    )
    if number < 2 or expected == 0.0:
        return None
    observed = sum(weight * distance(one, other) for one, row in pairs.items() for other, weight in row.items())
    return 1.0 - (number - 1) * observed / expected


@dataclass(frozen=True)
class ObjectAgreement:
    """How two people's objects on one item fit."""

    f1: float
    """Share of objects that have a partner of the same label, 0..1; 1 when both drew nothing."""
    mean_iou: float
    """Over the pairs, 0..1; 1 when there are no objects at all, 0 when there is no pair."""


def object_agreement(first: Sequence[Annotation], second: Sequence[Annotation], *, min_iou: float = 0.5) -> ObjectAgreement:
    """Pairs the objects of two people: same label, best overlap first, each object once.

    Args:
        first: one person's annotations; class labels are left out.
        second: the other's.
        min_iou: from which overlap two objects can be one.
    """
    mine = without_classes(first)
    theirs = without_classes(second)
    if not mine and not theirs:
        return ObjectAgreement(1.0, 1.0)
    overlaps = [
        (overlap, i, j)
        for i, one in enumerate(mine)
        for j, other in enumerate(theirs)
        if label_of(one) == label_of(other)
        for overlap in [iou(one, other)]
        if overlap >= min_iou
    ]
    paired_first: set[int] = set()
    paired_second: set[int] = set()
    matched: list[float] = []
    for overlap, i, j in sorted(overlaps, key=lambda pair: -pair[0]):
        if i not in paired_first and j not in paired_second:
            paired_first.add(i)
            paired_second.add(j)
            matched.append(overlap)
    return ObjectAgreement(
        f1=2 * len(matched) / (len(mine) + len(theirs)), mean_iou=sum(matched) / len(matched) if matched else 0.0
    )


def classes_of(annotations: Iterable[Annotation]) -> frozenset[str]:
    """The class labels among annotations, as one value that can be compared."""
    return frozenset(class_labels(annotations))


def kappa_of_pairs(answers: Mapping[str, Mapping[str, V]]) -> dict[tuple[str, str], tuple[float | None, int]]:
    """Kappa of each pair of people over the items that both answered, and how many those are.

    Args:
        answers: person -> item -> value.
    """
    people = sorted(answers)
    found = {}
    for index, one in enumerate(people):
        for other in people[index + 1 :]:
            both = sorted(answers[one].keys() & answers[other].keys())
            kappa = cohen_kappa([answers[one][item] for item in both], [answers[other][item] for item in both])
            found[one, other] = (kappa, len(both))
    return found
