"""The model of this bundle, and that of an update as soon as it is installed; calls in flight keep the one they began with."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace

from .runtime.backend_choice import ChosenModel
from .runtime.errors import RuntimeFault
from .runtime.serving import file_stamp
from .runtime.state import Deployment, FixedSource, Settings, Snapshot, deployments_index
from .runtime.updates import Current, InstalledModels

POLL_EVERY_S = 1.0

logger = logging.getLogger(__name__)


class InstalledSource(FixedSource):
    """Follows ``models/current.json``; a model that cannot be loaded never replaces one that answers."""

    settling_s = POLL_EVERY_S + 0.5

    def __init__(
        self, models: InstalledModels, deployment: Deployment, snapshot: Snapshot, load: Callable[[Current], ChosenModel]
    ) -> None:
        super().__init__(snapshot)
        self._models = models
        self._deployment = deployment
        self._load = load
        self._stamp = file_stamp(models.current_file)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="installed", daemon=True)

    def start(self) -> None:
        """Begins to watch."""
        self._thread.start()

    def stop(self) -> None:
        """Stops watching."""
        self._stopping.set()
        self._thread.join()

    def refresh(self) -> None:
        """Looks once and takes over the model when another one is installed."""
        seen = file_stamp(self._models.current_file)
        if seen == self._stamp:
            return
        self._stamp = seen
        current = self._models.current()
        if str(current.artefact_dir) == self._deployment.settings.artefact_dir:
            return
        chosen = self._load(current)
        self._deployment = deployment_of(self._deployment.settings, current, chosen)
        self.snapshot = replace(self.snapshot, deployments=deployments_index([self._deployment]))
        logger.info("%s answers now", current.model)

    def _run(self) -> None:
        while not self._stopping.wait(POLL_EVERY_S):
            try:
                self.refresh()
            except (RuntimeFault, OSError):
                logger.exception("the model that was installed cannot be loaded; the one before goes on answering")


def deployment_of(settings: Settings, current: Current, chosen: ChosenModel) -> Deployment:
    """The bundle's one address with a model behind it."""
    own = replace(settings, artefact=current.model, artefact_dir=str(current.artefact_dir))
    return Deployment(own, chosen.predictor, tried=chosen.tried)
