"""Every endpoint x the roles that tell x own and foreign workspace, as a person and as a key. What has no entry fails."""

from __future__ import annotations

import copy
import io
import json
import re
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise, product

import pytest
from django.conf import settings
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.utils import timezone

from labeling.campaigns.services import CampaignPlan, campaign_create
from labeling.comments.models import Comment
from labeling.label_changes.models import LabelChange
from labeling.models import Review
from labeling.quality.models import QualityAction
from studio.accounts.access import PEOPLE_ONLY, SYSTEM
from studio.accounts.invitations import invitation_create
from studio.accounts.keys import KeyScope, key_create
from studio.accounts.models import ApiKey, Membership, User
from studio.accounts.project_access import project_member_set
from studio.accounts.roles import ALLOWED, Role, role_allows
from studio.accounts.services import user_sign_up
from studio.common.blobs import blobs
from studio.config.api import api
from studio.datasets.models import BulkChange, Item, ItemFlag
from studio.datasets.uploads.services import upload_create
from studio.deployments.models import Deployment, Export, PredictionLog
from studio.devices.models import Device
from studio.devices.schemas import DeviceJoinIn
from studio.devices.services import device_join, join_code_make
from studio.galleries.models import Gallery, GalleryEntry
from studio.jobs.models import Job
from studio.predictions.entries import Entry as PredictionEntry
from studio.predictions.entries import ItemPreview, Result
from studio.predictions.models import PredictionRun
from studio.predictions.parts import part_write
from studio.registry.models import Compression
from studio.shelves.models import Shelf
from studio.studies.models import Study
from studio.studies.preflights import preflight_start
from studio.templates.models import Template
from tests.exporters.artefact_factory import picture_bytes
from tests.studio.conftest import PASSWORD
from tests.studio.rights import ENTRIES, PICTURE, Entry, Ids
from tests.studio.studies.material import artefact_make, request_make, version_make
from tests.support.project_setup import ProjectSetup, setup_make

pytestmark = pytest.mark.both_databases

PAST_THE_DOOR = {
    "sign_in_failed",
    "blob_missing",
    "archive_missing",
    "fields_missing",
    "candidate_missing",
    "campaign_member",
    "comment_of_another",
    "review_of_another",
    "no_columns",
}
PAST_THE_DOOR |= {"provider_unknown", "session_missing", "reset_not_allowed", "invitation_invalid", "reauthentication_needed"}
"""Refusals that are no matter of the role."""
EACH_BY_ITSELF = {"PUT /labeling/changes"}
"""Takes in many things and refuses each that is not there."""
ROLES = [role for role in Role if role is not Role.GUEST]
"""Guests see only projects that name them: ``test_project_access`` is about them."""
WITHOUT_ACTION = ("anybody", "signed_in", "person", "device")


def endpoints() -> list[str]:
    """``METHOD /path`` of every operation that the API has."""
    api.get_openapi_schema()  # joins nested routers
    found = []
    for prefix, router in api._routers:
        for path, view in router.path_operations.items():
            plain = re.sub(r"{\w+:(\w+)}", r"{\1}", f"{prefix}{path}")
            found += [f"{method} /{plain.strip('/')}" for operation in view.operations for method in operation.methods]
    return sorted(found)


@dataclass
class World:
    """A workspace with one of everything, a caller for each role, and a stranger who owns another workspace."""

    setup: ProjectSetup
    ids: Ids
    callers: dict[tuple[str, Role], Client]
    device: Client
    """With the key of a device of the workspace."""
    strangers: dict[str, Client]


@pytest.fixture
def world(db, home, settings) -> World:
    settings.PREDICTION_URL = "http://127.0.0.1:9"  # not a server that happens to run on this machine
    setup = setup_make()
    ids = Ids(things(setup))
    callers = {}
    for role in ROLES:
        callers["person", role] = setup.client(setup.owner if role is Role.OWNER else setup.member(role.value, role))
        callers["key", role] = key_client(setup, role)
    device = Client(headers={"Authorization": f"Bearer {ids.values['device_key']}"})
    other = setup_make(email="stranger@example.org")
    user_sign_up(email="guest@example.org", password=PASSWORD, name="Guest")
    strangers = {"person": other.client(), "key": key_client(other, Role.OWNER)}
    return World(setup, ids, callers, device, strangers)


