"""A device from the join code to its removal: the real bundle and agent, against the real server, over a line that is cut."""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import httpx
import psutil
import pytest

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.report import REPORT_FILE
from automl.contracts.task import OutputKind
from exporters.build import build
from exporters.gallery import gallery_join
from studio.common.blobs import blobs
from studio.datasets.models import Item
from studio.deployments.exports import attachment_states
from studio.deployments.models import Deployment, Export
from studio.devices import agent_api
from studio.devices.models import Device, DeviceUsage, Measurement
from studio.galleries.exported import exported_gallery
from studio.galleries.models import Gallery
from studio.galleries.services import NamedPicture, entries_add, gallery_create
from studio.jobs.handlers import job_run
from studio.registry.models import Artefact
from studio.templates.services import MarkedForm, template_add, template_delete
from tests.exporters.artefact_factory import LABELS, artefact_write, picture_bytes
from tests.exporters.prediction_server import wait_for
from tests.exporters.sabotage import reseal
from tests.studio.predictions.material import artefact_place
from tests.studio.studies.material import report_make, version_make
from tests.support.platform_process import free_ports
from tests.support.project_setup import InMemoryReporter, setup_make


class Line:
    """The network between device and platform: a port that passes everything on, until it is cut."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._sockets: set[socket.socket] = set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self.is_cut = True
        for each in list(self._sockets):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            if self.is_cut:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self._target))
            self._sockets |= {near, far}
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(source, sink), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                sink.sendall(data)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            self._sockets.discard(each)

    def close(self) -> None:
        self.cut()
        self._listening.close()


class Gate:
    """The device: the unpacked bundle with its agent."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.url = f"http://127.0.0.1:{port}"
        self._arguments = ["--port", str(port), "--settle-s", "0.5"]
        self._environment = {**os.environ, "VENV": sys.prefix, "PYTHONPATH": ""}
        self.agent: subprocess.Popen | None = None
        self.num_answered = 0

    def call(self, *arguments: str, program: str = "modelyard-edge") -> subprocess.CompletedProcess[str]:
        command = [str(self.folder / program), *arguments]
        return subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False)

    def run(self) -> None:
        command = [str(self.folder / "modelyard-edge"), "run", *self._arguments]
        with (self.folder / "agent.log").open("ab") as log:
            self.agent = subprocess.Popen(command, env=self._environment, stderr=log, stdout=log)

    def kill_agent(self) -> None:
        self.agent.kill()
        self.agent.wait()

    def server(self) -> psutil.Process:
        return psutil.Process(json.loads((self.folder / "device/server.json").read_text())["pid"])

    def predict(self, picture: bytes) -> dict | None:
        try:
            answer = httpx.post(f"{self.url}/v1/deployments/gate/predict", content=picture)
        except httpx.TransportError:
            return None
        if answer.status_code != 200:
            return None
        self.num_answered += 1
        return answer.json()

    def stop(self) -> None:
        if self.agent is not None and self.agent.poll() is None:
            self.agent.terminate()
            assert self.agent.wait(60) == 0
        with suppress(psutil.NoSuchProcess, FileNotFoundError):
            self.server().kill()


@pytest.fixture
def setup(transactional_db, home, monkeypatch):
    monkeypatch.setattr(agent_api, "POLL_S", 1)
    monkeypatch.setattr(agent_api, "COLLECT_S", 1)
    return setup_make()


@pytest.fixture
def models(setup, tmp_path) -> list[Artefact]:
    """One that compares pictures, and two that answer with labels, as that one does with a gallery."""
    version = version_make(setup)
    kinds = {12: OutputKind.VECTOR, 7: OutputKind.LABEL_SCORES, 3: OutputKind.LABEL_SCORES}
    folders = {n: artefact_write(tmp_path / str(n), seed=n, output=output) for n, output in kinds.items()}
    manifest = ArtefactManifest.read(folders[12] / MANIFEST_FILE).model_copy(update={"thresholds": {"0.01": 0.999}})
    manifest.write(folders[12] / MANIFEST_FILE)
    report_make(version, accuracy=1).write(folders[12] / REPORT_FILE)
    return [artefact_place(setup, version, folder, number=n) for n, folder in folders.items()]


