"""Uploads become items: labels, duplicates, and every kind of bad file listed while the rest goes on."""

from __future__ import annotations

import io
import zipfile

import pytest
from PIL import Image

from studio.common.blob_fields import blobs_referenced
from studio.common.blobs import blobs
from studio.datasets.files import archive as archives
from studio.datasets.files.limits import Limits
from studio.datasets.handlers import job_ended, job_run
from studio.datasets.models import Item, ItemLabel, Reject, Upload
from studio.datasets.uploads.selectors import upload_page
from studio.jobs.models import Job
from tests.support.project_setup import InMemoryReporter, ingest, picture, tar_of, upload_sealed, zip_of

pytestmark = pytest.mark.both_databases


def rejects(upload: Upload) -> dict[str, str]:
    return dict(Reject.objects.filter(upload=upload).values_list("name", "code"))


def labels(dataset) -> dict[str, list[str]]:
    rows = Item.objects.filter(dataset=dataset, deleted_at=None)
    return {row.name: [one["label"] for one in row.annotations] for row in rows if row.annotations is not None}


@pytest.mark.parametrize("pack", ["zip", "gz", "bz2", "xz", ""])
def test_folders_of_an_archive_become_labels(setup, pack):
    files = {
        "flowers/rose/1.png": picture(1),
        "flowers/rose/2.png": picture(2),
        "flowers/tulip/3.png": picture(3),
        "flowers/loose.png": picture(4),
        "__MACOSX/flowers/rose/._1.png": b"noise",
        "flowers/rose/.DS_Store": b"noise",
        "flowers/Thumbs.db": b"noise",
    }
    data = zip_of(files) if pack == "zip" else tar_of(files, compression=pack)
    upload = ingest(setup.dataset, data, name="flowers", labels="folder")
    assert (upload.state, upload.num_items, upload.num_labelled) == ("done", 4, 3)
    assert labels(setup.dataset) == {
        "flowers/rose/1.png": ["rose"],
        "flowers/rose/2.png": ["rose"],
        "flowers/tulip/3.png": ["tulip"],
    }
    assert rejects(upload) == {}
    setup.refresh()
    assert set(setup.project.labels.names) == {"rose", "tulip"}
    assert Item.objects.get(name="flowers/rose/1.png").provenance == f"import:{upload.id}"


def test_an_upload_without_labels_stays_unlabelled(setup):
    ingest(setup.dataset, zip_of({"rose/1.png": picture(1)}))
    assert Item.objects.get().state == "unlabelled"
    setup.refresh()
    assert setup.project.labels.names == ()


def test_the_same_bytes_are_one_item(setup):
    one = picture(1)
    first = ingest(setup.dataset, zip_of({"a.png": one, "copy/b.png": one, "c.png": picture(2)}))
    again = ingest(setup.dataset, one, name="again.png", kind="file")
    assert (first.num_items, first.num_duplicates) == (2, 1)
    assert (again.num_items, again.num_duplicates) == (0, 1)
    assert Item.objects.filter(dataset=setup.dataset).count() == 2


def test_facts_are_of_the_upright_picture_and_a_thumbnail_is_there(setup, home):
    exif = Image.Exif()
    exif[0x0112] = 6
    ingest(setup.dataset, picture(1, size=(640, 320), form="JPEG", exif=exif), name="turned.jpg", kind="file")
    item = Item.objects.get()
    assert (item.width, item.height, item.format) == (320, 640, "jpeg")
    thumbnail = home / "cache" / "thumbnails" / "256" / item.blob[:2] / f"{item.blob}.jpg"
    with Image.open(thumbnail) as small:
        assert small.size == (128, 256)


@pytest.mark.parametrize(
    ("form", "mode", "options"),
    [
        ("JPEG", "CMYK", {}),
        ("JPEG", "L", {}),
        ("PNG", "RGBA", {}),
        ("PNG", "P", {}),
        ("PNG", "I;16", {}),
        ("PNG", "1", {}),
        ("WEBP", "RGBA", {}),
        ("TIFF", "F", {}),
        ("TIFF", "CMYK", {}),
        ("BMP", "RGB", {}),
        ("GIF", "P", {}),
    ],
)
def test_every_usual_kind_of_picture_is_taken(setup, form, mode, options):
    upload = ingest(setup.dataset, picture(1, form=form, mode=mode, **options), name="one", kind="file")
    assert rejects(upload) == {}
    assert (Item.objects.get().width, Item.objects.get().height) == (40, 30)


