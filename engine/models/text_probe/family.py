"""A linear head on a frozen text encoder: half a minute on a CPU, and hard to beat with few texts."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import Cost, FamilySpec, FeatureKind, Modality
from engine.models import params
from engine.models.text_encoder import family as encoder

FAMILY = FamilySpec(
    name="text_probe",
    title=Text(en="Text probe", zh="文本探针"),
    summary=Text(
        en="Reads with a ready-made network and learns only the last step: a first good answer within a minute.",
        zh="使用现成的网络阅读，只学习最后一步，一分钟内即可得到不错的结果。",
    ),
    reads=Modality.TEXT,
    yields=FeatureKind.VECTOR,
    is_frozen=True,
    preference=1,
    sizes=encoder.FAMILY.sizes,
    params=(params.is_balanced(), params.max_tokens(64, 256)),
    licences=encoder.FAMILY.licences,
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What the features of one text need.

    Args:
        sample_shape: tokens.
        size: name of one of the sizes.
    """
    trained = encoder.cost(sample_shape, size)
    num_layers = FAMILY.size(size).num_parameters // encoder.NUM_PARAMETERS_PER_LAYER
    return Cost(memory_bytes=trained.memory_bytes // num_layers, flops=trained.flops // 3)