@pytest.fixture
def gallery(setup, models) -> Gallery:
    own = {"workspace": setup.workspace, "project": setup.project, "name": "D", "slug": "d", "created_by": "x"}
    deployment = Deployment.objects.create(artefact=models[0], **own)
    made = gallery_create(project=setup.project, name="Cups", deployment=deployment, false_match_rate=None, actor=setup.actor)
    known = [NamedPicture(name, f"{n}.png", picture_bytes(n)) for n, name in enumerate(LABELS)]
    entries_add(gallery=made, pictures=known, actor=setup.actor)
    return Gallery.objects.get(id=made.id)


@pytest.fixture
def line(live_server):
    line = Line(live_server.thread.port)
    yield line
    line.close()


@pytest.fixture
def gate(models, gallery, tmp_path):
    joined = gallery_join(tmp_path / "12", exported_gallery(models[0], gallery.id)[1], tmp_path / "12-names")
    build("device_bundle", joined, tmp_path, {"name": "gate"}, model=models[0].id)
    with tarfile.open(tmp_path / "gate-device.tar.gz") as packed:
        packed.extractall(tmp_path, filter="data")
    gate = Gate(tmp_path / "gate-device", *free_ports(1))
    yield gate
    gate.stop()


def built(artefact: Artefact, folder: Path, *, spoil: bool = False) -> Export:
    """The update as its job leaves it; ``spoil`` puts another model's graph into it."""
    source = folder / str(artefact.number)
    report = build("model_update", source, folder / "built", {}, model=artefact.id)
    file = folder / "built" / report.file
    if spoil:
        with zipfile.ZipFile(file) as packed:
            packed.extractall(folder / "opened")
        shutil.copyfile(folder / "7/model.onnx", folder / "opened/artefact/model.onnx")
        reseal(folder / "opened/artefact")
        with zipfile.ZipFile(file, "w") as packed:
            for path in sorted((folder / "opened").rglob("*")):
                packed.write(path, path.relative_to(folder / "opened"))
    return Export.objects.create(
        project=artefact.project,
        artefact=artefact,
        target="model_update",
        report=report.model_dump(mode="json"),
        blob=blobs().put_bytes(file.read_bytes()).sha256,
        attached=attachment_states(artefact, None),
        created_by="x",
    )


class Story:
    """What the steps of the test share: the platform seen by a person, the device and the line between."""

    def __init__(self, setup, models: list[Artefact], gallery: Gallery, gate: Gate, line: Line, folder: Path) -> None:
        self.folder = folder
        self.actor, self.gallery = setup.actor, gallery
        self.models, self.gate, self.line = models, gate, line
        self.dataset, self.project = setup.dataset, setup.project.id
        self.platform = f"http://127.0.0.1:{line.port}"
        self._client = setup.client()
        self.device = self.key = ""

    def post(self, path: str, body: dict | None = None) -> dict:
        return self._client.post(f"/api{path}", body or {}, content_type="application/json").json()

    def patch(self, path: str, body: dict) -> dict:
        return self._client.patch(f"/api{path}", body, content_type="application/json").json()

    def get(self, path: str) -> dict:
        return self._client.get(f"/api{path}").json()

    def delete(self, path: str) -> int:
        return self._client.delete(f"/api{path}").status_code

    def shown(self) -> dict:
        (device,) = self.get(f"/projects/{self.project}/devices")["items"]
        return device

    def serves(self, artefact: Artefact) -> bool:
        shown = self.shown()
        serving = shown["artefact"] or {"id": None}
        return (shown["state"], serving["id"], shown["assigned"]) == ("online", artefact.id, None)


@pytest.fixture
def story(setup, models, gallery, gate, line, tmp_path) -> Story:
    return Story(setup, models, gallery, gate, line, tmp_path)


