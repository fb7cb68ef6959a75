"""What the tests of datasets and labelling share: pictures made by code, archives, a project, people, a reporter."""

from __future__ import annotations

import io
import random
import tarfile
import zipfile
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from automl.contracts.dataset import Label
from studio.accounts.access import SYSTEM, Principal, principal_of_user
from studio.accounts.models import Membership, User, Workspace
from studio.accounts.roles import Role
from studio.accounts.services import user_sign_up
from studio.common.blobs import blobs
from studio.datasets.files.table_options import TableOptions
from studio.datasets.handlers import job_run
from studio.datasets.models import Dataset, Upload
from studio.datasets.uploads.services import upload_append, upload_create, upload_finish
from studio.jobs.models import Job
from studio.projects.models import Project
from studio.projects.services import labels_set, project_create

PASSWORD = "a-long-passphrase-7"


def picture(seed: int, *, size: tuple[int, int] = (40, 30), form: str = "PNG", mode: str = "RGB", **options: object) -> bytes:
    """A picture whose bytes differ for each seed."""
    return _drawn(seed, size, form, mode, **options) if options else _drawn_once(seed, size, form, mode)


def _drawn(seed: int, size: tuple[int, int], form: str, mode: str, **options: object) -> bytes:
    noise = random.Random(seed).randbytes(size[0] * size[1] * 3)
    out = io.BytesIO()
    image = Image.frombytes("RGB", size, noise)
    image = image.convert("I").convert(mode) if mode == "I;16" else image.convert(mode)
    image.save(out, form, **options)
    return out.getvalue()


_drawn_once = cache(_drawn)


def zip_of(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def tar_of(files: dict[str, bytes], *, compression: str = "gz") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=f"w:{compression}") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


@dataclass
class InMemoryReporter:
    """Keeps what a job says."""

    lines: list[str] = field(default_factory=list)
    fractions: list[float] = field(default_factory=list)

    def progress(self, stage: str, fraction: float, remaining_s: float | None = None) -> None:
        assert stage
        assert remaining_s is None or remaining_s >= 0
        self.fractions.append(fraction)

    def log(self, text: str) -> None:
        self.lines.append(text)

    def warn(self, code: str, message: str) -> None:
        self.lines.append(f"{code}: {message}")

    def check_cancelled(self) -> None:
        return None


@dataclass
class ProjectSetup:
    """A project with its people."""

    project: Project
    dataset: Dataset
    owner: User
    workspace: Workspace

    @property
    def actor(self) -> Principal:
        return principal_of_user(self.owner)

    def client(self, user: User | None = None) -> Client:
        client = Client()
        client.force_login(user or self.owner)
        return client

    def member(self, name: str, role: Role = Role.LABELLER) -> User:
        user = user_sign_up(email=f"{name}@example.org", password=PASSWORD, name=name)
        Membership.objects.create(workspace=self.workspace, user=user, role=role.value)
        return user

    def labels(self, *names: str) -> None:
        self.project = labels_set(project=self.project, labels=[Label(name=name) for name in names], actor=self.actor)
        self.dataset.project = self.project

    def refresh(self) -> None:
        self.project.refresh_from_db()
        self.dataset.project = self.project


def setup_make(
    *, email: str = "ada@example.org", task: str = "image_classification", options: dict[str, str] | None = None
) -> ProjectSetup:
    owner = user_sign_up(email=email, password=PASSWORD, name="Ada")
    workspace = Workspace.objects.get(id=Membership.objects.get(user=owner).workspace_id)
    project = project_create(
        workspace=workspace,
        name="Flowers",
        task=task,
        actor=principal_of_user(owner),
        task_options=options or {},
    )
    dataset = Dataset.objects.select_related("project").get(project=project)
    return ProjectSetup(project=project, dataset=dataset, owner=owner, workspace=workspace)


def upload_sealed(
    dataset: Dataset,
    data: bytes,
    *,
    name: str,
    kind: str = "archive",
    labels: str = "none",
    label: str = "",
    table: TableOptions | None = None,
    actor: Principal = SYSTEM,
) -> tuple[Upload, Job]:
    """Sends bytes as one part and finishes."""
    upload = upload_create(dataset=dataset, actor=actor, name=name, size_bytes=len(data), kind=kind, label=label)
    upload_append(upload=upload, offset=0, chunks=[data])
    return upload_finish(upload=Upload.objects.get(id=upload.id), labels=labels, table=table)


def ingest(dataset: Dataset, data: bytes, *, name: str = "pictures.zip", actor: Principal = SYSTEM, **options: Any) -> Upload:
    """Sends bytes and reads them as the worker does."""
    upload, job = upload_sealed(dataset, data, name=name, actor=actor, **options)
    job_run(Job.objects.get(id=job.id), InMemoryReporter())
    return Upload.objects.get(id=upload.id)


@pytest.fixture
def home(tmp_path, settings):
    """Everything that is written lies below the test's own folder."""
    settings.HOME = tmp_path
    settings.BLOBS_DIR = tmp_path / "blobs"
    settings.CACHE_DIR = tmp_path / "cache"
    settings.SERVING_DIR = tmp_path / "serving"
    blobs.cache_clear()
    yield tmp_path
    blobs.cache_clear()


@pytest.fixture
def setup(db, home) -> ProjectSetup:
    """A project where a picture carries one label."""
    return setup_make()


@pytest.fixture
def setup_of_several(db, home) -> ProjectSetup:
    """A project where a picture may carry several labels."""
    return setup_make(email="grace@example.org", options={"labels": "several"})
