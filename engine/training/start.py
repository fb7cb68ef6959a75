"""Training that goes on from an earlier model: its weights, and of its head the outputs of the labels that are still there.

What is added to the labels begins as in a new model, what was removed is dropped, and their order may have changed. A text is
read by the earlier model's tokenizer, because a weight belongs to an id.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from safetensors.torch import load_file
from torch import Tensor, nn

from automl.contracts.artefact import MANIFEST_FILE, WEIGHTS_FILE, ArtefactManifest
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.job import LEARNED_FILE, START_DIR
from automl.contracts.task import OutputKind
from engine.errors import EngineError
from engine.job import Job
from engine.training.config import StartUnsuitableError, TrainingRequest
from engine.training.freezing import HasLabelLayers
from engine.weight_names import renamed_weights

SEEN = "start_seen"
"""Code of the warning that what judges was learned before."""


class StartWeightsMissingError(EngineError):
    """The earlier model keeps no weights to go on from."""

    code = "start_weights_missing"
    hint = "Choose another model, or start with a new one."


@dataclass(frozen=True)
class Start:
    """The earlier model."""

    folder: Path
    manifest: ArtefactManifest

    def load(self, model: nn.Module, labels: Sequence[str]) -> None:
        """Puts the weights into a new model.

        Args:
            model: for the labels; what the earlier model did not have stays as it is.
            labels: names in the order of the outputs.

        Raises:
            StartWeightsMissingError: the artefact has none.
            StartUnsuitableError: they are of another network.
        """
        try:
            stored = load_file(self.folder / WEIGHTS_FILE)
        except FileNotFoundError as error:
            raise StartWeightsMissingError("The model to start from keeps no weights.") from error
        if len(self.manifest.lineage.members) > 1:  # a mean holds its members by their places, the best first
            stored = {name.removeprefix("0."): tensor for name, tensor in stored.items() if name.startswith("0.")}
        model.load_state_dict(continued(model, stored, self.manifest.label_set.names, labels))

    def warn_if_seen(self, records: Mapping[Split, Sequence[ItemRecord]], job: Job) -> None:
        """Warns of held-back items from which the earlier model learned: metrics on them would be too good."""
        learned = _learned(job)
        held_back = [*records[Split.VALIDATION], *records[Split.TEST]]
        num_seen = sum(record.blob in learned for record in held_back)
        if num_seen:
            message = f"{num_seen} of {len(held_back)} held-back items were learned by the model that training started from."
            job.events.warning(SEEN, f"{message} The figures flatter the new one.")


def start_of(request: TrainingRequest, output: OutputKind, job: Job) -> Start | None:
    """The earlier model that training goes on from; None where it begins anew.

    Args:
        request: what is trained.
        output: kind of its answers.
        job: whose folder holds the artefact.

    Raises:
        StartUnsuitableError: there is none, or it is of another task, family, size or kind of answers.
    """
    if request.train.start_from is None:
        return None
    folder = job.workdir / START_DIR / request.train.start_from
    try:
        manifest = ArtefactManifest.read(folder / MANIFEST_FILE)
    except (OSError, ValidationError) as error:
        raise StartUnsuitableError(f"The model to start from cannot be read: {error}") from error
    own = (request.task.name, request.family.name, request.size.name, output)
    if (manifest.task, manifest.train.family, manifest.train.size, manifest.output) != own:
        raise StartUnsuitableError(
            f"The model to start from is a {manifest.train.family} {manifest.train.size} for {manifest.task} "
            f"that answers with {manifest.output}."
        )
    return Start(folder, manifest)


def continued(model: nn.Module, stored: Mapping[str, Tensor], known: Sequence[str], labels: Sequence[str]) -> dict[str, Tensor]:
    """The weights of a new model that knows what an earlier one knew.

    Args:
        model: the new one; its ``label_layers`` say where the outputs of labels are.
        stored: weights of the earlier one.
        known: its labels.
        labels: those of the new one.

    Raises:
        StartUnsuitableError: the weights are of another network.
    """
    assert isinstance(model, HasLabelLayers)  # every task's model is one
    own, stored = model.state_dict(), renamed_weights(model, stored)
    if own.keys() != stored.keys():
        raise StartUnsuitableError("The weights of the model to start from are those of another network.")
    found = {}
    for name, fresh in own.items():
        layout = next((layout for layer, layout in model.label_layers.items() if name.startswith(f"{layer}.")), None)
        tensor = stored[name] if layout is None else _outputs(fresh, stored[name], layout, known, labels)
        if tensor.shape != fresh.shape:
            raise StartUnsuitableError(f"{name} of the model to start from has the shape {tuple(tensor.shape)}.")
        found[name] = tensor
    return found


def _outputs(
    fresh: Tensor, stored: Tensor, layout: tuple[int, int, int], known: Sequence[str], labels: Sequence[str]
) -> Tensor:
    """One tensor of a layer with an output a label, its outputs first."""
    groups, before, behind = layout
    if len(stored) != groups * (before + len(known) + behind):
        raise StartUnsuitableError("The head of the model to start from has other outputs than its labels.")
    new, old = fresh.clone().unflatten(0, (groups, -1)), stored.unflatten(0, (groups, -1))
    new[:, :before] = old[:, :before]
    new[:, before + len(labels) :] = old[:, before + len(known) :]
    for place, label in enumerate(labels):
        if label in known:
            new[:, before + place] = old[:, before + known.index(label)]
    return new.flatten(0, 1)


def _learned(job: Job) -> Collection[str]:
    try:
        return set((job.workdir / START_DIR / LEARNED_FILE).read_text(encoding="ascii").split())
    except FileNotFoundError:
        return ()
