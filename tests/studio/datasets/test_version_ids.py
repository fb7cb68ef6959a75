"""Ids of versions stay for ever: trials, models and archives name them, and any other id would be another version."""

from __future__ import annotations

import hashlib

from django.utils import timezone

from automl.contracts.annotation import (
    Annotations,
    AttributeValue,
    Box,
    ClassLabel,
    Keypoint,
    Keypoints,
    Mask,
    Polygon,
    RotatedBox,
    TextValue,
    Value,
)
from automl.contracts.dataset import Label, LabelSet, Skeleton, SkeletonEdge
from studio.datasets.items.services import dataset_create
from studio.datasets.models import Item
from studio.datasets.versions.manifest import version_commit
from studio.projects.models import Project

ANNOTATIONS = [
    (),
    (ClassLabel(label="rose"),),
    (ClassLabel(label='玫瑰 "é\\'), ClassLabel(label="rose", score=0.25, id="c1")),
    (Box(label="rose", x=1, y=2.5, width=30, height=1e-7, attributes=(AttributeValue(name="n", value=3.0),)),),
    (RotatedBox(label="rose", center_x=10, center_y=1e16, width=3, height=4, angle_deg=-30, score=1),),
    (Polygon(label="rose", points=((0, 0), (4, 0), (4, 4)), holes=(((1, 1), (2, 1), (2, 2)),)),),
    (Mask(label="rose", width=4, height=3, counts="04;"),),
    (Keypoints(label="rose", points=(Keypoint(name="tip", x=1, y=2), Keypoint(name="root", x=0, y=-1.5, visibility=1))),),
    (TextValue(text='"kind":"score"\n花'), Value(value=7)),
]
LABELS = LabelSet(
    labels=(
        Label(name="rose", skeleton=Skeleton(points=("tip", "root"), edges=(SkeletonEdge(start="tip", end="root"),))),
        Label(name='玫瑰 "é\\', color="#FF0000", parent="rose"),
    )
)


def sha(n: int) -> str:
    return hashlib.sha256(str(n).encode()).hexdigest()


def test_a_state_has_the_id_that_it_always_had(setup):
    project = Project.objects.create(
        id="prj_01hzzzzzzzzzzzzzzzzzzzzzzz",
        workspace=setup.workspace,
        name="Fixed",
        task="image_classification",
        task_options={"labels": "several"},
        label_set=LABELS.model_dump(mode="json"),
    )
    dataset = dataset_create(project=project)
    for n in range(40):
        annotations = ANNOTATIONS[n % len(ANNOTATIONS)]
        Item.objects.create(
            id=f"itm_{n * 7919 % 1000:026d}",
            dataset=dataset,
            name=f"picture {n}.jpg",
            blob=sha(n),
            width=640 + n,
            height=480,
            format="jpeg",
            size_bytes=5_000_000_000 + n,
            group="gröup" if n < 3 else sha(n),
            split=("train", "validation", "test")[n % 3],
            state="annotated",
            annotations=Annotations.dump_python(annotations, mode="json"),
            annotated_at=timezone.now(),
            split_by="import",
            provenance=f"person:usr_{n % 4}",
        )
    version, is_new = version_commit(dataset=dataset, actor=setup.actor)
    assert is_new
    assert version.manifest["content_sha256"] == "296b5013d528a762bda446201eb83ac156692b71a0cf4e24ac295e073181672a"
    assert version.id == "dsv_8a610cebb26d24938d0a3bb393"
