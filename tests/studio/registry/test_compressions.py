"""Models made smaller: started, measured by the engine, and kept within a budget."""

import pytest

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.compression import CERTIFICATE_FILE, COMPRESSION_FILE, Budget
from automl.contracts.dataset import Split
from automl.contracts.job import JobState
from studio.accounts.models import AuditRow
from studio.common.blobs import blobs
from studio.jobs.handlers import job_prepare
from studio.jobs.models import Job
from studio.jobs.workdir import result_prefix
from studio.registry.compressions.handlers import job_ended
from studio.registry.errors import ResultInvalidError
from studio.registry.lineage import artefact_lineage
from studio.registry.models import Artefact, Compression, Evaluation
from studio.registry.selectors import artefact_folder
from tests.engine.jobs import events, run_here
from tests.exporters.artefact_factory import artefact_write, tiny_model
from tests.studio.studies.material import LABELS, artefact_make, job_begin, job_end


@pytest.fixture
def artefact(setup, version, tmp_path):
    """A model with enough weights to be made smaller."""
    made = artefact_make(setup, version)
    folder = artefact_write(tmp_path / "wide", model=tiny_model(num_labels=2, num_features=256), labels=LABELS)
    manifest = ArtefactManifest.read(folder / MANIFEST_FILE)
    manifest = manifest.model_copy(update={"label_set": made.facts.label_set, "lineage": made.facts.lineage})
    manifest.write(folder / MANIFEST_FILE)
    blobs().put_tree("jobs/wide/artefact", folder)
    Artefact.objects.filter(id=made.id).update(tree="jobs/wide/artefact", manifest=manifest.model_dump(mode="json"))
    made.refresh_from_db()
    return made


def post(client, path, body):
    return client.post(f"/api{path}", body, content_type="application/json")


def work(job, workdir):
    """Does the job as a worker does it."""
    job_begin(job)
    workdir.mkdir()
    job_prepare(job, workdir).write(workdir / "job.json")
    assert run_here(workdir) == 0, events(workdir)[-1]
    blobs().put_tree(result_prefix(job.id), workdir / "artefact")
    job_end(job, JobState.SUCCEEDED)