def test_a_tar_that_breaks_off_keeps_what_came_before(setup):
    whole = tar_of({f"{n}.png": picture(n, size=(100, 100)) for n in range(4)}, compression="")
    upload = ingest(setup.dataset, whole[: len(whole) // 2], name="half.tar")
    assert 0 < upload.num_items < 4
    assert list(rejects(upload).values()) == ["archive_damaged"]


@pytest.mark.parametrize("pack", [zip_of, tar_of])
def test_an_archive_that_unpacks_to_far_too_much_is_stopped(home, pack):
    limits = Limits(ratio_free_bytes=2**20, max_ratio=50)
    path = home / "bomb"
    path.write_bytes(pack({"good.png": picture(1), "zeros.bmp": bytes(2**24), "late.png": picture(2)}))
    kind = archives.archive_kind(path)
    found = list(archives.archive_walk(path, kind, is_needed=lambda _: True, limits=limits))
    assert "compression_bomb" in [one.code for one in found if isinstance(one, archives.Fault)]
    assert max(len(one.data) for one in found if isinstance(one, archives.Entry)) < 2**20


@pytest.mark.parametrize("data", [b"", b"Rar!\x1a\x07\x00 something"])
def test_what_is_no_archive_is_named(setup, data):
    upload = ingest(setup.dataset, data, name="album.rar", kind="archive")
    assert rejects(upload) == {"album.rar": "archive_unknown"}


def test_entries_that_share_their_bytes_count_each_time(home):
    """A directory of many entries over one packed body: the archive is small, what comes out is not."""
    body = zip_of({"zeros.bmp": bytes(2**19)})
    at = body.index(b"PK\x01\x02")
    end = body.index(b"PK\x05\x06")
    many = 200
    tail = bytearray(body[end:])
    tail[8:12] = many.to_bytes(2, "little") * 2
    tail[12:16] = ((end - at) * many).to_bytes(4, "little")
    path = home / "shared.zip"
    path.write_bytes(body[:at] + body[at:end] * many + tail)
    limits = Limits(ratio_free_bytes=2**20, max_ratio=100)
    found = list(archives.archive_walk(path, archives.ArchiveKind.ZIP, is_needed=lambda _: True, limits=limits))
    assert found[-1] == archives.Fault("archive", "compression_bomb")
    assert len(found) < 20


def test_labels_from_a_chinese_windows_are_read(setup):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(zipfile.ZipInfo("??/1.png"), picture(1))
    # zipfile writes UTF-8 with a flag; a Chinese Windows writes GB 18030 without one
    data = out.getvalue().replace(b"??/1.png", "花".encode("gb18030") + b"/1.png")
    ingest(setup.dataset, data, labels="folder")
    assert labels(setup.dataset) == {"花/1.png": ["花"]}


def test_labels_come_from_a_table_in_the_archive(setup_of_several):
    setup = setup_of_several
    table = "file,label\na.png,red|round\npics/b.png,red\nmissing.png,red\nbroken-row\nd.png,\n"
    files = {
        "labels.csv": table.encode(),
        "a.png": picture(1),
        "pics/b.png": picture(2),
        "c.png": picture(3),
        "d.png": picture(4),
    }
    upload = ingest(setup.dataset, zip_of(files), labels="csv")
    assert labels(setup.dataset) == {"a.png": ["red", "round"], "pics/b.png": ["red"], "d.png": []}
    assert sorted(rejects(upload).values()) == ["label_file_missing", "label_row_invalid"]
    assert Item.objects.get(name="c.png").state == "unlabelled"


def test_a_table_alone_labels_items_that_are_there(setup):
    ingest(setup.dataset, zip_of({"x/a.png": picture(1), "y/a.png": picture(2), "y/b.png": picture(3)}))
    table = b"b.png;cat\na.png;dog\nx/a.png;dog\n"
    upload = ingest(setup.dataset, table, name="labels.csv", kind="labels_csv")
    assert labels(setup.dataset) == {"x/a.png": ["dog"], "y/b.png": ["cat"]}
    assert list(rejects(upload).values()) == ["label_file_ambiguous"]
    assert upload.num_labelled == 2
    setup.refresh()
    assert set(setup.project.labels.names) == {"cat", "dog"}


def test_an_import_never_overwrites_a_label(setup):
    one = picture(1)
    ingest(setup.dataset, zip_of({"rose/1.png": one, "tulip/2.png": picture(2)}), labels="folder")
    upload = ingest(setup.dataset, zip_of({"tulip/1.png": one, "rose/3.png": picture(3)}), labels="folder")
    assert labels(setup.dataset)["rose/1.png"] == ["rose"]
    assert rejects(upload) == {"tulip/1.png": "label_kept"}
    (listed,) = upload_page(setup.dataset, cursor=None, limit=1).items
    assert (listed.num_items, listed.num_duplicates, listed.num_rejected) == (1, 1, 0)  # kept, not refused


def test_two_copies_of_a_picture_add_up_their_labels_where_several_are_allowed(setup_of_several):
    one = picture(1)
    ingest(setup_of_several.dataset, zip_of({"red/1.png": one, "round/1.png": one, "red/2.png": picture(2)}), labels="folder")
    assert labels(setup_of_several.dataset)["red/1.png"] == ["red", "round"]


def test_several_labels_in_a_project_of_one_are_refused_by_name(setup):
    upload = ingest(setup.dataset, zip_of({"l.csv": b"a.png,x|y", "a.png": picture(1)}), labels="csv")
    assert rejects(upload) == {"a.png": "too_many_labels"}
    assert Item.objects.get().state == "unlabelled"


class _CrashError(Exception):
    """Stands for kill -9."""


def test_reading_again_after_a_crash_ends_as_if_nothing_had_happened(setup, monkeypatch):
    monkeypatch.setattr("studio.datasets.items.kinds.image.Pictures.files_at_once", 2)
    files = {f"{'rose' if n % 2 else 'tulip'}/{n}.png": picture(n) for n in range(6)} | {
        "rose/bad.png": b"",
        "rose/copy.png": picture(1),
    }
    upload, job = upload_sealed(setup.dataset, zip_of(files), name="f.zip", labels="folder")
    job = Job.objects.get(id=job.id)

    class Crashing(InMemoryReporter):
        def progress(self, stage, fraction, remaining_s=None):
            super().progress(stage, fraction, remaining_s)
            if len(self.fractions) == 2:
                raise _CrashError

    with pytest.raises(_CrashError):
        job_run(job, Crashing())
    assert 0 < Item.objects.count() < 6
    job_run(job, InMemoryReporter())
    upload.refresh_from_db()
    assert (upload.num_items, upload.num_duplicates, upload.num_labelled) == (6, 1, 7)
    assert rejects(upload) == {"rose/bad.png": "empty_file"}
    assert ItemLabel.objects.count() == 6
    job_run(job, InMemoryReporter())
    assert Item.objects.count() == 6


def test_an_archive_gives_its_bytes_back_and_a_picture_keeps_them(setup):
    archive, _ = upload_sealed(setup.dataset, zip_of({"a.png": picture(1)}), name="a.zip")
    job_run(Job.objects.get(subject=archive.id), InMemoryReporter())
    single = ingest(setup.dataset, picture(2), name="b.png", kind="file")
    assert blobs_referenced([archive.blob, single.blob]) == {single.blob}
    assert blobs().exists(single.blob)


def test_a_failed_job_leaves_an_upload_that_can_be_finished_again(setup):
    upload, job = upload_sealed(setup.dataset, zip_of({"a.png": picture(1)}), name="a.zip")
    Job.objects.filter(id=job.id).update(state="failed", ended_at=job.created_at)
    job_ended(Job.objects.get(id=job.id))
    upload.refresh_from_db()
    assert upload.state == "failed"
    from studio.datasets.uploads.services import upload_finish

    again, second = upload_finish(upload=upload, labels="none")
    assert again.state == "ingesting"
    assert second.id != job.id


def test_progress_grows_to_the_end(setup):
    _, job = upload_sealed(setup.dataset, zip_of({f"{n}.png": picture(n) for n in range(70)}), name="a.zip")
    reporter = InMemoryReporter()
    job_run(Job.objects.get(id=job.id), reporter)
    assert reporter.fractions == sorted(reporter.fractions)
    assert 0.5 < reporter.fractions[-1] <= 1.0
