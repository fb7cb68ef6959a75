"""The model with its weights, and the items that it learned from: for methods that train.

The targets are its own answers beside the labels, so that a smaller network is as sure of them as it was.
Shapes: N items, L labels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from automl.contracts.artefact import WEIGHTS_FILE, ArtefactManifest
from automl.contracts.dataset import Split
from automl.contracts.family import ParamValue
from automl.contracts.job import StopReason, TrainConfig
from engine.artefact.session import GraphSession
from engine.artefact.write import graph_export
from engine.compress import soft_targets
from engine.compress.smaller_graph import NoCandidateError
from engine.compress.soft_targets import Recipe
from engine.errors import LossNotFiniteError
from engine.job import Job, StoppedError
from engine.models import family_part
from engine.tasks import task_part
from engine.training import loop, steps
from engine.training.batches_refit import joined
from engine.training.checkpoint import CheckpointStore
from engine.training.config import GradientConfig
from engine.training.evaluate import answers
from engine.training.network import new_model
from engine.training.prepare import PreparedTrial, prepare
from engine.training.publish import golden_of, shipped_of

_WITHOUT_STEPS: Mapping[str, ParamValue] = {
    "epochs": 12,
    "batch_size": 16,
    "lr": 5e-4,
    "weight_decay": 1e-2,
    "augment": "light",
    "mirror": "no",
}
"""Parameters for families whose head alone was fitted, as fine-tuning has them."""
_EPOCHS_SHARE = 0.5
_LEAST_EPOCHS = 3


@dataclass(frozen=True)
class TrainableModel:
    """A model that can be trained further."""

    job: Job
    work: Path
    """Folder for files that are needed meanwhile."""
    prepared: PreparedTrial
    """With a table of ``soft_targets`` as the targets of training: labels, and what the model itself answers."""
    network: nn.Module
    learned: Sequence[Split]
    """Splits that the model learned from: all their items are items of training here."""
    scores_NL: NDArray[np.float32]
    """The model's answers to them."""

    @classmethod
    def open(cls, job: Job, folder: Path, manifest: ArtefactManifest, session: GraphSession, work: Path) -> TrainableModel:
        """Loads the weights, and computes what the model answers to the items that it learned from.

        Args:
            job: whose version to read.
            folder: of the artefact.
            manifest: of the artefact.
            session: of its graph.
            work: folder for files that are needed meanwhile.

        Raises:
            NoCandidateError: it keeps no weights, or those of several networks.
            StoppedError: the job was asked to stop.
            EngineError: items cannot be read.
        """
        if len(manifest.lineage.members) > 1:
            raise NoCandidateError("several_networks")
        if not (folder / WEIGHTS_FILE).exists():
            raise NoCandidateError("no_weights")
        train = manifest.train.model_copy(update={"start_from": None})
        prepared = joined(prepare(job, train), manifest.learned)
        network = _network(prepared, folder)
        params = {**_WITHOUT_STEPS, **prepared.params}
        params["epochs"] = max(_LEAST_EPOCHS, round(_EPOCHS_SHARE * int(params["epochs"])))
        records = prepared.records[Split.TRAIN]
        scores_NL = answers(session, prepared.items, records, kind=prepared.answers, job=job, span=(0.0, 0.1))
        with_targets = with_soft_targets(replace(prepared, params=params), scores_NL, Recipe(temperature=1.0))
        return cls(job, work, with_targets, network, manifest.learned, scores_NL)

    def student(self, train: TrainConfig) -> TrainableModel:
        """Another network before its training, which is to learn this model's answers.

        Args:
            train: family, size and parameters of that network.

        Raises:
            AssetMissingError: it begins with weights that cannot be had.
            EngineError: items cannot be read.
        """
        prepared = joined(prepare(self.job, train), self.learned)
        torch.manual_seed(self.job.spec.seed)
        network = new_model(prepared, self.job)
        return replace(self, prepared=with_soft_targets(prepared, self.scores_NL, Recipe()), network=network)

    def batch(self, num_items: int) -> tuple[Tensor, Tensor]:
        """Some items of training, drawn evenly, as the network takes them, and their targets."""
        rows = self.prepared.rows(Split.TRAIN)
        places = np.unique(np.linspace(0, len(rows) - 1, num_items, dtype=np.int64))
        items = self.prepared.items
        items_B = items.network_input(torch.from_numpy(items.array[rows[places]]), torch.device("cpu"))
        return items_B, torch.from_numpy(self.prepared.targets[Split.TRAIN][places])

    @property
    def loss(self) -> Callable[[Tensor, Tensor], Tensor]:
        """The training loss: of a network's outputs for a batch against the targets of that batch."""
        assert self.prepared.criterion is not None
        return self.prepared.criterion

    def fine_tuned(self, network: nn.Module, *, span: tuple[float, float]) -> nn.Module:
        """Trains a changed network as the model was trained, for fewer rounds; no item judges, the last weights are kept.

        Args:
            network: as it begins.
            span: share of the whole job that this is, from and to.

        Raises:
            NoCandidateError: training diverged.
            StoppedError: the job was asked to stop.
        """
        prepared, job = self.prepared, self.job
        torch.manual_seed(job.spec.seed)
        config = GradientConfig.of(prepared.params)
        device = steps.device_of(job.spec.device)
        moved: nn.Module = network.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        loader = steps.training_batches(prepared, config, job)
        plan = steps.gradient_plan(moved, prepared, config, loader, job)
        plan = replace(plan, span=span, is_reported=False)
        with TemporaryDirectory(dir=self.work) as folder:
            try:
                fitted = loop.fit(moved, loader, None, plan=plan, job=job, store=CheckpointStore(Path(folder)))
            except LossNotFiniteError as error:
                raise NoCandidateError("diverged") from error
        if isinstance(fitted.halt, StopReason):
            raise StoppedError(fitted.halt)
        return fitted.model.cpu()

    def graph(self, network: nn.Module) -> onnx.ModelProto:
        """A network as it is shipped, with its pre- and post-processing."""
        path = self.work / "trained.onnx"
        graph_export(shipped_of(network.eval(), self.prepared), golden_of(self.prepared), path, cache_dir=self.job.cache_dir)
        return onnx.load(path)


def with_soft_targets(prepared: PreparedTrial, scores_NL: NDArray[np.float32], recipe: Recipe) -> PreparedTrial:
    """The same items with targets that hold a teacher's scores beside the labels, and the loss for them.

    Args:
        prepared: the items with their labels.
        scores_NL: of the items of training, and of others that have no labels.
        recipe: temperature and shares.
    """
    soft_NL = soft_targets.softened(scores_NL, prepared.options, temperature=recipe.temperature)
    table = soft_targets.distillation_targets(prepared.targets[Split.TRAIN], soft_NL)
    targets: Mapping[Split, np.ndarray] = {**prepared.targets, Split.TRAIN: table}
    return replace(prepared, targets=targets, criterion=soft_targets.criterion(prepared.options, recipe))


def _network(prepared: PreparedTrial, folder: Path) -> nn.Module:
    backbone = family_part(prepared.family.name, "network").build(prepared.size.name)
    network: nn.Module = task_part(prepared.task.name, "head").build(backbone, backbone.num_features, len(prepared.labels))
    try:
        network.load_state_dict(load_file(folder / WEIGHTS_FILE))
    except (SafetensorError, RuntimeError) as error:  # of another version of the family
        raise NoCandidateError("no_weights") from error
    return network
