"""Every malformed file and archive ends in words with the file's name, and the others go on; in bounded memory."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from studio.datasets.files.picture import PictureRefusedError, picture_read
from studio.datasets.files.reasons import NOTES, REASONS
from studio.datasets.models import Item, Reject
from tests.studio.datasets.bad_files import ARCHIVES, FILES, Archive, Case
from tests.support.platform_process import ROOT
from tests.support.project_setup import ingest, picture, tar_of, zip_of


def test_the_table_is_long_and_every_word_is_there():
    assert len(FILES) + len(ARCHIVES) >= 100
    codes = {case.code for case in FILES} | {code for archive in ARCHIVES for code in archive.rejects.values()}
    assert codes - {None} <= set(REASONS)
    assert set(REASONS) >= NOTES
    assert all(text.en and text.zh for text in REASONS.values())


@pytest.mark.parametrize("case", FILES, ids=lambda case: case.id or case.name[:20])
def test_a_file_among_good_ones(setup, case: Case):
    pack = tar_of if len(case.name) % 2 else zip_of  # each way of packing gets its half
    upload = ingest(setup.dataset, pack({"good-1.png": picture(1), case.name: case.data(), "good-2.png": picture(2)}))
    assert upload.state == "done"
    found = {item.name: (item.width, item.height) for item in Item.objects.all()}
    assert found.pop("good-1.png") == found.pop("good-2.png") == (40, 30)
    assert list(found.values()) == ([case.size] if case.size else [])
    rejects = list(Reject.objects.values_list("name", "code"))
    assert [code for _, code in rejects] == ([case.code] if case.code else [])
    for name, _ in rejects:
        assert name.isprintable()
        assert name.split(".")[-1].split("\\")[-1] in case.name.replace("\n", "")


@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda archive: archive.name)
def test_a_whole_archive(setup, archive: Archive):
    upload = ingest(setup.dataset, archive.data(), name=archive.name)
    assert upload.state == "done"
    assert dict(Reject.objects.values_list("name", "code")) == archive.rejects
    assert tuple(sorted(Item.objects.values_list("name", flat=True))) == archive.items


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF"])
def test_a_picture_with_flipped_bytes_is_read_or_refused_in_words(form):
    rng = random.Random(form)
    whole = picture(5, form=form)
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 8)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        end = rng.randint(1, len(data)) if rng.random() < 0.3 else len(data)
        assert _note_or_code(bytes(data[:end])) in {None, *REASONS}


def _note_or_code(data: bytes) -> str | None:
    try:
        return picture_read(data).note
    except PictureRefusedError as error:
        return error.code


_HUNGRY = """
import io, resource, sys
from concurrent.futures import ThreadPoolExecutor
from PIL import Image
from studio.datasets.files.picture import picture_read

out = io.BytesIO()
Image.new("RGBA", (10000, 10000), (9, 9, 9, 128)).save(out, "PNG", compress_level=1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
data = out.getvalue()
with ThreadPoolExecutor(4) as pool:
    assert len({picture.thumbnail for picture in pool.map(picture_read, [data] * 3)}) == 1
print(before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_the_largest_pictures_are_decoded_one_at_a_time():
    """Four bytes a pixel are 400 MB; making the test's own picture took as much, so the highest mark hardly moves."""
    command = [sys.executable, "-c", _HUNGRY]
    ended = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": "platform:."}, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    before_kb, after_kb = map(int, ended.stdout.split())
    assert after_kb - before_kb < 150_000, ended.stdout