def key_client(setup: ProjectSetup, role: Role) -> Client:
    """Whoever calls with a key that was used before: its first use is recorded, which each call here takes back."""
    key, secret = key_create(workspace=setup.workspace, name=role.value, role=role, actor=setup.actor)
    ApiKey.objects.filter(id=key.id).update(last_used_at=timezone.now() + timedelta(hours=1))
    return Client(headers={"Authorization": f"Bearer {secret}"})


def things(setup: ProjectSetup) -> dict[str, str]:
    """One of everything that an endpoint names."""
    version = version_make(setup)
    artefact = artefact_make(setup, version)
    project, workspace = setup.project, setup.workspace
    job = Job.objects.create(
        workspace=workspace,
        project=project,
        kind="ingest",
        title={"en": "J", "zh": "J"},
        idempotency_key=f"rights-{project.id}",
    )
    deployment = Deployment.objects.create(workspace=workspace, project=project, artefact=artefact, name="D", slug="d")
    sha256 = blobs().put_bytes(PICTURE).sha256
    inputs = settings.SERVING_DIR / "inputs"
    inputs.mkdir(parents=True)
    (inputs / sha256).write_bytes(PICTURE)
    PredictionLog.objects.create(
        id="prd_1", deployment=deployment, at=job.created_at, status=200, latency_ms=1, num_pictures=1, input_sha256=sha256
    )
    export = Export.objects.create(project=project, artefact=artefact, target="onprem_server", job=job, blob=sha256)
    prediction = PredictionRun.objects.create(project=project, artefact=artefact, created_by="x", source="files")
    gallery = Gallery.objects.create(
        project=project, name="G", deployment=deployment, artefact=artefact, false_match_rate="0.01", created_by="x"
    )
    drawn = blobs().put_bytes(picture_bytes(1))
    entry = GalleryEntry.objects.create(
        gallery=gallery, name="mug", blob=drawn.sha256, size_bytes=drawn.size_bytes, created_by="x"
    )
    shelf = Shelf.objects.create(project=project, name="S", deployment=deployment, gallery=gallery, created_by="x")
    template = Template.objects.create(
        project=project,
        name="T",
        slug="t",
        blob=drawn.sha256,
        size_bytes=drawn.size_bytes,
        width=2,
        height=1,
        content={"references": [], "fields": []},
        version="0",
        changed_at=job.created_at,
        created_by="x",
    )
    thumbnail = ItemPreview(thumbnail=PICTURE, width=2, height=1)
    part_write(
        run=prediction, results=[Result(PredictionEntry("a.png"), thumbnail, annotations="[]")], position="0:1", columns=[]
    )
    member = user_sign_up(email="member@example.org", password=PASSWORD, name="Member")
    Membership.objects.create(workspace=workspace, user=member, role=Role.LABELLER.value)
    project_member_set(workspace=workspace, project=project.id, user_id=member.id, role=Role.LABELLER, actor=setup.actor)
    item = Item.objects.filter(dataset=setup.dataset).values_list("id", flat=True)[0]
    plan = CampaignPlan(title="C", people=[member.id], items=[item])
    campaign = campaign_create(dataset=setup.dataset, plan=plan, actor=setup.actor)
    by = {"kind": "user", "id": member.id, "name": "M"}
    bulk = BulkChange.objects.create(dataset=setup.dataset, created_by=by, kind="delete", change={}, state="done")
    change = LabelChange.objects.create(
        project=project,
        actor={"kind": "user", "id": member.id, "name": "Member"},
        plan={"kind": "rename", "source": "puma", "target": "cat"},
        label_set_before=project.label_set,
        state="done",
    )
    ItemFlag.objects.create(dataset=setup.dataset, item_id=item, kind="blurred", severity=0.9, created_at=job.created_at)
    quality_action = QualityAction.objects.create(
        dataset=setup.dataset, action="delete", finding="dark", num_items=0, before={}, created_by=member.id
    )
    comment = Comment.objects.create(dataset=setup.dataset, item_id=item, author=f"person:{member.id}", text="?", operation="1")
    review = Review.objects.create(
        item_id=item, revision=0, author=f"person:{member.id}", reviewer=f"person:{setup.owner.id}", decision="approve"
    )
    key, _ = key_create(workspace=workspace, name="K", role=Role.VIEWER, actor=setup.actor)
    invitation, _ = invitation_create(workspace=workspace, role=Role.VIEWER, email="", days=7, max_uses=1, actor=SYSTEM)
    restore = Job.objects.create(
        workspace=workspace,
        project=project,
        kind="restore",
        subject=setup.dataset.id,
        title={"en": "R", "zh": "R"},
        state="succeeded",
        idempotency_key=f"rights-restore-{project.id}",
        payload={"version": version.id, "saved": version.id, "branch": None, "branch_before": "main", "brought_back": ""}
        | {"num_changed": 0, "num_unlabelled": 0, "num_brought_back": 0, "num_kept": 0, "actor": {"id": member.id}},
    )
    _, secret = join_code_make(project=project, actor=setup.actor)
    device, device_key = device_join(DeviceJoinIn(code=secret, name="gate", version=1, facts={}))
    Device.objects.update(assigned=export, sends_inputs=True)
    return {
        "restore": restore.id,
        "workspace_id": workspace.id,
        "user_id": member.id,
        "key_id": key.id,
        "invitation_id": invitation.id,
        "session_id": "1",
        "project_id": project.id,
        "project": project.id,
        "dataset": setup.dataset.id,
        "item": item,
        "campaign": campaign.id,
        "label_change": change.id,
        "change": bulk.id,
        "quality_action": quality_action.id,
        "comment": comment.id,
        "review": review.id,
        "upload": upload_create(
            dataset=setup.dataset, actor=setup.actor, name="a.png", size_bytes=len(PICTURE), kind="file"
        ).id,
        "version": version.id,
        "study_id": Study.objects.get(project=project).id,
        "cure": "again",
        "preflight_id": preflight_start(
            version=version,
            request=request_make(max_trials=1),
            asked={"project": project.id, "version": version.id, "max_trials": 1},
            actor=setup.actor,
        ).id,
        "artefact_id": artefact.id,
        "compression_id": Compression.objects.create(artefact=artefact, budget={}).id,
        "deployment_id": deployment.id,
        "export_id": export.id,
        "device": device.id,
        "device_key": device_key,
        "update": export.id,
        "prediction": prediction.id,
        "gallery": gallery.id,
        "shelf": shelf.id,
        "template": template.id,
        "entry": entry.id,
        "place": "0",
        "job_id": job.id,
        "name": "model.onnx",
        "task": project.task,
        "sha256": sha256,
    }


