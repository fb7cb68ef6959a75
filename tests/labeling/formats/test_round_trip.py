"""Every format found by listing: what it writes it reads, and what it cannot carry it names."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from automl.contracts.annotation import Box, ClassLabel
from automl.contracts.dataset import LabelSet
from studio.datasets.files.formats import LOSSES, Facet, format_detect, format_load, format_losses, format_names
from studio.datasets.items.annotation_scale import annotations_scaled
from tests.labeling.formats.material import claimed, missing, read, versions, write

FORMATS = tuple(name for name in format_names(is_written=True) if name != "table_rows")  # see test_table_rows


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_what_a_format_writes_it_reads(name, data):
    form = format_load(name)
    version = data.draw(versions(form))
    written = write(form, version)
    assert format_detect(written.names, claimed(written)) == name
    reading, blob_of = read(form, written)
    assert reading.complaints == []
    found = {blob_of[path]: annotations for path, annotations in reading.annotations.items()}
    assert found.keys() == {record.blob for record in version.records}
    for record in version.records:
        annotations = found[record.blob]
        if reading.is_relative:
            annotations = annotations_scaled(annotations, width=record.media.width, height=record.media.height)
        with_ids = Facet.IDS in form.KEEPS or "relation" in form.KINDS
        assert missing(record.annotations, annotations, with_ids=with_ids) == []
    splits = {blob_of[path]: split for path, split in reading.splits.items()}
    assert splits == {record.blob: record.split for record in version.records}
    if Facet.COLORS in form.KEEPS:
        assert {one.name: one.color for one in reading.labels.values()} == {
            one.name: one.color for one in version.labels.labels
        }
    if Facet.SKELETONS in form.KEEPS:
        skeleton = version.labels.labels[0].skeleton
        assert reading.labels[version.labels.names[0]].skeleton == skeleton


@pytest.mark.parametrize("name", format_names())
def test_what_a_format_cannot_carry_it_names(name):
    form = format_load(name)
    losses = format_losses(form)
    assert set(losses) | set(form.KEEPS) == set(Facet)
    assert all(LOSSES[loss].en and LOSSES[loss].zh for loss in losses)
    assert form.KINDS
    assert form.MEDIA
    assert form.TITLE.zh


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_other_kinds_are_left_out_and_harm_nothing(name, data):
    form = format_load(name)
    version = data.draw(versions(form))
    foreign = [ClassLabel(label="a")] if "class" not in form.KINDS else []
    foreign += [Box(label="a", x=1, y=1, width=1, height=1)] if "box" not in form.KINDS else []
    records = [one.model_copy(update={"annotations": (*one.annotations, *foreign)}) for one in version.records]
    written = write(form, type(version)(version.labels, records, version.blobs))
    reading, blob_of = read(form, written)
    assert reading.complaints == []
    assert {blob_of[path] for path in reading.annotations} == {record.blob for record in records}
    kinds = {one.kind for annotations in reading.annotations.values() for one in annotations}
    assert kinds <= form.KINDS


@pytest.mark.parametrize("name", FORMATS)
def test_an_empty_version_is_written(name):
    form = format_load(name)
    files = list(form.write(iter(()), labels=LabelSet(), blob=lambda _: b""))
    for file in files:
        assert file.blob is None
        assert file.data or file.chunks is not None or file.path.endswith("labelmap.txt")


def test_formats_are_found_by_listing_and_a_wrong_name_lists_them():
    assert {"coco", "csv_labels", "cvat", "image_folder", "label_studio", "voc", "yolo"} < set(FORMATS)
    assert not any(name.startswith("_") for name in FORMATS)
    with pytest.raises(LookupError, match=", ".join(format_names())):
        format_load("polaroid")
