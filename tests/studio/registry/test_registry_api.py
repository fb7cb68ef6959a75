"""The registry's HTTP door: models, reports that click through to pictures, lineage, files, evaluation."""

import numpy as np
import pytest

from automl.contracts.base import Text
from automl.contracts.dataset import Split
from automl.contracts.item_facts import FACTS_FILE, ItemFacts
from automl.contracts.job import JobState
from engine.slices.fact import Fact
from engine.slices.find import slices
from engine.tasks.shared.outcomes import right_or_wrong
from studio.accounts.access import principal_of_user
from studio.accounts.roles import Role
from studio.datasets.models import Item, ItemFact
from studio.datasets.versions.manifest import version_all_items, version_commit
from studio.deployments.models import Deployment, Export
from studio.jobs.handlers import job_prepare
from studio.jobs.models import Job
from studio.jobs.states import job_move
from studio.registry.models import Evaluation
from studio.registry.services import artefact_evaluate
from tests.studio.registry.report_material import boxes
from tests.studio.studies.material import LABELS, artefact_make, job_end, report_make, result_keep, version_make
from tests.support.project_setup import setup_make


@pytest.fixture
def artefact(setup, version):
    return artefact_make(setup, version, accuracy=0.8)


def post(client, path, body):
    return client.post(f"/api{path}", body, content_type="application/json")


def items_of(client, artefact, **query):
    return client.get(f"/api/artefacts/{artefact.id}/report/items", query).json()


def test_a_model_shows_its_facts(setup, artefact):
    client = setup.client()
    shown = client.get(f"/api/artefacts/{artefact.id}").json()
    assert (shown["number"], shown["family"], shown["stage"]) == (1, "linear_probe", "none")
    assert shown["metrics"]["test"] == {"accuracy": 0.8}
    assert shown["trial"] == artefact.trial_id
    assert shown["manifest"]["task"] == "image_classification"
    listed = client.get("/api/artefacts", {"project": setup.project.id}).json()["items"]
    assert [each["id"] for each in listed] == [artefact.id]
    assert client.get("/api/artefacts", {"project": setup.project.id, "stage": "production"}).json()["items"] == []


def test_the_report_has_numbers_and_no_items(setup, artefact, version):
    report = setup.client().get(f"/api/artefacts/{artefact.id}/report").json()
    assert report["labels"] == list(LABELS)
    assert {split["split"] for split in report["splits"]} == {"validation", "test"}
    assert all("items" not in split for split in report["splits"])


def test_the_report_counts_the_models_that_were_judged_on_the_same_items(setup, artefact, version):
    def counted():
        splits = setup.client().get(f"/api/artefacts/{artefact.id}/report").json()["splits"]
        return {split["split"]: split["num_models"] for split in splits}

    assert counted() == {"validation": 1, "test": 1}
    artefact_make(setup, version)
    assert counted() == {"validation": 2, "test": 2}


def test_a_cell_of_the_confusion_matrix_leads_to_its_pictures(setup, artefact, version):
    client = setup.client()
    names = {record.item: record for record in version_all_items(version) if record.split is Split.TEST}
    found = []
    for truth in LABELS:
        for prediction in LABELS:
            page = items_of(client, artefact, split="test", truth=truth, prediction=prediction, limit=200)
            assert page["num_items"] == len(page["items"])
            for item in page["items"]:
                assert item["truth"][0]["label"] == truth
                assert item["prediction"][0]["label"] == prediction
                assert item["name"] == names[item["item"]].name
                assert client.get(item["thumbnail_url"]).status_code == 200
            found += [item["item"] for item in page["items"]]
    assert sorted(found) == sorted(names)


def test_errors_only_and_the_worst_first(setup, artefact):
    client = setup.client()
    page = items_of(client, artefact, split="test", only="errors", order="loss")
    assert page["items"]
    assert all(item["truth"][0]["label"] != item["prediction"][0]["label"] for item in page["items"])
    losses = [item["loss"] for item in page["items"]]
    assert losses == sorted(losses, reverse=True)


