"""The network as training begins with it."""

from __future__ import annotations

from torch import nn

from engine.frozen import load_backbone
from engine.job import Job
from engine.models import family_part
from engine.tasks import task_part
from engine.training.prepare import PreparedTrial


def new_model(prepared: PreparedTrial, job: Job) -> nn.Module:
    """The network as training begins with it.

    It has the weights of the earlier model to go on from; else its pretrained ones, if there are any, and an untrained head.

    Raises:
        AssetMissingError: the weights are not in the store and cannot be had.
        StartWeightsMissingError, StartUnsuitableError: the earlier model's cannot be used.
    """
    family, size, start = prepared.family.name, prepared.size.name, prepared.start
    backbone = family_part(family, "network").build(size) if start else load_backbone(family, size, job.assets_dir)
    model: nn.Module = task_part(prepared.task.name, "head").build(backbone, backbone.num_features, len(prepared.labels))
    if start is not None:
        start.load(model, prepared.labels)
    return model
