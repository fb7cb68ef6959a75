"""From real calls to what the page says of their inputs, for each kind of items; nothing of an item itself is written down."""

import json
import shutil
from datetime import timedelta

import pytest
from django.utils import timezone

from automl.contracts.task import OutputKind
from runtime.items.row.rows import row_parse
from studio.accounts.keys import key_create
from studio.accounts.roles import Role
from studio.common.blobs import blobs
from studio.deployments.alerts.conditions.input_drift import KIND
from studio.deployments.alerts.conditions.kind import Watch
from studio.deployments.alerts.models import AlertEvent
from studio.deployments.logs import log_collect
from studio.deployments.models import Deployment, PredictionLog
from tests.studio.deployments.input_items import DRIFTED, USUAL, refer
from tests.studio.deployments.test_deployment_api import published, until
from tests.studio.deployments.test_row_deployment import artefact_make as row_artefact_make
from tests.studio.studies.material import artefact_make, text_version_make, version_make
from tests.support.project_setup import setup_make

NUM_CALLS = 105
BODIES = {
    "image": lambda data: {"content": data},
    "text": lambda data: {"json": {"text": data.decode()}},
    "row": lambda data: {"json": {"row": row_parse(data)}},
}


def material(kind, folder):
    """A room and a model, without a reference."""
    if kind == "row":
        setup = setup_make(task="tabular_prediction", options={"predicts": "category"})
        return setup, row_artefact_make(setup, OutputKind.CLASS_SCORES, folder)
    setup = setup_make(task="text_classification") if kind == "text" else setup_make()
    return setup, artefact_make(setup, (text_version_make if kind == "text" else version_make)(setup))


def with_reference(artefact, kind, folder):
    """As if training had written it."""
    shutil.copytree(blobs().fetch_tree(artefact.tree), folder)
    refer(folder, kind)
    artefact.tree = f"{artefact.tree}-judged"
    blobs().put_tree(artefact.tree, folder)
    artefact.save()


@pytest.mark.parametrize("name", ["darkened", "german", "unseen"])
def test_changed_inputs_of_real_calls_are_found_and_usual_ones_are_not(
    db, home, server, tmp_path, name, django_capture_on_commit_callbacks
):
    kind, make, fact, sentence = DRIFTED[name]
    setup, artefact = material(kind, tmp_path / "made")
    client = setup.client()
    with_reference(artefact, kind, tmp_path / "judged")
    commit = django_capture_on_commit_callbacks
    shown = {slug: published(client, setup, artefact, commit, slug=slug)["id"] for slug in ("same", "other")}
    with commit(execute=True):
        _, secret = key_create(workspace=setup.workspace, name="shop", role=Role.ENGINEER, actor=setup.actor)
    for id_ in shown.values():
        server.wait(id_, state="ready")
    for slug, item in (("same", USUAL[kind]), ("other", make)):
        for seed in range(NUM_CALLS):
            reply = server.predict(shown[slug], secret=secret, **BODIES[kind](item(seed)))
            assert reply.status_code == 200, reply.content

    def state(slug):
        log_collect()
        (model,) = client.get(f"/api/deployments/{shown[slug]}/input-drift").json()["models"]
        return model if model["num_calls"] == NUM_CALLS else None

    quiet, changed = until(lambda: state("same"), "facts"), until(lambda: state("other"), "facts")
    assert (quiet["state"], quiet["num_changed"]) == ("quiet", 0)
    assert (changed["state"], changed["splits"]) == ("changed", ["test"])
    found = next(each for each in changed["facts"] if each["name"] == fact)
    assert sentence in found["sentence"]["en"]
    assert sum(each["before"] for each in found["bins"]) == pytest.approx(1)
    assert sum(each["after"] for each in found["bins"]) == pytest.approx(1)
    lines = [json.loads(line) for path in server.folder.glob("log/*/*.jsonl") for line in path.read_bytes().splitlines()]
    facts = [line for line in lines if "facts_of" in line]
    assert {frozenset(line) for line in facts} == {frozenset({"facts_of", "artefact", "at", "bins"})}
    assert {type(each) for line in facts for each in line["bins"]} == {int}
    assert not (server.folder / "inputs").exists()
    _alerts(Deployment.objects.get(id=shown["other"]), Deployment.objects.get(id=shown["same"]))


def _alerts(changed, quiet):
    watch = Watch(deployment=changed, limit=0, since=timezone.now(), now=timezone.now())
    finding = KIND.check(watch)
    assert finding is not None
    assert finding.holds
    assert "no longer like the data of model 1" in KIND.message(AlertEvent.BEGAN, finding.figures).en
    other = KIND.check(Watch(deployment=quiet, limit=0, since=timezone.now(), now=timezone.now()))
    assert other is not None
    assert not other.holds
    assert KIND.message(AlertEvent.ENDED, other.figures).zh
    PredictionLog.objects.update(at=timezone.now() - timedelta(days=8))
    assert KIND.check(watch) is None


def test_a_model_without_a_reference_reports_it(setup, deployment):
    reply = setup.client().get(f"/api/deployments/{deployment.id}/input-drift").json()
    (model,) = reply["models"]
    assert (model["state"], model["facts"], model["splits"]) == ("no_reference", [], [])


def test_facts_of_unknown_calls_and_other_models_are_passed_over(home, deployment, artefact):
    folder = home / "serving" / "log" / deployment.id
    folder.mkdir(parents=True)
    call = f"prd_{1:026d}"
    at = timezone.now().isoformat()
    fields = {"at": at, "artefact": artefact.id, "status": 200, "latency_ms": 1.0}
    lines = [
        {"facts_of": f"prd_{2:026d}", "artefact": artefact.id, "at": at, "bins": [1]},
        {"id": call, **fields},
        {"facts_of": call, "artefact": "art_other", "at": at, "bins": [1]},
        {"facts_of": call, "artefact": artefact.id, "at": at, "bins": [-1]},
        {"facts_of": call, "artefact": artefact.id, "at": at, "bins": [3, 0]},
    ]
    (folder / "2026010112.7.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert log_collect() == 1
    assert [row.facts for row in PredictionLog.objects.all()] == [[3, 0]]