def joins(story: Story) -> None:
    """By one command; the code is good once, the key is kept from others."""
    gate = story.gate
    code = story.post(f"/projects/{story.project}/devices/join-codes")
    assert code["command"].startswith("./modelyard-edge join http")
    joined = gate.call("join", story.platform, code["code"], "--name", "gate 1")
    assert joined.returncode == 0, joined.stderr
    file = gate.folder / "device/device.json"
    assert file.stat().st_mode & 0o077 == 0
    assert "join_code_invalid" in gate.call("join", story.platform, code["code"], "--again").stderr
    story.key, story.device = json.loads(file.read_text())["key"], story.shown()["id"]
    assert story.key not in json.dumps(list(Device.objects.values()), default=str)
    assert story.shown()["state"] == "waiting"
    gate.run()
    wait_for(lambda: story.serves(story.models[0]), "the device")


def serves_through_a_cut(story: Story) -> None:
    """Cut off it goes on serving, whatever is killed; what it counted arrives afterwards, once."""
    gate = story.gate
    story.patch(f"/devices/{story.device}", {"sends_inputs": True})
    settings = gate.folder / "device/settings.json"
    wait_for(lambda: json.loads(settings.read_text())["sends_inputs"], "the switch")
    wait_for(lambda: gate.predict(picture_bytes(0)), "the server with its new switch")
    story.line.cut()
    chance = random.Random(4)
    for number in range(24):
        gate.predict(picture_bytes(number))
        if number % 8 == 3:
            time.sleep(chance.random())
            gate.kill_agent()
            gate.run()
        time.sleep(0.1)
    time.sleep(1)  # the log of the last quarter of a second is lost with a server that is killed
    server = gate.server()
    server.kill()
    wait_for(lambda: gate.server().pid != server.pid and gate.predict(picture_bytes(90)), "the watchdog")
    story.line.is_cut = False
    wait_for(lambda: sum(DeviceUsage.objects.values_list("num_calls", flat=True)) >= gate.num_answered, "the counts")
    wait_for(lambda: story.shown()["num_waiting"] == 0, "the empty outbox")
    use = story.shown()["use"]
    assert (use["num_calls"], use["num_failed"]) == (gate.num_answered, 0)
    assert use["p95_ms"] >= use["p50_ms"] > 0
    lines = [json.loads(line) for file in gate.folder.glob("device/log/log/*/*") for line in file.read_text().splitlines()]
    kept = {line["input"] for line in lines if "input" in line}
    sent = Item.objects.filter(dataset=story.dataset, upload__created_by=story.device)
    assert set(sent.values_list("blob", flat=True)) == kept != set()
    uploads = story.get(f"/datasets/{story.dataset.id}/uploads")["items"]
    assert sum(upload["num_items"] for upload in uploads if upload["kind"] == "feedback") == len(kept)
    assert list(gate.folder.glob("device/log/inputs/*")) == []
    assert story.shown()["num_dropped"] == {"usage": 0, "item": 0}


def takes_what_has_changed(story: Story) -> None:
    """What came to the gallery since is recognised on the device, by the model that it has; a new template comes along."""
    cup, address = picture_bytes(90), f"/projects/{story.project}/devices/attachments"

    def names() -> list[str]:
        answer = story.gate.predict(cup)
        return [each["label"] for each in answer["predictions"][0]["annotations"]] if answer else []

    state = {"kind": "gallery", "id": story.gallery.id, "name": "Cups", "is_behind": False}
    wait_for(lambda: story.shown()["attached"] == [state], "the gallery of the bundle")
    assert (names(), story.get(address)) == ([], [])
    entries_add(gallery=story.gallery, pictures=[NamedPicture("new cup", "new.png", cup)], actor=story.actor)
    text, box = {"text": "No.", "points": [[1, 1], [9, 1], [9, 5], [1, 5]]}, {"x": 10, "y": 1, "width": 9, "height": 4}
    content = {"references": [text], "fields": [{"name": "number", "kind": "text", "box": box}]}
    form = MarkedForm(b"a picture", 40, 40, [], content)
    template = template_add(project=story.gallery.project, name="Note", slug="note", form=form, actor=story.actor)
    assert [each["is_behind"] for each in story.shown()["attached"]] == [True, True]
    behind = [(each["kind"], each["name"], each["num_devices"], each["artefact"]) for each in story.get(address)]
    assert behind == [("gallery", "Cups", 1, None), ("templates", None, 1, None)]
    assert story.post(address, {"kind": "gallery", "id": story.gallery.id}) == {"num_devices": 1}
    assert (story.get(address), story.shown()["assigned_gallery"]["name"]) == ([], "Cups")
    job_run(Export.objects.get().job, InMemoryReporter())
    both = [state, {"kind": "templates", "id": None, "name": None, "is_behind": False}]
    wait_for(lambda: story.serves(story.models[0]) and story.shown()["attached"] == both, "what there is now")
    assert names() == ["new cup"]
    assert story.gate.call("update", "--rollback", program="start").returncode == 0
    wait_for(lambda: names() == [], "what was there before, model and gallery")
    wait_for(lambda: names() == ["new cup"], "the agent, which installs again what is assigned")
    template_delete(template=template, actor=story.actor)  # the models that follow are built without one


