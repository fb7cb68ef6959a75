"""Trees of LightGBM: each grows where that helps most."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.table.trees import TreeArrays, trees_of_lightgbm


class LibraryMissingError(EngineError):
    """A library of the system is not there."""

    code = "library_missing"
    hint = "Install it, e.g. with: apt-get install libgomp1"


class LeafwiseBooster:
    """A booster of LightGBM."""

    def __init__(
        self, x_NF: NDArray[np.float32], learned_N: NDArray[Any], params: dict[str, Any], weights_N: NDArray[np.float64] | None
    ):
        """Begins.

        Args:
            x_NF: NaN is missing.
            learned_N: what the trees are shown of the targets.
            params: of LightGBM.
            weights_N: of the rows; None weighs them alike.

        Raises:
            LibraryMissingError: LightGBM cannot be loaded.
        """
        self._library, self._params = _lightgbm(), params
        self._train = self._library.Dataset(x_NF, learned_N, weight=weights_N, params=params)
        self.booster = self._library.Booster(params, self._train)

    def validate(self, x_MF: NDArray[np.float32], learned_M: NDArray[Any], weights_M: NDArray[np.float64] | None) -> None:
        """Sets the rows, at least one, on which ``loss`` is measured; called before the first round."""
        held_back = self._library.Dataset(x_MF, learned_M, weight=weights_M, reference=self._train, params=self._params)
        self.booster.add_valid(held_back, "validation")

    def update(self) -> bool:
        """Grows the trees of a round; true where no tree can be split any more."""
        return bool(self.booster.update())

    def loss(self) -> float:
        """On the rows of validation."""
        return float(self.booster.eval_valid()[0][2])

    def raw(self, x_NF: NDArray[np.float32], num_rounds: int) -> NDArray[np.float64]:
        """Sums of leaves ``_NK`` of the first rounds."""
        raw_N = self.booster.predict(x_NF, raw_score=True, num_iteration=num_rounds)
        return np.asarray(raw_N).reshape(len(x_NF), -1)

    def arrays(self, num_rounds: int) -> TreeArrays:
        """The first rounds for a graph."""
        return trees_of_lightgbm(self.booster.model_to_string(num_iteration=num_rounds))


def _lightgbm() -> Any:
    try:
        import lightgbm  # noqa: PLC0415 - the family must be listed where the library cannot be loaded
    except OSError as error:
        raise LibraryMissingError(f"LightGBM cannot be loaded: {error}") from error
    return lightgbm