def call(client: Client, endpoint: str, entry: Entry, ids: Ids) -> HttpResponseBase:
    """Sends the request and takes back what it changed."""
    method, path = endpoint.split(" ")
    cookies = copy.deepcopy(client.cookies)
    address = f"/api{ids.fill(path)}?{ids.fill(entry.query)}"
    with transaction.atomic():
        if entry.form is not None:
            fields = {name: upload(value) if isinstance(value, tuple) else value for name, value in entry.form.items()}
            answer = client.generic(method, address, *multipart(fields))
        elif isinstance(entry.body, bytes):
            answer = client.generic(method, address, entry.body, content_type="application/octet-stream")
        else:
            body = b"" if entry.body is None else json.dumps(ids.fill(entry.body)).encode()
            answer = client.generic(method, address, body, content_type="application/json")
        transaction.set_rollback(True)
    if answer.streaming:  # read a little, then hang up as a browser does
        next(answer._iterator, None)
        answer._iterator.close()
    client.cookies = cookies
    return answer


def upload(value: tuple[str, bytes]) -> io.BytesIO:
    file = io.BytesIO(value[1])
    file.name = value[0]
    return file


def multipart(fields: dict) -> tuple[bytes, str]:
    return encode_multipart(BOUNDARY, fields), MULTIPART_CONTENT


