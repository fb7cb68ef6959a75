"""What the endpoints of devices take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import Field

from studio.common.models import ID_LENGTH
from studio.common.moments import Moment
from studio.deployments.schemas import ExportedGalleryOut
from studio.devices.models import KEY_LENGTH, NAME_LENGTH, DeviceRolloutState
from studio.jobs.schemas import JobErrorOut

Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH, pattern=r"\S")]
Ms = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=2_000_000_000)]
Text40 = Annotated[str, Field(max_length=40)]
Id = Annotated[str, Field(max_length=ID_LENGTH)]
State = Annotated[dict[Text40, Id | Count], Field(max_length=10)]
"""Of something that goes with a model (``runtime.attachments``)."""
TELLS_GALLERIES = 2
"""Version of agents from which on they tell galleries apart; later ones say what they tell."""


class JoinCodeOut(Schema):
    """A code, shown this once."""

    code: str
    command: str
    """What to run in the folder of the device bundle."""
    expires_at: datetime


class DeviceModelOut(Schema):
    """A model by its name."""

    id: str
    number: int
    name: str


class DeviceAttachmentOut(Schema):
    """Something that a device has beside its model."""

    kind: str
    """``gallery``: with whose names it answers. ``templates``: those of the project's forms."""
    id: str | None
    """Which one, of kinds of which a project has several; None where it was deleted here, and of other kinds."""
    name: str | None
    """The same as people call it."""
    is_behind: bool
    """Whether it has changed here since the device got it."""


class DeviceAttachmentBehindOut(Schema):
    """Devices that have an earlier state of something, and are not to get the present one yet."""

    kind: str
    id: str | None
    name: str | None
    num_devices: int
    artefact: DeviceModelOut | None
    """The model that it needs now, where devices have another one and get this one with it."""


class DeviceAttachmentIn(Schema):
    """What goes to the devices that have an earlier state of it, as it is now."""

    kind: str
    id: str | None = None
    """Which one, of kinds of which a project has several."""


class DevicesAssignedOut(Schema):
    """How many devices have something to install."""

    num_devices: int


class DeviceErrorOut(Schema):
    """Why the newest assignment was given up."""

    code: str
    detail: str


class DeviceDroppedOut(Schema):
    """What a device had no disk for, ever."""

    usage: int = 0
    item: int = 0


class DeviceUseOut(Schema):
    """Calls of the last day, and how long the newest ones took."""

    num_calls: int
    num_failed: int
    p50_ms: float | None
    p95_ms: float | None


class DeviceOut(Schema):
    """A device."""

    id: str
    project: str
    name: str
    state: Literal["waiting", "online", "starting", "updating", "failed", "offline"]
    """``waiting``: it has joined and was not heard of since."""
    last_seen_at: datetime | None
    artefact: DeviceModelOut | None
    """What answers there; None where that is no model of the platform any more."""
    attached: list[DeviceAttachmentOut]
    """What it has beside the model."""
    assigned: DeviceModelOut | None
    """What it is to install; None once it has it."""
    assigned_gallery: ExportedGalleryOut | None
    """The gallery that comes with it."""
    backend: str
    memory_mib: float | None
    num_restarts: int
    num_waiting: int
    num_dropped: DeviceDroppedOut
    error: DeviceErrorOut | None
    sends_inputs: bool
    facts: dict[str, str]
    use: DeviceUseOut
    created_at: datetime


class DevicePatchIn(Schema):
    """What to change; what is left out stays."""

    name: Name | None = None
    sends_inputs: bool | None = None


class DeviceAssignIn(Schema):
    """A model for a device."""

    artefact: str
    gallery: str | None = None
    """Of a model that answers with vectors: the gallery with whose names the device is to answer, as it is now."""
    allows_other_labels: bool = False


class DeviceRolloutIn(Schema):
    """A model for all devices of a project."""

    artefact: str
    gallery: str | None = None
    """As for one device."""
    first: str | None = None
    """The device that tries it before the others; None: all at once."""
    allows_other_labels: bool = False


