"""Finds kernel, penalty and steepness on some of the rows, each judged by rows that are left out, and solves with all.

Shapes: N rows, M centres, F features, L labels (or 1 for a number).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import cast

import numpy as np
from numpy.typing import NDArray

from engine.models.shared import rows
from engine.models.table_kernel.family import MOST_CENTRES
from engine.models.table_kernel.kernel import Kernel, KernelSolution, Shape, sharpened, squared_distances
from engine.models.table_kernel.model import KernelModel, Settings
from engine.models.table_kernel.pairs import SolvedPairs, best_of_pairs
from engine.models.table_knn.relevance import relevance
from engine.table.encode import Preparation
from engine.table.table import RowTask

_CHOOSING_ROWS = 500
"""By which the kernel is chosen: a decomposition takes the third power of their number."""
_REACHES = (0.1, 0.3, 1.0, 3.0, 10.0)
"""Times the median squared distance of two rows. An exponential kernel takes them ten times as long."""
_LONGER, _LONG_REACHES = 10.0, (0.1, 1.0, 10.0)
_PENALTIES = (1e-5, 1e-4, 1e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 3.0, 10.0)
_STEEPNESSES = tuple(np.geomspace(1.5, 40.0, 14).tolist())
_LEAST_SPREAD = 0.1
"""A value that one row in a hundred has spreads by this; what is rarer is not made larger."""
_LEAST_WEIGHT = 0.02
"""Of the most relevant feature."""
_PAIRED_LABELS = 30
"""Up to so many, pairs of labels are told apart too; more would be too many pairs."""
_MAX_CELLS = 10_000_000
"""Centres times features that are kept, float32: 40 MB in the model's file."""
_CHOSEN = 0.7
"""Fraction of the work that is done when the settings are found."""


def fit(task: RowTask) -> KernelModel:
    """Finds settings until the deadline, and solves with those that are best by then.

    Raises:
        NoColumnsError: there is nothing to learn from.
    """
    known = _TrainingRows.of(task)
    best = Settings("gaussian", 1.0, is_weighing=False)
    part = known.part(_CHOOSING_ROWS, task.seed)
    tried = list(_kernels(task))
    for number, settings in enumerate(tried):
        task.report(_CHOSEN * number / len(tried), {})
        if task.deadline.left_s <= 0.0:
            break
        best = min(best, part.judged(settings), key=lambda each: each.loss)
    model = known.solved(best, is_judged=len(part.x_NF) < len(known.x_NF) and task.deadline.left_s > 0.0)
    measured = rows.measured(model.answers(task.validation), task.validation_targets_N, task.num_labels)
    task.report(1.0, measured)
    return model


def refit(task: RowTask, models: Sequence[KernelModel]) -> KernelModel | None:
    """One model of all rows, with the settings that most of others found.

    Args:
        task: with the same settings as those of the models; its validation is not looked at.
        models: at least one.

    Returns:
        The model; None if the deadline has come.

    Raises:
        NoColumnsError: there is nothing to learn from.
    """
    if task.deadline.left_s <= 0.0:
        return None
    kinds = [_kind(each.settings) for each in models]
    commonest = max(kinds, key=kinds.count)
    alike = [each.settings for each, kind in zip(models, kinds, strict=True) if kind == commonest]

    def middle(values: list[float]) -> float:
        return float(np.exp(np.median(np.log(values))))

    settings = replace(
        alike[0],
        reach=middle([each.reach for each in alike]),
        penalty=middle([each.penalty for each in alike]),
        steepness=middle([each.steepness for each in alike]),
        prior_share=float(np.median([each.prior_share for each in alike])),
    )
    return _TrainingRows.of(task).solved(settings, is_judged=False)


def _kind(settings: Settings) -> tuple[Shape, bool, bool, float]:
    """What has no middle."""
    return settings.shape, settings.is_weighing, settings.is_log, settings.slope


def _kernels(task: RowTask) -> Iterator[Settings]:
    """What is tried, the likeliest first."""
    weighing = {"auto": (False, True), "yes": (True,), "no": (False,)}[str(task.params["weighs_columns"])]
    shape_choice = str(task.params["shape"])
    shapes = cast("tuple[Shape, ...]", ("gaussian", "exponential") if shape_choice == "auto" else (shape_choice,))
    for is_weighing, shape in product(weighing, shapes):
        for reach in _REACHES if shape == "gaussian" else _LONG_REACHES:
            yield Settings(shape, reach * (_LONGER if shape == "exponential" else 1.0), is_weighing)