def code(answer: HttpResponseBase) -> str:
    return answer.json()["code"] if answer["Content-Type"] == "application/problem+json" else ""


def is_let_in(answer: HttpResponseBase) -> bool:
    """Past the door: what follows may still be refused for what it is."""
    return answer.status_code not in {401, 403, 404, 500} or code(answer) in PAST_THE_DOOR


def test_every_endpoint_has_an_entry():
    assert endpoints() == sorted(ENTRIES)


LADDER = (Role.VIEWER, Role.LABELLER, Role.ENGINEER, Role.OWNER)
"""Each may do what the one before it may, and more; annotators stand beside it."""


def test_a_role_may_do_what_lower_roles_may():
    for lower, higher in pairwise(LADDER):
        assert ALLOWED[lower] < ALLOWED[higher]
    assert {*LADDER, Role.ANNOTATOR} == {*ROLES}


def telling_roles(needs: str) -> list[Role]:
    """Whose answers tell which actions an endpoint may ask for: the lowest role let in, the highest refused, the annotator."""
    if needs in WITHOUT_ACTION:
        return [Role.OWNER if needs == "device" else Role.VIEWER, Role.ANNOTATOR]
    allowed = [role for role in LADDER if role_allows(role, needs)]
    refused = [role for role in LADDER if not role_allows(role, needs)]
    return [*refused[-1:], *allowed[:1], Role.ANNOTATOR]


def test_own_workspace_asks_for_the_role(world):
    wrong = []
    for endpoint, entry in ENTRIES.items():
        for kind, role in product(("person", "key"), telling_roles(entry.needs)):
            answer = call(world.callers[kind, role], endpoint, entry, world.ids)
            if entry.needs == "device":
                is_right = (answer.status_code, code(answer)) == (401, "not_signed_in")
                wrong += [] if is_right else [f"{kind} {role} {endpoint}: {answer.status_code} {code(answer)}"]
                continue
            if entry.needs in WITHOUT_ACTION:
                is_allowed = entry.needs != "person" or kind == "person"
            else:
                is_allowed = role_allows(role, entry.needs)
            if kind == "key" and entry.needs in PEOPLE_ONLY and is_allowed:
                is_right = (answer.status_code, code(answer)) == (403, PEOPLE_ONLY[entry.needs].code)
                wrong += [] if is_right else [f"key {role} {endpoint}: {answer.status_code} {code(answer)}"]
                continue
            is_right = is_let_in(answer) if is_allowed else (answer.status_code, code(answer)) == (403, "permission_denied")
            if not is_right:
                wrong.append(f"{kind} {role} {endpoint}: {answer.status_code} {code(answer)}, allowed: {is_allowed}")
    assert wrong == []


def test_a_device_s_key_is_good_for_devices_and_nothing_else(world):
    wrong = []
    for endpoint, entry in ENTRIES.items():
        answer = call(world.device, endpoint, entry, world.ids)
        if entry.needs in ("device", "anybody"):
            is_right = is_let_in(answer)
        else:
            is_right = (answer.status_code, code(answer)) == (401, "not_signed_in")
        if not is_right:
            wrong.append(f"{endpoint}: {answer.status_code} {code(answer)}")
    assert wrong == []
    Device.objects.all().delete()
    assert call(world.device, "POST /device/beat", ENTRIES["POST /device/beat"], world.ids).status_code == 401


