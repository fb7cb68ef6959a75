"""Budgets the time of a run: how long the next model may take, and whether there is time for it at all.

What a model needs is guessed before it is trained, from what was measured of others in this run on this machine: a booster of
known settings is the unit, a portfolio has the number of units of each member. Guesses of a family are corrected by what that
family took. Others that use the machine slow everything alike, so that the guesses hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field

RESERVED_SHARE = 0.04
"""Of the whole time, for weighing the models in the end."""
_SHARE_OF_LEFT = 0.4
"""No model may take more of what is left, unless it is the last."""
_TIGHT = 0.6
"""Of what a model would need, below which it is not worth beginning."""


@dataclass
class TimePlan:
    """The measured speed of this run, and the time that it leaves for each member."""

    total_s: float
    unit_s: float | None = None
    """Seconds that a member of size 1 takes; None until something was measured."""
    loading_s: float = 0.0
    """Longest that loading a family has taken; another may take twice as long, and nothing can end it."""
    overrun_s: float = 0.0
    """Most that a model has taken beyond what it was given."""
    _families: dict[str, float] = field(default_factory=dict)
    """Seconds a unit, by family."""

    def expected_s(self, family: str, units: float) -> float | None:
        """What a member will take; None while nothing is known."""
        per_unit = self._families.get(family, self.unit_s)
        return None if per_unit is None else per_unit * units

    def may_load(self, left_s: float, known_s: float = 0.0) -> bool:
        """Whether there is time to load one more family.

        Args:
            left_s: of the whole run.
            known_s: that loading it takes on a machine with nothing else to do.
        """
        return 2.0 * max(self.loading_s, known_s) <= left_s - RESERVED_SHARE * self.total_s

    def spendable_s(self, left_s: float) -> float:
        """Seconds of those left that may be used, 0 if none."""
        return max(0.0, left_s - RESERVED_SHARE * self.total_s - self.overrun_s)

    def granted_s(self, left_s: float, expected_s: float | None, *, is_last: bool = False) -> float | None:
        """Seconds that a member may take, its answers included; None when there is too little time for it.

        Args:
            left_s: of the whole run.
            expected_s: what it will take, as far as is known.
            is_last: nothing comes after it.
        """
        usable_s = self.spendable_s(left_s)
        if usable_s <= 0.0:
            return None
        if expected_s is None:
            return usable_s * (1.0 if is_last else _SHARE_OF_LEFT)
        if expected_s * _TIGHT > usable_s:
            return None
        # One that is expected to be quick may take twice as long as was guessed.
        return usable_s if is_last else min(usable_s, max(2.0 * expected_s, _SHARE_OF_LEFT * usable_s))

    def took(self, family: str, units: float, *, granted_s: float, used_s: float, is_cut_short: bool) -> None:
        """Records how long a member took to train.

        Args:
            family: of the member.
            units: of the member.
            granted_s: what it might have taken.
            used_s: what it took.
            is_cut_short: it was ended by its deadline, so that more would have been needed.
        """
        self.overrun_s = max(self.overrun_s, used_s - granted_s)
        per_unit = used_s / units
        if is_cut_short:
            per_unit = max(per_unit, self._families.get(family, 0.0))
        self._families[family] = per_unit
        if self.unit_s is None:
            self.unit_s = per_unit
