"""The folder that the prediction server follows says what the rows say."""

import hashlib
import json
import stat

import pytest

from runtime.errors import DeploymentNotFoundError, PermissionDeniedError
from runtime.serving import _key, _settings
from runtime.state import Deployment, Snapshot, deployments_index
from studio.accounts.access import principal_of_user
from studio.accounts.keys import key_create, key_delete
from studio.accounts.models import ApiKey
from studio.accounts.project_access import project_member_set, project_restrict
from studio.accounts.roles import Role
from studio.deployments.gateway import INTERNAL_KEY_ID, internal_secret, serving_rebuild
from studio.deployments.models import DesiredState
from studio.deployments.services import DeploymentChanges, deployment_create, deployment_delete, deployment_update
from tests.studio.studies.material import artefact_make
from tests.support.project_setup import setup_make


@pytest.fixture
def commit(django_capture_on_commit_callbacks):
    """Does something and commits."""

    def do(function, **arguments):
        with django_capture_on_commit_callbacks(execute=True):
            return function(**arguments)

    return do


def deployment_file(home, deployment):
    return json.loads((home / "serving" / "deployments" / f"{deployment.id}.json").read_bytes())


def keys(home):
    return {row["id"]: row for row in json.loads((home / "serving" / "keys.json").read_bytes())}


def test_a_deployment_is_written_as_the_protocol_says(home, setup, artefact, deployment):
    written = deployment_file(home, deployment)
    assert written["id"] == deployment.id
    assert written["slug"] == "cats-and-dogs"
    assert written["workspace"] == setup.workspace.id
    assert written["artefact"] == artefact.id
    assert (written["state"], written["keep_inputs"]) == ("running", "none")
    folder = home / "serving" / written["artefact_dir"]
    assert (folder / "model.onnx").is_file()
    assert (folder / "artefact.json").is_file()
    assert not (folder / "weights.safetensors").exists()
    assert not (folder / "report.json").exists()  # it names the pictures of the training set
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


def test_every_change_is_written(home, setup, version, deployment, commit):
    other = artefact_make(setup, version)
    changes = DeploymentChanges(artefact=other, thresholds={"cat": 0.7}, desired=DesiredState.STOPPED)
    commit(deployment_update, deployment=deployment, changes=changes, actor=setup.actor)
    written = deployment_file(home, deployment)
    assert (written["artefact"], written["state"], written["thresholds"]) == (other.id, "stopped", {"cat": 0.7})
    commit(deployment_delete, deployment=deployment, actor=setup.actor)
    assert not list((home / "serving" / "deployments").iterdir())


def test_keys_follow_and_only_hashes_are_written(home, setup, deployment, commit):
    key, secret = commit(key_create, workspace=setup.workspace, name="shop", role=Role.ENGINEER, actor=setup.actor)
    viewer, _ = commit(key_create, workspace=setup.workspace, name="board", role=Role.VIEWER, actor=setup.actor)
    rows = keys(home)
    assert rows[key.id]["sha256"] == hashlib.sha256(secret.encode()).hexdigest()
    assert rows[key.id]["can_predict"] is True
    assert rows[viewer.id]["can_predict"] is False
    assert secret not in (home / "serving" / "keys.json").read_text()
    commit(key_delete, workspace=setup.workspace, key_id=key.id, actor=setup.actor)
    assert key.id not in keys(home)


def test_keys_predict_in_the_projects_that_their_owner_sees(home, setup, deployment, commit):
    lin = setup.member("lin", Role.ENGINEER)
    key, secret = commit(key_create, workspace=setup.workspace, name="shop", role=Role.ENGINEER, actor=principal_of_user(lin))
    place = {"workspace": setup.workspace, "project": setup.project.id, "actor": setup.actor}
    asked = deployment_file(home, deployment)

    def is_found() -> bool:
        state = Snapshot(
            deployments=deployments_index([Deployment(settings=_settings(asked), predictor=None)]),
            keys={row["sha256"]: _key(row) for row in keys(home).values()},
        )
        try:
            return state.deployment_find(state.key_find(secret), deployment.slug) is not None
        except (DeploymentNotFoundError, PermissionDeniedError):
            return False

    assert is_found()
    commit(project_restrict, is_restricted=True, **place)
    assert keys(home)[key.id]["projects"] == {setup.project.id: False}
    assert not is_found()
    commit(project_member_set, user_id=lin.id, role=Role.LABELLER, **place)
    assert is_found()
    commit(project_member_set, user_id=lin.id, role=Role.VIEWER, **place)
    assert not is_found()


def test_the_internal_key_is_only_there_for_workspaces_that_serve(home, setup, deployment):
    setup_make(email="eve@example.org")
    serving_rebuild()
    internal = [row for row in json.loads((home / "serving" / "keys.json").read_bytes()) if row["id"] == INTERNAL_KEY_ID]
    assert [row["workspace"] for row in internal] == [setup.workspace.id]
    assert internal[0]["sha256"] == hashlib.sha256(internal_secret(setup.workspace.id).encode()).hexdigest()
    assert internal_secret("wsp_other") != internal_secret(setup.workspace.id)


def test_a_rebuild_mends_everything_and_touches_nothing_that_is_right(home, setup, artefact, deployment):
    folder = home / "serving"
    second = deployment_create(artefact=artefact, name="Second", actor=setup.actor)  # its commit was never seen
    stray = folder / "deployments" / "dep_gone.json"
    stray.write_text("{}")
    (folder / "artefacts" / "art_gone").mkdir()
    (folder / "keys.json").unlink()
    before = (folder / "deployments" / f"{deployment.id}.json").stat()
    serving_rebuild()
    assert deployment_file(home, second)["slug"] == "second"
    assert not stray.exists()
    assert sorted(path.name for path in (folder / "artefacts").iterdir()) == [artefact.id]
    assert INTERNAL_KEY_ID in keys(home)
    after = (folder / "deployments" / f"{deployment.id}.json").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_damaged_files_are_replaced_by_whole_ones_and_loaded_again(home, deployment, artefact):
    copy = home / "serving" / "artefacts" / artefact.id
    whole = (copy / "model.onnx").read_bytes()
    assert json.loads((copy / "hashes.json").read_bytes())["model.onnx"] == hashlib.sha256(whole).hexdigest()
    (copy / "model.onnx").write_bytes(b"\0" + whole[1:])
    path = home / "serving" / "deployments" / f"{deployment.id}.json"
    before = path.stat().st_mtime_ns
    serving_rebuild()  # nobody has complained yet
    assert path.stat().st_mtime_ns == before
    status = home / "serving" / "status" / f"{deployment.id}.json"
    status.parent.mkdir(exist_ok=True)
    status.write_text(json.dumps({"state": "failed", "code": "artefact_damaged", "artefact": artefact.id}))
    serving_rebuild()
    assert (copy / "model.onnx").read_bytes() == whole
    assert path.stat().st_mtime_ns > before


def test_a_deleted_project_is_served_no_more(home, setup, deployment):
    type(setup.project).objects.filter(id=setup.project.id).update(deleted_at="2026-01-01T00:00:00Z")
    serving_rebuild()
    assert not list((home / "serving" / "deployments").iterdir())
    assert INTERNAL_KEY_ID not in keys(home)


def test_no_part_of_a_file_is_ever_seen(home, deployment):
    ApiKey.objects.all().delete()
    serving_rebuild()
    left = [path for path in (home / "serving").rglob("*") if ".partial" in path.name]
    assert left == []