def test_a_model_is_made_smaller_and_a_candidate_is_kept(setup, artefact, tmp_path):
    client = setup.client()
    assert client.get(f"/api/artefacts/{artefact.id}").json()["compresses"]
    started = post(client, f"/artefacts/{artefact.id}/compressions", {"budget": {"max_loss": 0.5}, "trains": True})
    assert started.status_code == 202
    compression = started.json()
    assert (compression["found"], compression["job"]["state"]) == (None, "queued")
    again = post(client, f"/artefacts/{artefact.id}/compressions", {"budget": {"max_loss": 0.1}}).json()
    assert (again["id"], again["budget"]["max_loss"]) == (compression["id"], 0.5)
    missing = post(client, f"/compressions/{compression['id']}/keep", {"method": "weights_16bit"})
    assert (missing.status_code, missing.json()["code"]) == (404, "candidate_missing")

    work(Job.objects.get(id=compression["job"]["id"]), tmp_path / "work")
    (listed,) = client.get(f"/api/artefacts/{artefact.id}/compressions").json()["items"]
    found = client.get(f"/api/compressions/{compression['id']}").json()["found"]
    assert listed["found"] == found
    assert (found["split"], found["measure"]) == ("test", "accuracy")
    smaller = {each["measured"]["method"]: each for each in found["candidates"]}
    assert smaller["weights_16bit"]["measured"]["loss"] == 0
    assert smaller["weights_16bit"]["measured"]["point"]["model_bytes"] < found["original"]["model_bytes"]
    assert smaller["weights_16bit"]["title"]["zh"]
    assert {each["reason"] for each in found["left_out"]} == {"nothing_to_change", "no_weights"}  # one layer reads, one answers

    kept_artefact = post(client, f"/compressions/{compression['id']}/keep", {"method": "weights_16bit"})
    assert kept_artefact.status_code == 200, kept_artefact.json()
    smaller_one = Artefact.objects.get(id=kept_artefact.json()["id"])
    assert kept_artefact.json()["compressed"]["parent_number"] == artefact.number
    assert not any(kept_artefact.json()[flag] for flag in ("compresses", "teaches", "continues"))
    assert "weights_16bit" in kept_artefact.json()["name"]
    assert (smaller_one.parent, smaller_one.number, smaller_one.version) == (artefact, artefact.number + 1, artefact.version)
    assert (artefact_folder(smaller_one) / CERTIFICATE_FILE).exists()
    assert Evaluation.objects.filter(artefact=smaller_one, split="test").exists()
    assert client.get(f"/api/artefacts/{smaller_one.id}/report").json()["labels"] == list(LABELS)
    assert client.get(f"/api/artefacts/{smaller_one.id}/report.html").status_code == 200
    assert client.get(f"/api/artefacts/{smaller_one.id}/card.md").status_code == 200
    assert (smaller_one.id, artefact.id) in artefact_lineage(smaller_one).edges
    assert (artefact.id, artefact.trial_id) in artefact_lineage(smaller_one).edges
    assert post(client, f"/compressions/{compression['id']}/keep", {"method": "weights_16bit"}).json()["id"] == smaller_one.id
    actions = AuditRow.objects.filter(subject=artefact.id).values_list("action", flat=True)
    assert {"artefact.compress", "artefact.candidate_kept"} <= set(actions)
    shown = client.get(f"/api/compressions/{compression['id']}").json()["found"]["candidates"]
    assert {each["artefact"] for each in shown} == {smaller_one.id}

    refused = post(client, f"/artefacts/{smaller_one.id}/compressions", {})
    assert (refused.status_code, refused.json()["code"]) == (422, "compression_unfit")

    tight = Budget(max_bytes=10).model_dump(mode="json")
    Compression.objects.filter(id=compression["id"]).update(budget=tight)
    over = post(client, f"/compressions/{compression['id']}/keep", {"method": "weights_16bit"})
    assert (over.status_code, over.json()["code"]) == (409, "over_budget")
    assert over.json()["extra"]["limits"] == ["size"]


def test_a_model_that_learned_from_everything_is_refused(setup, artefact):
    learned = artefact.facts.model_copy(update={"learned": (Split.TRAIN, Split.VALIDATION, Split.TEST)})
    Artefact.objects.filter(id=artefact.id).update(manifest=learned.model_dump(mode="json"))
    refused = post(setup.client(), f"/artefacts/{artefact.id}/compressions", {})
    assert (refused.status_code, refused.json()["code"]) == (422, "compression_unfit")
    assert not Compression.objects.exists()


def test_a_budget_below_nothing_is_refused(setup, artefact):
    refused = post(setup.client(), f"/artefacts/{artefact.id}/compressions", {"budget": {"max_latency_ms": -1}})
    assert refused.status_code == 422


def test_a_job_that_failed_leaves_no_candidates(setup, artefact):
    client = setup.client()
    compression = post(client, f"/artefacts/{artefact.id}/compressions", {}).json()
    job_end(Job.objects.get(id=compression["job"]["id"]), JobState.FAILED)
    shown = client.get(f"/api/compressions/{compression['id']}").json()
    assert (shown["found"], shown["job"]["error"]["code"]) == (None, "out_of_memory")
    later = post(client, f"/artefacts/{artefact.id}/compressions", {}).json()
    assert later["id"] != compression["id"]


def test_the_report_is_read_whole(setup, artefact, tmp_path):
    """A result that is no report ends as a failure of the handler, never as an empty front."""
    compression = post(setup.client(), f"/artefacts/{artefact.id}/compressions", {}).json()
    job = Job.objects.get(id=compression["job"]["id"])
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / COMPRESSION_FILE).write_text("{}")
    blobs().put_tree(result_prefix(job.id), tmp_path / "left")
    job.state = JobState.SUCCEEDED.value
    with pytest.raises(ResultInvalidError, match=COMPRESSION_FILE):
        job_ended(job)
    assert Compression.objects.get(id=compression["id"]).report is None
