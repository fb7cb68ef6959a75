"""A note that the platform wrote is a code and its values; a person's note is a person's note, whatever it says."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps

from studio.datasets.models import DatasetVersion
from studio.datasets.versions.manifest import version_commit
from studio.datasets.versions.version_note import VersionNote, restore_note
from tests.support.project_setup import ingest, picture, zip_of

SENTENCE = "Before version 4 was restored"


@pytest.fixture
def read(setup):
    """Cuts a version with a note; gives what the endpoint answers of it."""
    ingest(setup.dataset, zip_of({f"rose/{n}.png": picture(n) for n in range(3)}), labels="folder")
    setup.refresh()

    def read(note: VersionNote) -> dict:
        version, _ = version_commit(dataset=setup.dataset, actor=setup.actor, note=note)
        return setup.client().get(f"/api/versions/{version.id}").json()

    return read


def test_the_endpoint_gives_the_sentence_and_the_number(read):
    answer = read(restore_note(4))
    assert (answer["note"], answer["note_restored_number"]) == (SENTENCE, 4)


def test_a_person_may_write_the_same_sentence(read):
    answer = read(VersionNote(SENTENCE))
    assert (answer["note"], answer["note_restored_number"]) == (SENTENCE, None)


@pytest.mark.parametrize(
    ("note", "number"),
    [
        (SENTENCE, 4),
        ("", None),
        ("stricter labels", None),
        (f"{SENTENCE}, by Ada", None),
        ("Before version x was restored", None),
        ("Before version 1234567890 was restored", None),
    ],
)
def test_the_migration_reads_the_notes_that_were_stored_before(read, setup, note, number):
    version = read(VersionNote(note))["id"]
    importlib.import_module("studio.datasets.migrations.0014_version_note").codes_fill(apps, None)
    answer = setup.client().get(f"/api/versions/{version}").json()
    assert (answer["note"], answer["note_restored_number"]) == (note, number)
    assert DatasetVersion.objects.get(id=version).note_code == ("" if number is None else "before_restore")