def test_items_are_paged_without_gaps(setup, artefact):
    client = setup.client()
    whole = items_of(client, artefact, split="validation", limit=200)
    seen, cursor = [], None
    while True:
        page = items_of(client, artefact, split="validation", limit=2, **({"cursor": cursor} if cursor else {}))
        seen += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == whole["items"]
    assert client.get(f"/api/artefacts/{artefact.id}/report/items?cursor=x").status_code == 422


def test_each_cell_of_the_confusion_of_objects_leads_to_its_items(db, home, tmp_path):
    setup, artefact = boxes(tmp_path / "made")
    client = setup.client()
    (test,) = (each for each in client.get(f"/api/artefacts/{artefact.id}/report").json()["splits"] if each["split"] == "test")
    names = [{"name": "cat"}, {"name": "dog"}, {}]
    counts = {}
    for truth, row in enumerate(test["object_confusion"]):
        for answer, count in enumerate(row):
            sides = {"truth": names[truth].get("name"), "prediction": names[answer].get("name")}
            query = {"split": "test", "objects": True} | {side: name for side, name in sides.items() if name}
            found = client.get(f"/api/artefacts/{artefact.id}/report/items", query).json()["num_items"]
            counts[truth, answer] = (count, found)
    assert counts.pop((2, 2))[0] == 0
    assert all(count == found for count, found in counts.values()), "an item holds one object of a label"
    assert {place for place, (count, _) in counts.items() if count} == {(0, 0), (1, 0), (1, 1), (1, 2), (2, 1)}


def test_a_slice_leads_to_its_items(setup, version):
    whole = report_make(version, accuracy=0.75)
    test = next(split for split in whole.splits if split.split is Split.TEST)
    wrong = tuple(range(3, len(test.items), 4))
    names = [item.item for item in test.items]
    side_of = {item: "north" if place in wrong else "south" for place, item in enumerate(names)}
    fact = Fact("kept:site", Text.same("site"), np.array([side_of[item] for item in names] * 20, dtype=object))
    many = [f"{item}-{turn}" if turn else item for turn in range(20) for item in names]
    is_right = np.array([side_of[item] == "south" for item in names] * 20)
    found = slices([fact], right_or_wrong(is_right), item_ids=many, listed=names)
    assert found is not None
    splits = [
        each.model_copy(update={"slices": found.report, "slice_items": found.places}) if each.split is Split.TEST else each
        for each in whole.splits
    ]
    artefact = artefact_make(setup, version, report=whole.model_copy(update={"splits": tuple(splits)}))
    client = setup.client()
    shown = client.get(f"/api/artefacts/{artefact.id}/report").json()
    by_split = {split["split"]: split for split in shown["splits"]}
    assert by_split["validation"]["slices"] is None
    (worst,) = by_split["test"]["slices"]["slices"]
    assert (worst["name"]["en"], worst["value"], worst["is_worse"]) == ("site", "north", True)
    listed = items_of(client, artefact, split="test", slice=0)
    assert {item["item"] for item in listed["items"]} == {names[place] for place in wrong}
    assert listed["num_items"] == len(wrong)
    for place, split in ((1, "test"), (0, "validation")):
        reply = client.get(f"/api/artefacts/{artefact.id}/report/items", {"split": split, "slice": place})
        assert (reply.status_code, reply.json()["code"]) == (422, "invalid_input")
        assert reply.json()["fields"] == {"slice": ["no such slice"]}


def test_what_people_keep_of_items_that_judge_goes_with_the_job(setup, artefact, version, tmp_path):
    records = list(version_all_items(version))
    for place, record in enumerate(records):
        item = Item.objects.get(id=record.item)
        ItemFact.objects.create(dataset=item.dataset, item=item, name="site", value=f"site {place % 2}")
    job = artefact_evaluate(artefact=artefact, version=version, split=Split.TEST, actor=setup.actor)
    job_prepare(job, tmp_path)
    values = ItemFacts.read(tmp_path / "data" / FACTS_FILE).values
    judging = {record.item: f"site {place % 2}" for place, record in enumerate(records) if record.split is not Split.TRAIN}
    assert {item: values["site"][item] for item in judging} == judging
    assert not set(values["site"]) & {record.item for record in records if record.split is Split.TRAIN}


