"""The report of a model that reads texts: what stands behind its numbers can be read."""

import pytest

from automl.contracts.dataset import Split, blob_path
from engine.data.version import DatasetVersion
from studio.datasets.items.present import SHOWN_CHARACTERS
from studio.datasets.models import Item
from studio.jobs.handlers import job_prepare
from studio.registry.services import artefact_evaluate
from tests.studio.registry.test_registry_api import items_of
from tests.studio.studies.material import artefact_make, text_version_make
from tests.support.project_setup import setup_make


@pytest.fixture
def setup(db, home):
    return setup_make(task="text_classification")


@pytest.fixture
def artefact(setup):
    return artefact_make(setup, text_version_make(setup))


def test_each_judged_item_comes_with_its_text(setup, artefact):
    page = items_of(setup.client(), artefact, split="test", order="loss", limit=200)
    texts = dict(Item.objects.values_list("id", "text"))
    assert page["items"]
    assert all(item["text"] == texts[item["item"]] for item in page["items"])
    assert all((item["width_px"], item["height_px"]) == (0, 0) for item in page["items"])
    losses = [item["loss"] for item in page["items"]]
    assert losses == sorted(losses, reverse=True)


def test_a_long_text_is_shown_by_its_beginning_and_one_that_is_gone_not_at_all(setup, artefact):
    first, second = items_of(setup.client(), artefact, split="test", limit=2)["items"]
    long = "很长" * SHOWN_CHARACTERS
    Item.objects.filter(id=first["item"]).update(text=long)
    Item.objects.filter(id=second["item"]).delete()
    shown, gone = items_of(setup.client(), artefact, split="test", limit=2)["items"]
    assert shown["text"] == long[:SHOWN_CHARACTERS]
    assert (gone["text"], gone["thumbnail_url"], gone["name"]) == (None, None, second["item"])


def test_the_golden_samples_are_handed_out_as_texts(setup, artefact):
    reply = setup.client().get(f"/api/artefacts/{artefact.id}/files/samples/0.txt")
    assert reply.status_code == 200
    assert b"".join(reply.streaming_content) == b"Good!"
    assert setup.client().get(f"/api/artefacts/{artefact.id}/files/tokenizer.json").status_code == 200


def test_what_a_later_measurement_reads_is_placed(setup, artefact, tmp_path):
    later = text_version_make(setup, num_items=30, first=100)
    job = artefact_evaluate(artefact=artefact, version=later, split=Split.TEST, actor=setup.actor)
    spec = job_prepare(job, tmp_path)
    assert (spec.task, (tmp_path / spec.artefact / "tokenizer.json").is_file()) == ("text_classification", True)
    placed = DatasetVersion.open(tmp_path / "data").records()
    texts = dict(Item.objects.values_list("id", "text"))
    assert len(placed) == len(texts)
    assert all((tmp_path / "data" / blob_path(one.blob)).read_text() == texts[one.item] for one in placed)
    assert all(one.media.num_characters == len(texts[one.item].strip()) for one in placed)
