"""A model for all devices, tried by one of them first: the others follow, or keep what they have."""

from __future__ import annotations

import pytest
from django.test import Client

from studio.common.blobs import blobs
from studio.deployments.models import Export
from studio.devices.models import Device
from studio.devices.schemas import DeviceJoinIn
from studio.devices.services import device_join, join_code_make
from tests.studio.studies.material import artefact_make, version_make
from tests.support.project_setup import setup_make

JSON = "application/json"


@pytest.fixture
def gates(db, home):
    """A project with a model and two devices: the setup, the model's id, and each device with its own client."""
    setup = setup_make()
    artefact = artefact_make(setup, version_make(setup))
    devices = []
    for name in ("north", "south"):
        _, code = join_code_make(project=setup.project, actor=setup.actor)
        device, key = device_join(DeviceJoinIn(code=code, name=name, version=1, facts={}))
        devices.append((device, Client(headers={"Authorization": f"Bearer {key}"})))
    return setup, artefact.id, devices


def begin(setup, artefact, first):
    address = f"/api/projects/{setup.project.id}/devices/rollout"
    return setup.client().post(address, {"artefact": artefact, "first": first.id}, content_type=JSON)


def beat(client, device, **values):
    attempt = Device.objects.get(id=device.id).attempt
    body = {"version": 1, "state": "serving", "model": "", "attempt": attempt, **values}
    answer = client.post("/api/device/beat", body, content_type=JSON)
    assert answer.status_code == 200, answer.content


def assigned():
    return dict(Device.objects.values_list("name", "assigned__artefact"))


def test_the_others_follow_when_the_first_serves_the_model(gates):
    setup, artefact, ((north, of_north), (south, of_south)) = gates
    own = {"artefact_id": artefact, "target": "model_update", "blob": blobs().put_bytes(b"names too").sha256}
    with_gallery = Export.objects.create(project=setup.project, gallery={"id": "gal_1", "name": "packs"}, created_by="x", **own)
    begun = begin(setup, artefact, north)
    assert (begun.status_code, begun.json()["state"], begun.json()["first"]) == (201, "first", "north")
    beat(of_north, north, state="updating")
    beat(of_south, south)
    assert assigned() == {"north": artefact, "south": None}, "nobody follows who only began"
    beat(of_north, north, model=artefact)
    assert assigned() == {"north": artefact, "south": artefact}
    shown = setup.client().get(f"/api/projects/{setup.project.id}/devices/rollout").json()
    assert (shown["state"], shown["num_done"], shown["num_devices"]) == ("everywhere", 1, 2)
    assert Export.objects.exclude(id=with_gallery.id).count() == 1, "all install one update, that of the model alone"


def test_the_others_keep_what_they_have_when_the_first_fails(gates):
    setup, artefact, ((north, of_north), (south, of_south)) = gates
    assert begin(setup, artefact, north).status_code == 201
    beat(of_north, north, state="failed", error={"code": "update_selftest_failed", "detail": "0.3 apart"})
    beat(of_south, south)
    assert assigned() == {"north": artefact, "south": None}
    shown = setup.client().get(f"/api/projects/{setup.project.id}/devices/rollout").json()
    assert shown["state"] == "failed"
    assert begin(setup, artefact, south).status_code == 201, "another try may begin"
