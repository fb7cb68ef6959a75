"""Channel pruning: how much of each layer goes is searched by annealing, and what is left is trained again.

A candidate of the search is judged without training, by its loss on some items of training, with norms that take the mean and
spread of these items: after pruning the stored ones are far off, and would hide which layer can be spared (Li et al. 2020,
EagleEye, https://arxiv.org/abs/2007.02491). The search begins with the same share of every layer.

Then it is trained with the learning rates that the model began with, not with those that it ended with (Renda et al. 2020,
https://arxiv.org/abs/2003.02389).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

from engine.compress.anneal import Numbers, Space, annealed
from engine.compress.channels import STEP, Channels
from engine.compress.smaller_graph import NoCandidateError, SmallerGraph
from engine.compress.source import SourceGraph
from engine.compress.trainable_model import TrainableModel

MACS_SHARE = 0.5
"""Of the multiplications: what is left."""
_NUM_TRIES = 96
_NUM_ITEMS = 64
"""Of training, that candidates are judged by."""
_SEARCH_SHARE = 0.3
"""Of the method's time, as progress has it."""
_CLOSE = 1e-2
"""Largest difference, beside the largest answer, of a network without channels and one whose channels are zero."""


def pruned(graph: SourceGraph) -> SmallerGraph:
    """The network with half of its multiplications.

    Raises:
        NoCandidateError: it has no weights to train on with, or no channels that could be removed.
        StoppedError: the job was asked to stop.
        EngineError: it cannot be trained.
    """
    trainable = graph.source.trainable
    start, end = graph.source.span
    middle = start + _SEARCH_SHARE * (end - start)
    channels = Channels(trainable.network, trainable.batch(2)[0])
    if not channels.num:
        raise NoCandidateError("nothing_to_change")
    limit = MACS_SHARE * channels.macs(channels.num)
    even = channels.uniform(limit)
    if channels.macs(even) > limit:
        raise NoCandidateError("nothing_to_change")
    kept = search(channels, trainable, even, limit, span=(start, middle))
    network = trainable.fine_tuned(smaller(channels, trainable, kept), span=(middle, end))
    num_changed = sum(few < all_ for few, all_ in zip(kept, channels.num, strict=True))
    return SmallerGraph(trainable.graph(network), num_changed=num_changed, num_kept=len(kept) - num_changed)


def search(channels: Channels, trainable: TrainableModel, even: Numbers, limit: float, *, span: tuple[float, float]) -> Numbers:
    """How many channels of each group are kept.

    Args:
        channels: of the model.
        trainable: the model.
        even: the same share of each group, to begin with.
        limit: of the multiplications.
        span: share of the whole job that this is, from and to.

    Raises:
        StoppedError: the job was asked to stop.
    """
    job, num_asked = trainable.job, 0
    items_B, targets_B = trainable.batch(_NUM_ITEMS)

    def loss(kept: Numbers) -> float:
        nonlocal num_asked
        job.control.raise_if_stopped()
        job.progress("compress", span[0] + (span[1] - span[0]) * min(1.0, num_asked / _NUM_TRIES))
        num_asked += 1
        with channels.masked(kept) as network, _norms_of_the_batch(network):
            return float(trainable.loss(network(items_B), targets_B))

    space = Space(channels.least, channels.num, STEP, channels.macs, limit)
    return annealed(even, loss, space, num_tries=_NUM_TRIES, seed=job.spec.seed)


def smaller(channels: Channels, trainable: TrainableModel, kept: Numbers) -> nn.Module:
    """The network without the other channels.

    Raises:
        NoCandidateError: it answers in another way than the network whose other channels are zero: what belongs together was
            not understood.
    """
    items_B, _ = trainable.batch(4)
    try:
        network = channels.pruned(kept)
        with channels.masked(kept) as masked, torch.no_grad():
            expected, found = masked(items_B), network.eval()(items_B)
    except RuntimeError as error:  # shapes that do not fit
        raise NoCandidateError("unfit") from error
    if not (expected - found).abs().max() <= _CLOSE * expected.abs().max():
        raise NoCandidateError("unfit")
    return network


@contextmanager
def _norms_of_the_batch(network: nn.Module) -> Iterator[None]:
    """Norms take mean and spread of what they get, and forget them."""
    norms = [module for module in network.modules() if isinstance(module, nn.BatchNorm2d)]
    momenta = [norm.momentum for norm in norms]
    for norm in norms:
        norm.train()
        norm.momentum = 0.0
    try:
        yield
    finally:
        for norm, momentum in zip(norms, momenta, strict=True):
            norm.eval()
            norm.momentum = momentum
