"""The members that an ensemble tries, in order.

Fast and strong first, then what differs most from what is there, then further settings of the strongest. The kinds of settings
of boosting (random thresholds, slow with few columns, large trees) did well over hundreds of tables in TabRepo (Salinas and
Erickson 2023, https://arxiv.org/abs/2311.02971); their numbers were tried on the tables of ``benchmarks.tabular``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from automl.contracts.family import ParamValue

BOOSTING, LINEAR, FOREST, NETWORK, NEIGHBOURS, KERNEL = (
    "gradient_boosting",
    "table_linear",
    "random_forest",
    "table_network",
    "table_knn",
    "table_kernel",
)
REFITTED = frozenset({BOOSTING, KERNEL})
"""Families of which one model of all rows takes the place of a bag."""
STOPPED_APART = frozenset({NETWORK})
"""Families that early stopping fits so well to its rows that these cannot judge them too: of 500 rows
of eleven vowels a network's log loss was 0.32 on those and 0.75 on others, a booster's 0.51 and 0.57."""
_SMALL_ROWS = 8_000
"""Up to so many, small trees do better than large ones, and drawn splits better than anything else alone: unless there are many
labels they come first, since a short fit may come no further."""
_QUICK_CELLS = 50_000
"""Up to so many, symmetric trees take no longer than others, and come early."""
_LOCAL_ROWS, _MANY_LABELS = 5_000, 8
"""With few rows of many labels boosting needs a tree a label and round, and who looks at the nearest rows does well at once."""
_EASY_LABELS = 3
"""With more, the others take less of the time that boosting does."""
_FEW_ROWS = 20_000
"""Up to so many rows, nearest neighbours are tried: each of their answers compares all rows."""
_KERNEL_ROWS = 5_000
"""Up to so many, rows are compared with one another; on small tables of numbers nothing else does as well alone."""
_MOST_NODES, _MOST_TREES, _LEAST_ROUNDS, _MOST_ROUNDS = 60_000, 4_000, 300, 2_000
"""So large a model alone answers 50,000 rows a second. A round has a tree for each of several labels. On easy rows the log loss
gets a little better for thousands of rounds, and an ensemble of those answers a hundred times slower. Of many labels there are
as many rounds as it takes to learn them all the same: fewer would be faster and worse."""


@dataclass(frozen=True)
class Member:
    """A family with settings."""

    name: str
    family: str
    units: float
    """About how many times as long it takes as boosting with usual settings."""
    params: Mapping[str, ParamValue] = field(default_factory=dict)
    """What differs from the family's defaults."""


def portfolio(num_rows: int, num_columns: int, num_labels: int) -> tuple[Member, ...]:
    """The members to try, in order.

    Args:
        num_rows: to train on.
        num_columns: of rows as they come.
        num_labels: 0 where a number is predicted.
    """
    is_small = num_rows <= _SMALL_ROWS

    def boosting(name: str, units: float, **params: ParamValue) -> Member:
        return Member(name, BOOSTING, units, params | _rounds(num_labels, params))

    if is_small:
        usual = boosting("boosting", 1.0, num_leaves=16, min_data_in_leaf=5, feature_fraction=0.6)
        drawn = boosting("boosting, drawn splits", 1.2, extra_trees=True, num_leaves=16, min_data_in_leaf=3)
    else:
        usual = boosting("boosting", 1.0, learning_rate=0.08, num_leaves=31, feature_fraction=0.6)
        drawn = boosting("boosting, drawn splits", 1.2, learning_rate=0.08, extra_trees=True, num_leaves=63, min_data_in_leaf=3)
    slow = boosting(
        "boosting, slow",
        2.0,
        learning_rate=0.02 if is_small and num_labels < 3 else 0.05,
        num_leaves=16 if is_small else 31,
        min_data_in_leaf=3,
        feature_fraction=0.5,
        bagging_fraction=0.7,
    )
    symmetric = boosting(
        "boosting, symmetric",
        4.0,
        growth="symmetric",
        learning_rate=0.03 if num_labels else 0.07,
        num_leaves=64,
        lambda_l2=3.0,
        feature_fraction=0.8 if num_labels else 1.0,
    )
    has_symmetric = is_small and num_labels < 3
    is_quick = num_rows * num_columns <= _QUICK_CELLS
    neighbours = Member("neighbours", NEIGHBOURS, 1.0)
    is_local = num_rows <= _LOCAL_ROWS and num_labels >= _MANY_LABELS
    near = [
        *([Member("kernel, Gaussian", KERNEL, 1.0, {"shape": "gaussian"})] if num_rows <= _KERNEL_ROWS else []),
        *([neighbours] if is_local else []),
        *([Member("kernel, exponential", KERNEL, 0.7, {"shape": "exponential"})] if num_rows <= _KERNEL_ROWS else []),
    ]
    if is_small and num_labels < _MANY_LABELS:
        first, then, late = [drawn, usual], slow, []
    else:
        first, then, late = [usual], *((drawn, [slow]) if is_small else (slow, [drawn]))
    found = (
        *first,
        Member("linear", LINEAR, 0.4),
        *([symmetric] if has_symmetric and is_quick else []),
        Member("extra trees", FOREST, 1.5, {"trees": "extra"}),
        *([then, *near] if num_labels == 2 else [*near, then]),  # of two labels kernels take long, and seldom add anything
        Member("network", NETWORK, 3.0),
        *late,
        *([symmetric] if has_symmetric and not is_quick else []),
        Member("bent linear", LINEAR, 1.0, {"num_knots": 5}),
        boosting("boosting, large", 2.0, learning_rate=0.06, num_leaves=127, min_data_in_leaf=5),
        Member("network, straight", NETWORK, 2.0, {"embedding_size": 1}),
        Member("forest", FOREST, 2.0, {"trees": "random"}),
        *([] if is_local else [neighbours]),
        Member("network, wide", NETWORK, 6.0, {"width": 256, "lr": 0.02}),
    )
    share = min(1.0, _EASY_LABELS / max(1, num_labels))  # boosting, the unit, grows a tree a label, and no other does
    weighed = (each if each.family == BOOSTING else replace(each, units=each.units * share) for each in found)
    return tuple(member for member in weighed if num_rows <= _FEW_ROWS or member.family != NEIGHBOURS)


def second_layer(num_labels: int) -> tuple[Member, ...]:
    """The members that see the answers of the first, in order.

    Args:
        num_labels: 0 where a number is predicted.
    """
    slow: dict[str, ParamValue] = {"learning_rate": 0.03, "num_leaves": 8, "feature_fraction": 0.6}
    slow |= _rounds(num_labels, slow)
    return (
        Member("boosting on answers", BOOSTING, 1.5, slow),
        Member("linear on answers", LINEAR, 0.4),
        Member("network on answers", NETWORK, 3.0),
    )


def _rounds(num_labels: int, params: Mapping[str, ParamValue]) -> dict[str, ParamValue]:
    """The number of rounds of boosting, and for many labels the larger learning rate that fewer rounds need."""
    num_trees = max(1, num_labels if num_labels > 2 else 1)
    most = min(_MOST_NODES // (2 * int(params["num_leaves"]) - 1), _MOST_TREES) // num_trees
    rounds: dict[str, ParamValue] = {"max_rounds": int(np.clip(most, _LEAST_ROUNDS, _MOST_ROUNDS))}
    return rounds if num_trees == 1 else rounds | {"learning_rate": max(0.1, float(params.get("learning_rate", 0.1)))}