class DeviceRolloutOut(Schema):
    """The newest rollout of a project."""

    id: str
    artefact: DeviceModelOut
    gallery: ExportedGalleryOut | None
    """With whose names the devices answer then."""
    first: str | None
    """Name of the device that tries it first."""
    first_id: str | None
    """Its id: with ``artefact``, ``gallery`` and ``allows_other_labels`` what begins the same rollout again."""
    allows_other_labels: bool
    state: DeviceRolloutState
    error: DeviceErrorOut | None
    """Why the first one gave it up."""
    build_error: JobErrorOut | None
    """Why it could not be built."""
    num_done: int
    """Devices that serve it."""
    num_devices: int
    created_at: datetime


class DeviceJoinIn(Schema):
    """What a device sends to join."""

    code: Annotated[str, Field(min_length=1, max_length=100)]
    name: Name
    version: Count
    model: Id = ""
    facts: Annotated[dict[Text40, Annotated[str, Field(max_length=200)]], Field(max_length=20, default_factory=dict)]


class DeviceJoinOut(Schema):
    """Its key, shown this once."""

    device: str
    name: str
    key: str


class DeviceErrorIn(Schema):
    """Why an assignment was given up."""

    code: Annotated[str, Field(max_length=64)]
    detail: Annotated[str, Field(max_length=600)] = ""


class DeviceGalleryState(Schema):
    """A gallery at a moment."""

    id: Id
    revision: Count


class DeviceBeatIn(Schema):
    """How a device is."""

    version: Count
    state: Literal["starting", "serving", "updating", "failed"]
    model: Id
    attached: Annotated[dict[Text40, State | None], Field(max_length=10)] | None = None
    """The state of each kind of things that go with the model; None where there is none of the kind."""
    gallery: DeviceGalleryState | None = None
    """What agents of version 2 say in its place."""
    backend: Text40 = ""
    memory_mib: Ms | None = None
    num_restarts: Count = 0
    num_waiting: Count = 0
    num_dropped: DeviceDroppedOut = DeviceDroppedOut()
    attempt: Count | None = None
    """The assignment that ``error`` is about."""
    error: DeviceErrorIn | None = None

    def states(self) -> dict[str, Any]:
        """What goes with the model there, of the kinds that the device can tell."""
        if self.attached is not None:
            return dict(self.attached)
        return {"gallery": self.gallery and self.gallery.model_dump()} if self.version >= TELLS_GALLERIES else {}


class DeviceAssignedOut(Schema):
    """A model update to install."""

    model: str
    attached: dict[str, dict[str, Any] | None]
    """What goes with the model, by kind: the device has installed the update when both answer."""
    gallery: dict[str, Any] | None
    """The same of galleries alone, for agents of version 2."""
    attempt: int
    path: str
    sha256: str
    size_bytes: int
    allows_other_labels: bool


class DeviceBeatOut(Schema):
    """Settings of a device, and the model that is assigned to it."""

    assigned: DeviceAssignedOut | None
    sends_inputs: bool
    poll_s: int
    collect_s: int
    """How often it looks into its server's log."""


class DeviceUsageIn(Schema):
    """Calls of a while."""

    id: Annotated[str, Field(min_length=1, max_length=KEY_LENGTH)]
    begins_at: Moment
    ends_at: Moment
    model: Id
    num_calls: Count
    num_failed: Count
    p50_ms: Ms | None
    p95_ms: Ms | None
    p99_ms: Ms | None


class DeviceItemIn(Schema):
    """An input with the model's prediction."""

    id: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """SHA-256 of the input."""
    at: Moment
    artefact: Id
    held: list[dict[str, Any]] | None = None
    uncertainty: Annotated[float, Field(ge=0, le=1)] | None = None


class ReceivedOut(Schema):
    """Something that a device sent has arrived."""

    is_new: bool
    """Whether for the first time: a device may send twice."""


class MeasurementIn(Schema):
    """What was measured, as ``bench`` prints it."""

    device: Name
    backend: Text40
    environment: Annotated[str, Field(max_length=200)] = ""
    num_runs: Annotated[int, Field(ge=1, le=100_000_000)]
    p50_ms: Ms
    p95_ms: Ms
    p99_ms: Ms
    per_second: Ms
    memory_mib: Ms | None = None


class DeviceMeasurementIn(MeasurementIn):
    """The same from a device, with the model."""

    model: Id


class MeasurementOut(Schema):
    """What a model took on a machine."""

    id: str
    device: str
    backend: str
    environment: str
    num_runs: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    per_second: float
    memory_mib: float | None
    created_at: datetime
