"""What a batch prediction is tried on: by kind of items a project with some, a model that reads them, and files with faults."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.task import OutputKind
from studio.common.blobs import blobs
from studio.datasets.models import DatasetVersion, Upload
from studio.datasets.uploads.services import upload_append, upload_create
from studio.datasets.versions.manifest import version_commit
from studio.registry.models import Artefact
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.text_artefact_factory import text_artefact_write
from tests.studio.deployments.test_row_deployment import version_make as row_version_make
from tests.studio.studies.material import LABELS, text_version_make, version_make
from tests.support.project_setup import ProjectSetup, ingest, picture, setup_make, zip_of

TABLE = "age;city;income;since;note\n" + "\n".join(f"{20 + n};Graz;{n}00,5;01.02.2021;note {n}" for n in range(30)) + "\n"
"""Of thirty rows."""


@dataclass(frozen=True)
class Material:
    """What a kind of items is tried with."""

    task: str
    options: dict[str, str]
    version: Callable[[ProjectSetup], DatasetVersion]
    model: Callable[[Path], Path]
    files: dict[str, bytes]
    """What is sent: name -> bytes."""
    names: list[str]
    """Of the results of these files, in order."""
    faults: dict[str, str]
    """Those among them that cannot be read, with the code."""


PICTURES = {f"{n}.png": picture(900 + n) for n in range(12)}
MATERIAL = {
    "image": Material(
        "image_classification",
        {},
        version_make,
        lambda folder: artefact_write(folder, labels=LABELS),
        {
            "holiday.zip": zip_of({**PICTURES, "broken.png": picture(1)[:60], "notes.txt": b"no picture"}),
            "single.png": picture(999),
        },
        [*PICTURES, "broken.png", "notes.txt", "single.png"],
        {"broken.png": "damaged_picture", "notes.txt": "text_among_pictures"},
    ),
    "text": Material(
        "text_classification",
        {},
        text_version_make,
        lambda folder: text_artefact_write(folder, labels=LABELS),
        {
            "mail.zip": zip_of({"a.txt": b"a cat", "b.txt": "=猫 and dog".encode("gb18030"), "c.txt": b"\x00\x01\x02"}),
            "said.jsonl": b'{"text": "one cat"}\n{"text": "two dogs"}\n',
        },
        ["a.txt", "b.txt", "c.txt", "said.jsonl#2", "said.jsonl#3"],
        {"c.txt": "not_a_text"},
    ),
    "row": Material(
        "tabular_prediction",
        {"predicts": "category"},
        lambda setup: row_version_make(setup, OutputKind.CLASS_SCORES),
        row_artefact_write,
        {"guests.csv": TABLE.encode(), "notes.bin": b"no table"},
        [*(f"guests.csv#{n}" for n in range(2, 32)), "notes.bin"],
        {"notes.bin": "table_kind_unknown"},
    ),
}
"""By the names of ``predictions.items``."""


def setup_of(kind: str, email: str = "ada@example.org") -> ProjectSetup:
    """A project of a kind, of a person of its own."""
    return setup_make(email=email, task=MATERIAL[kind].task, options=MATERIAL[kind].options)


def artefact_place(setup: ProjectSetup, version: DatasetVersion, folder: Path, *, number: int = 1) -> Artefact:
    """The model whose files lie in a folder, as one of the project."""
    tree = f"artefacts/{uuid4().hex}"  # what one name stood for once is kept by hosts
    blobs().put_tree(tree, folder)
    return Artefact.objects.create(
        project=setup.project,
        number=number,
        version=version,
        tree=tree,
        manifest=ArtefactManifest.read(folder / MANIFEST_FILE).model_dump(mode="json"),
        latency_ms=2,
        model_bytes=3,
        size_bytes=4,
    )


def sent(setup: ProjectSetup, name: str, data: bytes) -> Upload:
    """A file that waits for a prediction, all of it."""
    upload = upload_create(dataset=setup.dataset, actor=setup.actor, name=name, size_bytes=len(data), kind="predict")
    return upload_append(upload=upload, offset=0, chunks=[data])


def drawn_setup(folder: Path, task: str, output: OutputKind) -> tuple[ProjectSetup, Artefact]:
    """A project of pictures on which objects are drawn, with a model."""
    setup = setup_make(task=task)
    setup.labels(*LABELS)
    place = {"bbox": [1, 2, 10, 12], "segmentation": [[1, 2, 11, 2, 11, 14, 1, 14]]}
    if output is OutputKind.BOXES:
        del place["segmentation"]
    coco = {
        "images": [{"id": n, "file_name": f"{n}.png", "width": 40, "height": 30} for n in range(4)],
        "categories": [{"id": n, "name": name} for n, name in enumerate(LABELS)],
        "annotations": [{"id": n, "image_id": n, "category_id": n % 2, **place} for n in range(4)],
    }
    files = {f"{n}.png": picture(n) for n in range(4)} | {"annotations.json": json.dumps(coco).encode()}
    ingest(setup.dataset, zip_of(files), labels="coco")
    version = version_commit(dataset=setup.dataset, actor=setup.actor)[0]
    return setup, artefact_place(setup, version, artefact_write(folder, labels=LABELS, output=output))