def takes_a_model(story: Story) -> None:
    """Built, fetched, tried and taken over while calls are answered; that it has no gallery has to be allowed."""
    built(story.models[1], story.folder)
    wanted = {"artefact": story.models[1].id, "allows_other_labels": True}
    assert story.post(f"/devices/{story.device}/model", wanted)["state"] == "updating"
    wait_for(lambda: story.serves(story.models[1]), "the update")
    assert story.gate.predict(picture_bytes(1))["model"] == story.models[1].id


def gives_a_bad_model_up(story: Story) -> None:
    """It says why, the model before stays, and a rollout stops at its first device."""
    export = built(story.models[2], story.folder, spoil=True)
    address = f"/projects/{story.project}/devices/rollout"
    bad = story.models[2].id
    assert story.post(address, {"artefact": bad, "first": story.device})["state"] == "first"
    assert story.post(address, {"artefact": bad})["code"] == "device_rollout_running"
    wait_for(lambda: story.shown()["state"] == "failed", "the refusal")
    assert story.shown()["error"]["code"] == "update_selftest_failed"
    assert story.shown()["artefact"]["id"] == story.models[1].id
    assert story.get(address)["state"] == "failed"
    assert story.gate.predict(picture_bytes(1))["model"] == story.models[1].id
    export.delete()


def survives_kills_in_an_update(story: Story) -> None:
    """It ends with one of the two models, whole, and then with the one that is wanted."""
    before, after = story.models[1], story.models[2]
    built(after, story.folder)
    story.post(f"/devices/{story.device}/model", {"artefact": after.id})
    for delay in (0.7, 1.1, 1.6):
        time.sleep(delay)
        story.gate.kill_agent()
        assert story.gate.predict(picture_bytes(1))["model"] in {before.id, after.id}
        story.gate.run()
    wait_for(lambda: story.serves(after), "the update after all")


def sends_what_it_measured(story: Story) -> None:
    """To the model's page."""
    assert story.gate.call("bench").returncode == 0
    (row,) = story.get(f"/artefacts/{story.models[2].id}/measurements")["items"]
    assert row["p99_ms"] >= row["p50_ms"] > 0
    assert Measurement.objects.get().created_by == story.device


def is_removed(story: Story) -> None:
    """Its key is worthless at once, and it goes on serving."""
    assert story.delete(f"/devices/{story.device}") == 204
    beat = {"version": 1, "state": "serving", "model": ""}
    answer = httpx.post(f"{story.platform}/api/device/beat", json=beat, headers={"Authorization": f"Bearer {story.key}"})
    assert answer.status_code == 401
    assert story.gate.predict(picture_bytes(1)) is not None


def test_a_device_from_its_join_code_to_its_removal(story):
    for step in (
        joins,
        takes_what_has_changed,
        takes_a_model,
        serves_through_a_cut,
        gives_a_bad_model_up,
        survives_kills_in_an_update,
        sends_what_it_measured,
        is_removed,
    ):
        step(story)
