"""Where a form lies in a picture: matched texts, and the projection that takes the template's pixels to the picture's.

A hypothesis is a similarity from two matched texts, or from one alone; the one on which most texts lie is taken (Fischler and
Bolles 1981, but over all pairs). Then a projection is fitted to the corners of these texts by iteratively
reweighted least squares, with a prior that holds it near a similarity where the corners say nothing else. So the same estimate
serves one text and twenty. Shapes: C matches, N points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_NEAR = 0.045
"""Of the template's diagonal: so far a text may lie from where a similarity expects it. Perspective moves them."""
_MOST_MATCHES = 1000
"""More say the same text again and again, and time and memory grow with their square."""
_MOST_PAIRS = 1500
_SPREAD = 0.003
"""Of the diagonal: how far corners of a text scatter that was found again."""
_SKEW_PRIOR = 0.03
_PERSPECTIVE_PRIOR = 0.15
_ROUNDS = 12
_HUBER = 2.0
_SCALES = (0.05, 20.0)


class Match(NamedTuple):
    """A reference text, and where it may stand in the picture."""

    reference: int
    line: int
    likeness: float
    on_form: Floats
    """``_42``, in pixels of the template."""
    in_picture: Floats
    """``_42``, in pixels of the picture."""
    spread: float = 1.0
    """How much less sure the corners are than those of a whole line."""


class TemplateMatch(NamedTuple):
    """Where the form lies in the picture."""

    projection: Floats
    """``_33``: homogeneous coordinates of the template to those of the picture."""
    matches: list[Match]
    """Those that lie on it, one a reference."""


def mapped(projection: Floats, points: Floats) -> Floats:
    """Points ``_N2`` of the template in the picture."""
    lifted = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ projection.T
    depth = np.where(np.abs(lifted[:, 2:]) < 1e-9, 1e-9, lifted[:, 2:])
    found: Floats = lifted[:, :2] / depth
    return found


def place(matches: Sequence[Match], diagonal: float) -> TemplateMatch | None:
    """Finds where the form lies; None where no two texts agree, or the one that there is says nothing.

    Args:
        matches: candidates, of which many may be wrong.
        diagonal: of the template, in its pixels.
    """
    if not matches:
        return None
    matches = _likest(matches)
    chosen = _most_agreed(matches, diagonal)
    if not chosen:
        return None
    projection = _fitted(chosen, diagonal)
    for _ in range(2):  # what the similarity could not explain may lie on the projection
        errors = _errors(projection, matches) / diagonal
        again = _best_each([each for each, error in zip(matches, errors, strict=True) if error < _NEAR / 2], projection)
        if len(again) < len(chosen):
            break
        chosen = again
        projection = _fitted(chosen, diagonal)
    kept = [each for each, error in zip(chosen, _errors(projection, chosen) / diagonal, strict=True) if error < _NEAR / 2]
    return TemplateMatch(projection, kept) if kept and _is_sound(projection, kept) else None