def test_a_split_without_a_report_is_refused(setup, artefact):
    reply = setup.client().get(f"/api/artefacts/{artefact.id}/report/items", {"split": "train"})
    assert (reply.status_code, reply.json()["code"]) == (404, "report_split_missing")


def test_one_can_walk_back_from_the_model_to_a_person(setup, artefact, version):
    lineage = setup.client().get(f"/api/artefacts/{artefact.id}/lineage").json()
    kinds = {node["id"]: node["kind"] for node in lineage["nodes"]}
    arrows = {}
    for start, end in lineage["edges"]:
        arrows.setdefault(start, []).append(end)
    walked, waiting = set(), [artefact.id]
    while waiting:
        node = waiting.pop()
        walked.add(node)
        waiting += [end for end in arrows.get(node, []) if end not in walked]
    assert walked == set(kinds)
    assert {"artefact", "trial", "study", "version", "item", "annotation", "import", "person"} <= set(kinds.values())
    assert artefact.trial.study_id in walked
    assert version.id in walked
    assert setup.owner.id in walked


def test_the_way_leads_on_to_what_was_made_of_a_model(setup, artefact):
    """A deployment whose shadow it is counts as much as one that it answers for; an export that was not built does not."""
    other = artefact_make(setup, artefact.version)
    makes = {"workspace": setup.workspace, "project": setup.project, "created_by": setup.owner.id}
    first = Deployment.objects.create(**makes, artefact=artefact, name="Line 1", slug="line-1")
    shadowed = Deployment.objects.create(**makes, artefact=other, name="Line 2", slug="line-2")
    shadowed.variants.create(artefact=artefact, is_shadow=True)
    Deployment.objects.create(**makes, artefact=other, name="Line 3", slug="line-3")
    builds = {"project": setup.project, "artefact": artefact, "created_by": setup.owner.id}
    built = Export.objects.create(**builds, target="python_sdk", blob="0" * 64)
    Export.objects.create(**builds, target="onprem_server")
    lineage = setup.client().get(f"/api/artefacts/{artefact.id}/lineage").json()
    nodes = {node["id"]: (node["kind"], node["name"]) for node in lineage["nodes"]}
    uses = {start: nodes[start] for start, end in lineage["edges"] if end == artefact.id}
    assert uses == {
        first.id: ("deployment", "Line 1"),
        shadowed.id: ("deployment", "Line 2"),
        built.id: ("export", "python_sdk"),
    }


def test_a_node_has_its_name_and_its_number_apart(setup, artefact, version):
    nodes = {node["id"]: node for node in setup.client().get(f"/api/artefacts/{artefact.id}/lineage").json()["nodes"]}
    assert (nodes[artefact.id]["name"], nodes[artefact.id]["number"]) == ("", artefact.number)
    assert (nodes[version.id]["title"], nodes[version.id]["number"]) == (f"Version {version.number}", version.number)
    study = artefact.trial.study
    assert (nodes[study.id]["name"], nodes[study.id]["number"]) == (study.name, None)


def test_imported_labels_lead_through_the_upload_to_whoever_sent_it(setup):
    sender = setup.member("Sam", Role.ENGINEER)
    artefact = artefact_make(setup, version_make(setup, sender=principal_of_user(sender)))
    lineage = setup.client().get(f"/api/artefacts/{artefact.id}/lineage").json()
    nodes = {node["id"]: node for node in lineage["nodes"]}
    (upload,) = (node for node in lineage["nodes"] if node["kind"] == "import")
    assert (upload["by"], nodes[sender.id]["kind"]) == ("Sam", "person")
    assert [start for start, end in lineage["edges"] if end == sender.id] == [upload["id"]]
    annotations = {end for start, end in lineage["edges"] if nodes[start]["kind"] == "item"}
    assert {(annotation, upload["id"]) for annotation in annotations} <= {tuple(edge) for edge in lineage["edges"]}


