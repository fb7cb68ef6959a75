"""Notes that the platform writes are data to pages, whoever wrote the note."""

from __future__ import annotations

import pytest

from studio.datasets.versions.manifest import version_commit
from studio.datasets.versions.version_note import restore_note, restored_number
from tests.support.project_setup import ingest, picture, zip_of


def test_a_note_of_a_restore_tells_which_version_was_restored():
    assert restored_number(restore_note(12)) == 12
    assert restored_number("Before version 3 was restored") == 3  # as it was written from the beginning


@pytest.mark.parametrize(
    "note", ["", "stricter labels", "Before version 3 was restored, by Ada", "Before version x was restored"]
)
def test_notes_of_people_stay_what_they_are(note):
    assert restored_number(note) is None


def test_the_endpoint_gives_both(setup):
    ingest(setup.dataset, zip_of({f"rose/{n}.png": picture(n) for n in range(3)}), labels="folder")
    setup.refresh()
    version, _ = version_commit(dataset=setup.dataset, actor=setup.actor, note=restore_note(4))
    answer = setup.client().get(f"/api/versions/{version.id}").json()
    assert (answer["note"], answer["note_restored_number"]) == ("Before version 4 was restored", 4)