def _likest(matches: Sequence[Match]) -> Sequence[Match]:
    """All of them, or of too many the likest of each reference, in the order in which they came."""
    if len(matches) <= _MOST_MATCHES:
        return matches
    by_reference: dict[int, list[int]] = {}
    for number, each in enumerate(matches):
        by_reference.setdefault(each.reference, []).append(number)
    share = max(1, _MOST_MATCHES // len(by_reference))
    kept: list[int] = []
    for own in by_reference.values():
        kept += sorted(own, key=lambda number: (-matches[number].likeness, matches[number].spread))[:share]
    return [matches[number] for number in sorted(kept)]


def _most_agreed(matches: Sequence[Match], diagonal: float) -> list[Match]:
    """The matches on the similarity on which most lie."""
    on_form = np.array([each.on_form.mean(axis=0) for each in matches]) @ np.array([1, 1j])
    in_picture = np.array([each.in_picture.mean(axis=0) for each in matches]) @ np.array([1, 1j])
    turns, moves = _similarities(matches, on_form, in_picture, diagonal)
    if not len(turns):
        return []
    expected = turns[:, None] * on_form[None] + moves[:, None]
    scale = np.abs(turns)[:, None]
    error = np.abs(expected - in_picture[None]) / (diagonal * scale)
    weights = np.array([each.likeness / each.spread**0.5 for each in matches])
    worth = np.where(error < _NEAR, weights * (1.0 - (error / _NEAR) ** 2), 0.0)
    scores = np.zeros(len(turns))
    owners = np.array([each.reference for each in matches])
    for reference in np.unique(owners):
        scores += worth[:, owners == reference].max(axis=1)
    best = int(scores.argmax())
    near = np.flatnonzero(error[best] < _NEAR).tolist()
    chosen: dict[int, int] = {}
    for number in near:
        own = matches[number].reference
        if own not in chosen or worth[best, number] > worth[best, chosen[own]]:
            chosen[own] = number
    return [matches[number] for number in chosen.values()]


def _similarities(
    matches: Sequence[Match], on_form: NDArray[np.complex128], in_picture: NDArray[np.complex128], diagonal: float
) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """Turn with scale, and move, of each hypothesis, as complex numbers."""
    one, other = np.triu_indices(len(matches), 1)
    owners, lines = np.array([each.reference for each in matches]), np.array([each.line for each in matches])
    apart = np.abs(on_form[one] - on_form[other])
    # Two texts of one line may be true: a label at its beginning and one at its end.
    is_pair = (owners[one] != owners[other]) & (apart > 0.05 * diagonal)
    is_pair &= (lines[one] != lines[other]) | (np.abs(in_picture[one] - in_picture[other]) > 0)
    one, other, apart = one[is_pair], other[is_pair], apart[is_pair]
    if len(one) > _MOST_PAIRS:
        counts = np.bincount(owners)
        doubt = counts[owners[one]] * counts[owners[other]] / np.maximum(apart, 1e-9)
        kept = np.argsort(doubt, kind="stable")[:_MOST_PAIRS]
        one, other = one[kept], other[kept]
    turns = (in_picture[one] - in_picture[other]) / (on_form[one] - on_form[other])
    moves = in_picture[one] - turns * on_form[one]
    alone = [_along(each.in_picture) / _along(each.on_form) for each in matches]
    turns = np.concatenate([turns, np.array(alone)])
    moves = np.concatenate([moves, in_picture - np.array(alone) * on_form])
    is_sound = (np.abs(turns) > _SCALES[0]) & (np.abs(turns) < _SCALES[1])
    return turns[is_sound], moves[is_sound]


def _along(corners: Floats) -> complex:
    """The direction and length in which a text runs."""
    x, y = (corners[1] + corners[2] - corners[0] - corners[3]) / 2
    return complex(x, y) or 1e-9


def _errors(projection: Floats, matches: Sequence[Match]) -> Floats:
    """How far the middle of each match is from where it is expected, in pixels of the template."""
    backwards = np.asarray(np.linalg.inv(projection), dtype=np.float64)
    there = mapped(backwards, np.array([each.in_picture.mean(axis=0) for each in matches]))
    on_form = np.array([each.on_form.mean(axis=0) for each in matches])
    found: Floats = np.hypot(*(there - on_form).T)
    return found


def _best_each(matches: Sequence[Match], projection: Floats) -> list[Match]:
    """Of each reference the match that lies best, an unlike text counting as further away."""
    errors = _errors(projection, matches) if matches else np.zeros(0)
    chosen: dict[int, tuple[float, Match]] = {}
    for each, error in zip(matches, errors.tolist(), strict=True):
        rank = (error + 1.0) * (2.0 - each.likeness) * each.spread
        if each.reference not in chosen or rank < chosen[each.reference][0]:
            chosen[each.reference] = (rank, each)
    return [match for _, match in chosen.values()]


def _fitted(matches: Sequence[Match], diagonal: float) -> Floats:
    """The projection by the corners of matches, ``_33``."""
    source = np.concatenate([each.on_form for each in matches])
    target = np.concatenate([each.in_picture for each in matches])
    spreads = np.repeat([each.spread for each in matches], 4)
    middle, there = source.mean(axis=0), target.mean(axis=0)
    half = diagonal / 2
    a, b = (source - middle) / half, target - there
    complex_a, complex_b = a @ np.array([1, 1j]), b @ np.array([1, 1j])
    turn = (np.conj(complex_a) @ complex_b) / max(float(np.abs(complex_a) @ np.abs(complex_a)), 1e-12)
    # In these coordinates the similarity is the identity: what is left to find is small.
    b = np.stack([(complex_b / turn).real, (complex_b / turn).imag], axis=1)
    found = np.array([1.0, 0, 0, 0, 1.0, 0, 0, 0])
    for _ in range(_ROUNDS):
        found = _step(found, a, b, spreads)
    inner = np.append(found, 1.0).reshape(3, 3)
    scale = np.array([[1 / half, 0, -middle[0] / half], [0, 1 / half, -middle[1] / half], [0, 0, 1]])
    back = np.array([[turn.real, -turn.imag, there[0]], [turn.imag, turn.real, there[1]], [0, 0, 1]])
    projection: Floats = back @ inner @ scale
    return projection


def _step(found: Floats, a: Floats, b: Floats, spreads: Floats) -> Floats:
    """One step of Gauss and Newton on the eight numbers, with Huber's weights and the prior."""
    x, y = a.T
    zero, one = np.zeros_like(x), np.ones_like(x)
    depth = found[6] * x + found[7] * y + 1.0
    u = (found[0] * x + found[1] * y + found[2]) / depth
    v = (found[3] * x + found[4] * y + found[5]) / depth
    rows_u = np.stack([x, y, one, zero, zero, zero, -u * x, -u * y], axis=1) / depth[:, None]
    rows_v = np.stack([zero, zero, zero, x, y, one, -v * x, -v * y], axis=1) / depth[:, None]
    left = np.concatenate([rows_u, rows_v])
    right = np.concatenate([b[:, 0] - u, b[:, 1] - v])
    sigma = np.tile(2 * _SPREAD * spreads, 2)
    distance = np.tile(np.hypot(b[:, 0] - u, b[:, 1] - v), 2) / sigma
    weights = np.where(distance > _HUBER, _HUBER / np.maximum(distance, 1e-9), 1.0) ** 0.5 / sigma
    prior = (
        np.array(
            [
                [1, 0, 0, 0, -1, 0, 0, 0],
                [0, 1, 0, 1, 0, 0, 0, 0],
                [0, 0, 0, 0, 0, 0, 1, 0],
                [0, 0, 0, 0, 0, 0, 0, 1],
            ],
            dtype=np.float64,
        )
        / np.array([_SKEW_PRIOR, _SKEW_PRIOR, _PERSPECTIVE_PRIOR, _PERSPECTIVE_PRIOR])[:, None]
    )
    left = np.concatenate([left * weights[:, None], prior])
    right = np.concatenate([right * weights, -prior @ found])
    moved: Floats = found + np.linalg.lstsq(left, right, rcond=None)[0]
    return moved


def _is_sound(projection: Floats, matches: Sequence[Match]) -> bool:
    """No mirror, nothing behind the eye, and no scale that no picture has."""
    if not np.isfinite(projection).all():
        return False
    corners = np.concatenate([each.on_form for each in matches])
    depth = np.concatenate([corners, np.ones((len(corners), 1))], axis=1) @ projection[2]
    area = float(np.linalg.det(projection)) / float(np.min(np.abs(depth)) ** 3 + 1e-12)
    return bool((depth > 0).all()) and _SCALES[0] ** 2 < area < _SCALES[1] ** 2
