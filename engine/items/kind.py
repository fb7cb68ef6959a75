"""What a kind of items does where models learn from them in batches. A package beside this module each, with its ``KIND``.

The kind makes a reader for one model: of a certain picture size, or with a certain tokenizer. Training, export, judging and
features ask the reader and nobody else. Rows of a table are learned from as a whole: ``engine.training.rows``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from numpy.typing import NDArray
from torch import nn

from automl.contracts.dataset import ItemRecord
from automl.contracts.family import FamilySpec, ParamValue, SizeSpec
from engine.artefact.write import GraphItems
from engine.data.backend import FrozenBackbone
from engine.data.items import PackedItems
from engine.data.packed import Progress
from engine.data.version import DatasetVersion


@dataclass(frozen=True)
class Trial:
    """What a reader is made for."""

    family: FamilySpec
    size: SizeSpec
    params: Mapping[str, ParamValue]
    version: DatasetVersion
    records: Sequence[ItemRecord]
    """To train on."""
    assets_dir: Path


@dataclass(frozen=True)
class FrozenFeatures:
    """How features of a frozen backbone are computed."""

    key: str
    """All that the features of a version depend on besides its items."""
    export: Callable[[nn.Module, Path, int], FrozenBackbone]
    """Backbone, cache folder of the host and number of threads to a runtime; exported unless the host has done so before."""


class ItemReader(GraphItems, Protocol):
    """Reads items for one model."""

    @property
    def decode_values(self) -> Mapping[str, int]:
        """What the task's ``portable.decode`` has to know."""

    @property
    def graph_values(self) -> Mapping[str, int]:
        """What the task's ``portable.Portable`` has to know besides the network and the options."""

    @property
    def pipeline(self) -> str | None:
        """Kind of the pipeline around the graph, which the task's ``PipelinedPortable`` makes; None where there is none."""

    @property
    def target_values(self) -> Mapping[str, int]:
        """What the task's ``data.targets`` has to know besides items, labels and options."""

    def packed(
        self, version: DatasetVersion, cache_dir: Path, *, on_progress: Progress, should_stop: Callable[[], bool]
    ) -> PackedItems:
        """The version's items from the host's cache, read now if this host has not done so.

        Raises:
            EngineError: some cannot be read; ``items`` names them.
            BuildStoppedError: ``should_stop`` returned true.
        """

    def frozen(self, weights: str) -> FrozenFeatures:
        """How a backbone is run over the packed items.

        Args:
            weights: names them by their bytes.
        """


class ItemKind(Protocol):
    """Makes the readers of one kind of items."""

    def reader(self, trial: Trial) -> ItemReader:
        """The reader of a model that is to be trained.

        Raises:
            AssetMissingError: what came with pretrained weights is not in the store and cannot be had.
            EngineError: items cannot be read.
        """

    def continued(self, trial: Trial, decode: Any, folder: Path) -> ItemReader:
        """The reader of a model that goes on from an artefact, which says how items become its input.

        Args:
            trial: the model that is to be trained.
            decode: of the artefact.
            folder: of the artefact.

        Raises:
            JobInvalidError: a file that it needs cannot be read.
        """

    def settled(
        self,
        params: Mapping[str, ParamValue],
        items: PackedItems,
        records: Sequence[ItemRecord],
        targets: NDArray[Any],
        task: str,
    ) -> Mapping[str, ParamValue]:
        """Values of parameters that leave the choice to the items.

        Args:
            params: of the trial.
            items: packed.
            records: to train on.
            targets: of these.
            task: name of the task, whose ``data`` knows what a target stands for.
        """

    def opened(self, decode: Any, folder: Path) -> ItemReader:
        """The reader of an artefact.

        Raises:
            JobInvalidError: a file that it needs cannot be read.
        """

    def is_alike(self, first: tuple[Any, Path], second: tuple[Any, Path]) -> bool:
        """Whether one graph can hold the models of both artefacts, each given by its ``decode`` and folder."""

    def joined(self, readers: Sequence[Any]) -> ItemReader:
        """The reader of such a graph, of those of its models."""
