"""The points that no other point beats, against the definition."""

import itertools
import random

import pytest

from automl.search.front import front


def _by_definition(points, higher):
    def beats(one, other):
        pairs = [(a, b) if is_higher else (-a, -b) for a, b, is_higher in zip(one, other, higher, strict=True)]
        return all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)

    return {number for number, point in enumerate(points) if not any(beats(other, point) for other in points)}


@pytest.mark.parametrize("higher", [*itertools.product((True, False), repeat=3), (True, False), (True,)])
@pytest.mark.parametrize("num_levels", [3, 1000])  # few levels: many points agree in a value, or in all
def test_the_front_is_what_the_definition_says(higher, num_levels):
    draw = random.Random(len(higher) * num_levels)
    for num_points in (1, 2, 7, 40):
        points = [tuple(draw.randrange(num_levels) / 7 for _ in higher) for _ in range(num_points)]
        found = front(points, higher_is_better=higher)
        assert set(found) == _by_definition(points, higher)
        firsts = [points[number][0] for number in found]
        assert firsts == sorted(firsts, reverse=higher[0])


def test_points_that_agree_in_all_stand_side_by_side():
    assert front([(0.9, 2.0), (0.8, 3.0), (0.9, 2.0)], higher_is_better=(True, False)) == (0, 2)


def test_nothing_has_no_front():
    assert front([], higher_is_better=(True, False)) == ()


def test_a_point_that_lacks_a_value_is_refused():
    with pytest.raises(ValueError, match="zip"):
        front([(0.9,)], higher_is_better=(True, False))