@dataclass(frozen=True)
class _TrainingRows:
    """Rows to learn from, prepared."""

    preparation: Preparation
    x_NF: NDArray[np.float64]
    means_F: NDArray[np.float32]
    scales_F: NDArray[np.float32]
    relevance_F: NDArray[np.float32]
    """How much each feature counts where columns are weighed."""
    targets_N: NDArray
    num_labels: int
    priors_L: NDArray[np.float64]

    @classmethod
    def of(cls, task: RowTask) -> _TrainingRows:
        table, targets_N = rows.training_rows(task)
        preparation, x_NF = Preparation.learn(table, targets_N, task.num_labels, style="dense", seed=task.seed)
        means_F = x_NF.mean(axis=0)
        scales_F = 1 / np.maximum(x_NF.std(axis=0), np.float32(_LEAST_SPREAD))
        relevance_F = relevance(x_NF, targets_N, is_number=task.num_labels == 0, seed=task.seed)
        most = relevance_F.max()
        relevance_F = np.sqrt(np.maximum(relevance_F / most, _LEAST_WEIGHT)) if most > 0.0 else np.ones_like(relevance_F)
        priors_L = rows.priors(targets_N, task.num_labels) if task.num_labels else np.ones(1)
        x_NF = ((x_NF - means_F) * scales_F).astype(np.float64)
        return cls(preparation, x_NF, means_F, scales_F, relevance_F.astype(np.float32), targets_N, task.num_labels, priors_L)

    def part(self, num_rows: int, seed: int) -> _TrainingRows:
        """Some rows, drawn evenly."""
        if len(self.x_NF) <= num_rows:
            return self
        chosen = np.sort(np.random.default_rng(seed).permutation(len(self.x_NF))[:num_rows])
        return replace(self, x_NF=self.x_NF[chosen], targets_N=self.targets_N[chosen])

    def encoded_targets(self, *, is_log: bool) -> tuple[NDArray[np.float64], NDArray[np.float64], float, float]:
        """Encoded targets ``_NL``, the offset subtracted from them, their divisor, and the unit of a logarithm or 0."""
        if self.num_labels:
            return np.eye(self.num_labels)[self.targets_N.astype(np.intp)] - self.priors_L, self.priors_L, 1.0, 0.0
        y_N = self.targets_N.astype(np.float64)
        unit = float(np.median(y_N[y_N > 0.0])) if is_log else 0.0
        y_N = np.log1p(y_N / unit) if is_log else y_N
        spread = float(y_N.std()) or 1.0
        return ((y_N - y_N.mean()) / spread)[:, None], np.array([y_N.mean()]), spread, unit

    @property
    def may_be_log(self) -> bool:
        """Whether logarithms can be regressed."""
        return self.num_labels == 0 and len(self.targets_N) > 0 and self.targets_N.min() >= 0.0 < self.targets_N.max()

    def placed(self, settings: Settings) -> NDArray[np.float64]:
        """Rows where distances count."""
        return self.x_NF * self.relevance_F if settings.is_weighing else self.x_NF

    def judged(self, settings: Settings) -> Settings:
        """The best penalty for a kernel, and its loss of rows that were left out."""
        x_NF = self.placed(settings)
        squared_NN = squared_distances(x_NF, x_NF)
        likeness_NN = Kernel(settings.shape, settings.reach * _usual(squared_NN)).of(squared_NN)
        best = self.best_penalty(KernelSolution.of(likeness_NN, likeness_NN), settings, _PENALTIES)
        return min(best, self.best_of_pairs(likeness_NN, settings), key=lambda each: each.loss) if self.may_pair else best

    @property
    def may_pair(self) -> bool:
        """Whether pairs of labels can be told apart."""
        return 2 < self.num_labels <= _PAIRED_LABELS

    def best_of_pairs(self, likeness_NN: NDArray[np.float64], settings: Settings) -> Settings:
        """The same by pairs of labels."""
        targets_N = self.targets_N.astype(np.intp)
        found = best_of_pairs(SolvedPairs.of(likeness_NN, targets_N), targets_N, np.log(self.priors_L), _STEEPNESSES)
        return replace(settings, **found._asdict())

    def best_penalty(self, solved: KernelSolution, settings: Settings, penalties: Sequence[float]) -> Settings:
        """Penalty, steepness and logarithm by rows that were left out."""
        best = replace(settings, loss=float("inf"))
        for is_log in (False, True) if self.may_be_log else (False,):
            encoded_NL, offsets_L, spread, unit = self.encoded_targets(is_log=is_log)
            for penalty in penalties:
                predicted_NL = solved.left_out(encoded_NL, penalty)
                tried = replace(settings, is_log=is_log, penalty=penalty)
                if self.num_labels:
                    scores_NL = predicted_NL + offsets_L
                    found = sharpened(scores_NL, self.targets_N.astype(np.intp), np.log(self.priors_L), _STEEPNESSES)
                    tried = replace(tried, steepness=found[0], prior_share=found[1], loss=found[2])
                else:
                    numbers_N = predicted_NL[:, 0] * spread + offsets_L[0]
                    numbers_N = np.expm1(np.minimum(numbers_N, 50.0)) * unit if is_log else numbers_N
                    tried = replace(tried, loss=float(np.sqrt(np.square(numbers_N - self.targets_N).mean())))
                best = min(best, tried, key=lambda each: each.loss)
        return best

    def solved(self, settings: Settings, *, is_judged: bool) -> KernelModel:
        """The model of all rows; ``is_judged``: penalty and steepness are chosen once more, by all of them."""
        x_NF = self.placed(settings)
        num_centres = min(len(x_NF), MOST_CENTRES, max(1, _MAX_CELLS // x_NF.shape[1]))
        chosen = np.sort(np.random.default_rng(0).permutation(len(x_NF))[:num_centres])
        centres_MF = x_NF[chosen].astype(np.float32)
        squared_MM = squared_distances(centres_MF, centres_MF)
        kernel = Kernel(settings.shape, settings.reach * _usual(squared_MM))
        centres_MM = kernel.of(squared_MM)
        votes_PL: NDArray[np.float64] | None = None
        if settings.slope:  # of pairs the centres are the rows
            if is_judged:
                known = replace(self, targets_N=self.targets_N[chosen])
                settings = replace(known.best_of_pairs(centres_MM, settings), loss=settings.loss)
            pairs = SolvedPairs.of(centres_MM, self.targets_N[chosen].astype(np.intp))
            weights_ML = pairs.weights(settings.penalty)
            votes_PL = settings.steepness * pairs.votes(self.num_labels)
            scale, log_unit, numbers_N = settings.slope, 0.0, np.zeros(1)
            offsets_L = settings.prior_share * np.log(self.priors_L)
        else:
            rows_NM = centres_MM if num_centres == len(x_NF) else kernel.of(squared_distances(x_NF, centres_MF))
            solution = KernelSolution.of(rows_NM, centres_MM)
            if is_judged:
                settings = replace(self.best_penalty(solution, settings, _PENALTIES), loss=settings.loss)
            encoded_NL, offsets_L, spread, log_unit = self.encoded_targets(is_log=settings.is_log)
            weights_ML = solution.weights(encoded_NL, settings.penalty)
            scale = settings.steepness if self.num_labels else spread
            numbers_N = encoded_NL[:, 0] * spread + offsets_L[0]
            if self.num_labels:
                offsets_L = settings.steepness * offsets_L + settings.prior_share * np.log(self.priors_L)
        return KernelModel(
            preparation=self.preparation,
            means_F=self.means_F,
            scales_F=self.scales_F * self.relevance_F if settings.is_weighing else self.scales_F,
            centres_MF=centres_MF,
            kernel=kernel,
            weights_ML=(weights_ML * scale).astype(np.float32),
            offsets_L=offsets_L.astype(np.float32),
            settings=settings,
            votes_PL=None if votes_PL is None else votes_PL.astype(np.float32),
            log_unit=log_unit,
            low=0.0 if self.num_labels else float(numbers_N.min()),
            high=0.0 if self.num_labels else float(numbers_N.max()),
        )


def _usual(squared_NN: NDArray[np.float64]) -> float:
    """The median squared distance of two rows."""
    apart = squared_NN[squared_NN > 0.0]
    return float(np.median(apart)) if len(apart) else 1.0
