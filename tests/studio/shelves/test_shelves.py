"""Shelves: a detector's boxes, a gallery's names, and an unknown pack that becomes a known product."""

from __future__ import annotations

import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from automl.contracts.task import OutputKind
from studio.accounts.models import Workspace
from studio.deployments.models import Deployment
from studio.galleries.models import Gallery
from studio.projects.services import project_create
from studio.shelves.checking import packs_named
from tests.exporters.artefact_factory import artefact_write
from tests.studio.galleries.test_galleries import add, client, colour, deployment, gallery, models, setup  # noqa: F401
from tests.studio.predictions.material import artefact_place
from tests.studio.studies.material import version_make

pytestmark = pytest.mark.django_db
PACKS = {"mug": (10, 100), "bowl": (70, 100), "jar": (130, 100)}
"""Where the picture of a thing lies in the photo; each is 40 pixels wide and high."""
SEEDS = {"mug": 1, "bowl": 2, "jar": 3}


@pytest.fixture
def detector(setup, tmp_path):  # noqa: F811 - the fixture
    folder = artefact_write(tmp_path / "boxes", output=OutputKind.BOXES)
    artefact = artefact_place(setup, version_make(setup, num_items=8), folder, number=9)
    return Deployment.objects.create(
        workspace=setup.workspace, project=setup.project, artefact=artefact, name="F", slug="f", created_by="x"
    )


@pytest.fixture
def shelf(client, setup, detector, gallery):  # noqa: F811
    body = {"name": "Kitchen", "deployment": detector.id, "gallery": gallery["id"], "plan": {"mug": 2, "plate": 1}}
    reply = client.post(f"/api/projects/{setup.project.id}/shelves", body, content_type="application/json")
    assert reply.status_code == 201, reply.content
    return reply.json()


def photo():
    """The things side by side, as PNG."""
    picture = Image.new("RGB", (200, 160), (128, 128, 128))
    for name, place in PACKS.items():
        picture.paste(Image.open(io.BytesIO(colour(SEEDS[name]))), place)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def box(name):
    return {"x": PACKS[name][0], "y": PACKS[name][1], "width": 40, "height": 40}


def named(gallery, plan):  # noqa: F811
    found = [{"kind": "box", "label": "pack", "score": 0.9, **box(name)} for name in PACKS]
    outside = {"kind": "box", "label": "pack", "score": 0.3, "x": 300, "y": 10, "width": 5, "height": 5}
    return packs_named(Gallery.objects.get(id=gallery["id"]), "a.png", photo(), [*found, outside], plan)


def packs_send(client, shelf, name, *boxes):  # noqa: F811
    form = {"name": name, "boxes": json.dumps(boxes), "file": SimpleUploadedFile("a.png", photo())}
    return client.post(f"/api/shelves/{shelf['id']}/packs", form)


def test_packs_are_named_and_an_unknown_one_becomes_a_product_by_one_click(client, gallery, shelf):  # noqa: F811
    for name in ("mug", "bowl"):
        add(client, gallery, name, colour(SEEDS[name], shift=3))
    checked = named(gallery, shelf["plan"])
    assert [pack.name for pack in checked.packs] == ["mug", "bowl", None]
    assert (checked.width, checked.height, checked.report.num_rows) == (200, 160, 1)
    assert checked.packs[2].match is not None, "what it is most like is said all the same"
    by_name = {each.name: each for each in checked.report.products}
    assert {name: (each.count, each.missing) for name, each in by_name.items()} == {
        "mug": (1, 1),
        "bowl": (1, 0),
        "plate": (0, 1),
    }
    assert checked.report.unknown.share == pytest.approx(1 / 3)
    added = packs_send(client, shelf, "jar", box("jar"))
    assert [each["name"] for each in added.json()] == ["jar"]
    assert [pack.name for pack in named(gallery, {}).packs] == ["mug", "bowl", "jar"]


def test_what_is_no_part_of_the_photo_is_not_added(client, gallery, shelf):  # noqa: F811
    far = {**box("jar"), "x": 500}
    assert packs_send(client, shelf, "jar", box("jar"), far).json()["code"] == "shelf_box_outside"
    assert packs_send(client, shelf, "jar").status_code == 422
    assert client.get(f"/api/galleries/{gallery['id']}").json()["num_entries"] == 0


def test_a_shelf_joins_what_fits_and_says_what_it_lacks(client, setup, shelf, detector, deployment, gallery):  # noqa: F811
    address = f"/api/shelves/{shelf['id']}"

    def change(**body):
        return client.patch(address, body, content_type="application/json").json()

    assert change(deployment=deployment.id)["code"] == "shelf_model_unfit"
    assert change(plan={"mug": 0})["code"] == "invalid_input"
    assert change(name="Bath", plan={"soap": 3})["plan"] == {"soap": 3}
    elsewhere = Workspace.objects.create(name="Other")
    Gallery.objects.filter(id=gallery["id"]).update(
        project=project_create(workspace=elsewhere, name="P", description="", task="image_similarity", actor=setup.actor)
    )
    assert client.get(address).json()["gallery"] is None, "nobody learns of what they do not see"
    assert client.post(f"{address}/check", {"file": SimpleUploadedFile("a.png", photo())}).status_code == 404
    Gallery.objects.all().delete()
    assert packs_send(client, shelf, "jar", box("jar")).json()["code"] == "shelf_incomplete"
    assert [each["name"] for each in client.get(f"/api/projects/{setup.project.id}/shelves").json()["items"]] == ["Bath"]
    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == 404
    assert Deployment.objects.filter(id=detector.id).exists()


def test_a_gallery_is_filled_with_labelled_pictures_until_each_name_has_enough(client, gallery, deployment):  # noqa: F811
    address = f"/api/galleries/{gallery['id']}"

    def fill(per_name):
        return client.post(f"{address}/items", {"per_name": per_name}, content_type="application/json").json()

    first = fill(1)
    names = client.get(address).json()["num_names"]
    assert first == {"count": names, "left": 0}
    assert names > 1
    assert fill(1) == {"count": 0, "left": 0}
    assert fill(2)["count"] == names
