"""What the specs of picture networks without pretrained weights share: parameters and cost. A family adds its counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from automl.contracts.base import Text
from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, Param, SizeSpec
from automl.contracts.modality import Modality
from engine.models.shared import params
from engine.models.shared.cost import Counted, step_cost


def scratch_family(
    *,
    name: str,
    title: Text,
    summary: Text,
    sizes: tuple[SizeSpec, ...],
    own_params: tuple[Param, ...],
    first_trials: tuple[FirstTrial, ...] = (),
) -> FamilySpec:
    """The spec of a family that begins with random weights.

    Args:
        name: of its folder.
        title: shown to users.
        summary: in a sentence or two.
        sizes: in order of cost.
        own_params: of ``scratch_params``.
        first_trials: tried before a search.
    """
    return FamilySpec(
        name=name,
        title=title,
        summary=summary,
        reads=Modality.IMAGE,
        yields=FeatureKind.VECTOR,
        can_continue=True,
        sizes=sizes,
        params=own_params,
        first_trials=first_trials,
    )


def scratch_params(
    *,
    epochs: int = 30,
    peak_lr: float = 1e-3,
    weight_decay: float = 2e-2,
    resolutions_px: tuple[int, ...] = (64, 96, 160, 224),
) -> tuple[Param, ...]:
    """The parameters of such a family, with these defaults and sides of pictures to choose from."""
    return (
        params.epochs(epochs),
        params.batch_size(32),
        params.lr(peak_lr),
        params.weight_decay(weight_decay),
        params.label_smoothing(0.05),
        params.augment("light"),
        params.mirror(),
        params.is_balanced(),
        params.resolution_px(*resolutions_px),
        *params.classifier_pieces(),
        params.mixing(),
    )


def scratch_cost(family: FamilySpec, counted: Mapping[str, Counted]) -> Callable[[tuple[int, ...], str], Cost]:
    """The ``cost`` of such a family, by the counts of its sizes."""

    def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
        """What one training step of one picture needs.

        Args:
            sample_shape: height, width, channels of what the network sees.
            size: name of one of the sizes.
        """
        return step_cost(family.size(size), counted[size].saved_bytes_per_pixel, sample_shape)

    return cost
