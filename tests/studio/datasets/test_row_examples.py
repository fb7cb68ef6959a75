"""A project of rows without data is given a real table, and its target is chosen: of an example everybody knows it."""

from __future__ import annotations

import pytest

from studio.datasets.handlers import job_run
from studio.datasets.items.table_schema import schema_of
from studio.datasets.models import Item, Upload
from studio.datasets.uploads.examples import examples_collect
from studio.jobs.models import Job
from tests.support.platform_process import ASSETS, assets_fetched
from tests.support.project_setup import InMemoryReporter, home, setup_make

__all__ = ["home"]


@pytest.fixture(scope="module", autouse=True)
def store():
    return assets_fetched("vega_cars")


@pytest.mark.parametrize(
    ("predicts", "target", "num_labelled"), [("category", "origin", 390), ("number", "miles_per_gallon", 398)]
)
def test_examples_come_with_their_target(db, home, settings, predicts, target, num_labelled):
    settings.ASSETS_DIR = ASSETS
    setup = setup_make(task="tabular_prediction", options={"predicts": predicts})
    upload, job = examples_collect(dataset=setup.dataset, actor=setup.actor)
    job_run(Job.objects.get(id=job.id), InMemoryReporter())
    assert Upload.objects.get(id=upload.id).num_items == 406
    setup.dataset.refresh_from_db()
    assert schema_of(setup.dataset).target.name == target
    job_run(Job.objects.get(kind="label_rows"), InMemoryReporter())
    items = Item.objects.filter(dataset=setup.dataset)
    assert items.count() == 406
    assert items.filter(state="annotated").count() == num_labelled
    setup.refresh()
    assert setup.project.labels.names == (("Europe", "Japan", "USA") if predicts == "category" else ())