def test_files_are_handed_out_and_nothing_beside_them(setup, artefact):
    client = setup.client()
    reply = client.get(f"/api/artefacts/{artefact.id}/files/model.onnx")
    assert reply.status_code == 200
    assert len(b"".join(reply.streaming_content)) > 100
    assert client.get(f"/api/artefacts/{artefact.id}/files/samples/0.png").status_code == 200
    sizes = {each["name"]: each["size_bytes"] for each in client.get(f"/api/artefacts/{artefact.id}/files").json()}
    assert sizes["model.onnx"] == int(reply["Content-Length"])
    for name in ("../../modelyard.sqlite3", "samples", "nothing.bin"):
        assert client.get(f"/api/artefacts/{artefact.id}/files/{name}").status_code == 404
    page = client.get(f"/api/workspaces/{setup.workspace.id}/audit?action=artefact.downloaded").json()["items"]
    texts = [row["text"]["en"] for row in page if row["action"] == "artefact.downloaded"]
    assert texts == ["Downloaded the file samples/0.png of a model", "Downloaded the file model.onnx of a model"]


def test_a_model_is_measured_on_a_later_version(setup, artefact, tmp_path):
    client = setup.client()
    later = version_make(setup, num_items=30, first=100)
    body = {"version": later.id, "split": "test"}
    reply = post(client, f"/artefacts/{artefact.id}/evaluate", body)
    assert reply.status_code == 202
    job = Job.objects.get(id=reply.json()["id"])
    assert post(client, f"/artefacts/{artefact.id}/evaluate", body).json()["id"] == job.id  # no second one while it waits
    spec = job_prepare(job, tmp_path)
    assert (tmp_path / spec.artefact / "model.onnx").is_file()
    assert (tmp_path / "data" / "version.json").is_file()
    evaluation_succeed(job)
    measured = client.get(f"/api/artefacts/{artefact.id}/evaluations").json()
    assert {(each["version"], each["split"]) for each in measured} >= {(later.id, "test")}
    assert post(client, f"/artefacts/{artefact.id}/evaluate", body).json()["id"] != job.id  # it ended: measure again


def evaluation_succeed(job):
    result_keep(job, accuracy=0.7)
    job_move(job, JobState.LEASED)
    job_end(job, JobState.SUCCEEDED)


def test_a_failed_evaluation_leaves_no_numbers(setup, artefact):
    later = version_make(setup, num_items=30, first=100)
    job = artefact_evaluate(artefact=artefact, version=later, split=Split.TEST, actor=setup.actor)
    job_move(job, JobState.LEASED)
    job_end(job, JobState.FAILED)
    assert not Evaluation.objects.filter(version=later).exists()


def test_other_labels_cannot_be_measured(setup, artefact):
    setup.refresh()
    setup.labels(*LABELS, "bird")
    later, _ = version_commit(dataset=setup.dataset, actor=setup.actor)
    reply = post(setup.client(), f"/artefacts/{artefact.id}/evaluate", {"version": later.id, "split": "test"})
    assert (reply.status_code, reply.json()["code"]) == (422, "evaluation_unfit")


def test_rights(setup, artefact):
    viewer = setup.client(setup.member("vera", Role.VIEWER))
    body = {"stage": "production", "reason": "why not"}
    assert viewer.get(f"/api/artefacts/{artefact.id}").status_code == 200
    assert post(viewer, f"/artefacts/{artefact.id}/promote", body).status_code == 403
    stranger = setup_make(email="eve@example.org").client()
    for path in ("", "/report", "/report/items", "/lineage", "/evaluations", "/stages", "/files/model.onnx"):
        assert stranger.get(f"/api/artefacts/{artefact.id}{path}").status_code == 404
    assert post(setup.client(), f"/artefacts/{artefact.id}/promote", {"stage": "production", "reason": ""}).status_code == 422
    assert post(setup.client(), f"/artefacts/{artefact.id}/promote", body).json()["stage"] == "production"
    assert setup.client().get(f"/api/artefacts/{artefact.id}/stages").json()[0]["reason"] == "why not"