def test_a_key_of_another_project_gets_nowhere(world):
    """Whatever names a thing of a project says which project to the door: default is no."""
    project = world.setup.project
    other = type(project).objects.create(
        workspace=world.setup.workspace, name="Other", task=project.task, label_set={"labels": []}
    )
    wrong = []
    for scope in (KeyScope(project=other.id), KeyScope(is_predict_only=True), KeyScope(deployment="dep_other")):
        key, secret = key_create(workspace=world.setup.workspace, name="narrow", role=Role.OWNER, actor=world.setup.actor)
        ApiKey.objects.filter(id=key.id).update(
            project=scope.project,
            deployment=scope.deployment,
            is_predict_only=scope.is_predict_only,
            last_used_at=timezone.now() + timedelta(hours=1),
        )
        client = Client(headers={"Authorization": f"Bearer {secret}"})
        for endpoint, entry in ENTRIES.items():
            if entry.needs in WITHOUT_ACTION or endpoint in EACH_BY_ITSELF:
                continue
            if scope.is_predict_only and entry.needs == "deployment.predict":
                continue
            answer = call(client, endpoint, entry, world.ids)
            shown = answer.json() if answer.status_code == 200 else None
            is_empty_list = shown is not None and (shown if isinstance(shown, list) else shown.get("items", shown)) in ([], {})
            if scope.project and endpoint in {"GET /projects", "GET /project-cards", "GET /places"}:
                is_empty_list = [one["id"] for one in shown["items"]] == [scope.project]
            if not is_empty_list and code(answer) not in {"key_out_of_scope", "not_found"}:
                wrong.append(f"{scope} {endpoint}: {answer.status_code} {code(answer)}")
    assert wrong == []


def test_foreign_workspace_is_not_there(world):
    wrong = []
    for endpoint, entry in ENTRIES.items():
        if entry.needs in WITHOUT_ACTION or endpoint in EACH_BY_ITSELF:
            continue
        for kind, client in world.strangers.items():
            answer = call(client, endpoint, entry, world.ids)
            if answer.status_code != 404:
                wrong.append(f"{kind} {endpoint}: {answer.status_code} {code(answer)}")
    assert wrong == []


@pytest.mark.parametrize("endpoint", ["GET /jobs", "GET /labeling/suggestions"])
def test_lists_without_a_scope_show_nothing_foreign(world, endpoint):
    answer = call(world.strangers["person"], endpoint, ENTRIES[endpoint], world.ids).json()
    assert answer.get("items", answer) in ([], {})


def test_changes_of_foreign_items_are_refused_one_by_one(world):
    for endpoint in EACH_BY_ITSELF:
        answer = call(world.strangers["person"], endpoint, ENTRIES[endpoint], world.ids).json()
        assert [(one["status"], one["item"]) for one in answer["changes"]] == [("refused", None)]


def test_unknown_and_foreign_look_alike(world):
    unknown = Ids({name: f"{value[:4]}{'0' * 26}" for name, value in world.ids.values.items()})
    for endpoint in ("GET /projects/{project_id}", "GET /jobs/{job_id}", "GET /workspaces/{workspace_id}/members"):
        answers = [call(world.strangers["person"], endpoint, ENTRIES[endpoint], ids).json() for ids in (world.ids, unknown)]
        assert answers[0]["code"] == answers[1]["code"] == "not_found"


def test_nobody_is_let_in_without_an_account(world):
    wrong = []
    for endpoint, entry in ENTRIES.items():
        answer = call(Client(), endpoint, entry, world.ids)
        is_right = (
            is_let_in(answer) if entry.needs == "anybody" else (answer.status_code, code(answer)) == (401, "not_signed_in")
        )
        if not is_right:
            wrong.append(f"{endpoint}: {answer.status_code} {code(answer)}")
    assert wrong == []


def test_member_who_left_is_a_stranger(world):
    labeller = User.objects.get(email="labeller@example.org")
    Membership.objects.filter(user=labeller, workspace=world.setup.workspace).delete()
    answer = world.callers["person", Role.LABELLER].get(f"/api/projects/{world.setup.project.id}")
    assert answer.status_code == 404


def test_disabled_account_and_deleted_key_are_shut_out(world):
    User.objects.filter(email="viewer@example.org").update(is_active=False)
    ApiKey.objects.filter(name="viewer").delete()
    for kind in ("person", "key"):
        assert world.callers[kind, Role.VIEWER].get("/api/projects").status_code == 401
