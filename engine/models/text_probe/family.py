"""A linear head on a frozen text encoder: half a minute on a CPU, and hard to beat with few texts."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params
from engine.models.text_encoder import family as encoder

words = Words(__file__)

WINDOW = 512
"""All positions that the networks know."""
MOST_WINDOWS = 4
"""Of a longer text: as many tokens as the text encoder reads."""
_MACS = {"english": 6_643_777_536, "multilingual": 13_287_555_072}
"""Of one whole window."""

FAMILY = FamilySpec(
    name="text_probe",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.TEXT,
    yields=FeatureKind.VECTOR,
    is_frozen=True,
    preference=1,
    sizes=tuple(size.model_copy(update={"macs": MOST_WINDOWS * _MACS[size.name]}) for size in encoder.FAMILY.sizes),
    params=(params.is_balanced(), params.max_tokens(64, 128, 256, 512)),
    licences=encoder.FAMILY.licences,
    first_trials=(
        FirstTrial(rank=20),
        FirstTrial(rank=30, params={"is_balanced": True}, is_for_rare=True),
    ),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What the features of one text need.

    Args:
        sample_shape: tokens.
        size: name of one of the sizes.
    """
    num_tokens = min(sample_shape[0], MOST_WINDOWS * WINDOW)
    memory, usual = encoder.cost_at_once(num_tokens, size), encoder.cost(sample_shape, size)
    num_layers = FAMILY.size(size).num_parameters // encoder.NUM_PARAMETERS_PER_LAYER
    flops = usual.flops // 3  # few texts are longer
    return Cost(memory_bytes=memory.memory_bytes // num_layers, flops=flops, fixed_bytes=memory.fixed_bytes)
