"""Makes the archives beside it with other people's packages: ``python make_peers.py datumaro`` (or another of ``MAKERS``).

Four pictures of 40 x 30, three of them with boxes, in the splits train, val and test. README.md beside this file names the
packages and their versions.
"""

from __future__ import annotations

import io
import json
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

HERE = Path(__file__).parent
LABELS = ("cat", "traffic light")
PICTURES: dict[str, tuple[str, str, list[tuple[str, tuple[float, float, float, float]]]]] = {
    # name: split, class, boxes as x, y, width, height
    "one": ("train", "cat", [("cat", (2, 3, 10, 5)), ("traffic light", (20, 10, 15, 12))]),
    "sub/two": ("train", "traffic light", [("traffic light", (1, 2, 8, 9))]),
    "花": ("val", "cat", [("cat", (5, 6, 7, 8))]),
    "none": ("test", "traffic light", []),
}


def pixels(name: str, sides: tuple[int, int] = (30, 40)) -> np.ndarray:
    """A picture of its own for each name."""
    seed = list(PICTURES).index(name)
    return np.full((*sides, 3), 40 + 30 * seed, dtype=np.uint8)


def png(name: str) -> bytes:
    out = io.BytesIO()
    Image.fromarray(pixels(name)).save(out, "PNG")
    return out.getvalue()


def packed(name: str, folder: Path) -> None:
    """One archive of all files below a folder."""
    with zipfile.ZipFile(HERE / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.writestr(zipfile.ZipInfo(str(path.relative_to(folder)), (2026, 1, 1, 0, 0, 0)), path.read_bytes())


def by_datumaro() -> None:
    from datumaro.components.annotation import AnnotationType, Bbox, Label, LabelCategories, Mask, RotatedBbox
    from datumaro.components.dataset import Dataset
    from datumaro.components.dataset_base import DatasetItem
    from datumaro.components.media import Image as Media

    names = LabelCategories.from_iterable(LABELS)

    def boxes(name: str) -> list[Any]:
        found = PICTURES[name][2]
        extra = {"truncated": 0.0, "occluded": False, "score": 1.0}
        return [
            Bbox(*place, label=LABELS.index(label), id=at, group=at, attributes=extra)
            for at, (label, place) in enumerate(found)
        ]

    def turned(name: str) -> list[Any]:
        return [
            RotatedBbox(x + w / 2, y + h / 2, w, h, 0, label=LABELS.index(label), id=at)
            for at, (label, (x, y, w, h)) in enumerate(PICTURES[name][2])
        ]

    def classes(name: str) -> list[Any]:
        return [Label(LABELS.index(PICTURES[name][1]))]

    def masks(name: str) -> list[Any]:
        out = []
        for at, (label, (x, y, width, height)) in enumerate(PICTURES[name][2]):
            image = np.zeros((30, 40), dtype=np.uint8)
            image[y : y + height, x : x + width] = 1
            out.append(Mask(image, label=LABELS.index(label), id=at, group=at))
        return out

    def classes_of_some(name: str) -> list[Any]:
        return [] if name == "none" else classes(name)

    def dataset(make: Any, sides: tuple[int, int], *, is_grey: bool) -> Any:
        items = []
        for name, (split, *_) in PICTURES.items():
            shown = pixels(name, sides)
            media = Media.from_numpy(shown[..., 0] if is_grey else shown, ext=".png")
            items.append(DatasetItem(name, subset=split, media=media, annotations=make(name)))
        return Dataset.from_iterable(items, categories={AnnotationType.label: names})

    forms = {
        "kitti_detection": boxes,
        "open_images": boxes,
        "wider_face": boxes,
        "datumaro": boxes,
        "dota": turned,
        "imagenet_txt": classes,
        "imagenet_with_subset_dirs": classes,
        "voc_classification": classes,
        "voc_segmentation": masks,
        "cifar": classes,
        "camvid": masks,
        "cityscapes": masks,
        "kitti_segmentation": masks,
    }
    jobs = [(form, form, make, (32, 32) if form == "cifar" else (30, 40)) for form, make in forms.items()]
    jobs += [("cifar-sizes", "cifar", classes_of_some, (30, 40)), ("mnist_csv", "mnist_csv", classes, (28, 28))]
    jobs += [("mnist_csv-sizes", "mnist_csv", classes_of_some, (30, 40))]
    jobs += [("imagenet-no_label", "imagenet_with_subset_dirs", classes_of_some, (30, 40))]
    for file, form, make, sides in jobs:
        folder = Path(tempfile.mkdtemp())
        dataset(make, sides, is_grey=form == "mnist_csv").export(str(folder), form, save_media=True)
        packed(f"datumaro-{file}", folder)
        shutil.rmtree(folder)


def by_datasets() -> None:
    from datasets import ClassLabel, Dataset, DatasetDict, Features, List, Value
    from datasets import Image as Picture

    split_of = {"train": "train", "val": "validation", "test": "test"}
    category = ClassLabel(names=list(LABELS))
    objects = {"id": List(Value("int64")), "bbox": List(List(Value("float32"), length=4)), "category": List(category)}
    features = {
        "classes": Features({"image": Picture(), "label": category}),
        "objects": Features({"image": Picture(), "width": Value("int32"), "height": Value("int32"), "objects": objects}),
        "several": Features({"image": Picture(), "labels": List(category)}),
    }

    def row(kind: str, name: str) -> dict[str, Any]:
        # The pictures' bytes go into the file, as with ``push_to_hub``.
        path = {"bytes": png(name), "path": f"{name.replace('/', '_')}.png"}
        _, label, boxes = PICTURES[name]
        if kind == "classes":
            return {"image": path, "label": label}
        if kind == "several":
            return {"image": path, "labels": sorted({one for one, _ in boxes})}
        objects = {"id": list(range(len(boxes))), "bbox": [place for _, place in boxes], "category": [one for one, _ in boxes]}
        return {"image": path, "width": 40, "height": 30, "objects": objects}

    for kind, described in features.items():
        parts = {}
        for split, theirs in split_of.items():
            rows = [row(kind, name) for name in PICTURES if PICTURES[name][0] == split]
            parts[theirs] = Dataset.from_list(rows, features=described)
        whole = DatasetDict(parts)
        folder = Path(tempfile.mkdtemp())
        (folder / "data").mkdir()
        for split, part in whole.items():
            part.to_parquet(str(folder / "data" / f"{split}-00000-of-00001.parquet"))
        packed(f"datasets-parquet-{kind}", folder)
        shutil.rmtree(folder)
        folder = Path(tempfile.mkdtemp())
        whole.save_to_disk(str(folder))
        packed(f"datasets-save_to_disk-{kind}", folder)
        shutil.rmtree(folder)
    texts = Features({"text": Value("string"), "label": ClassLabel(names=["bad", "good"])})
    rows = {"train": [("a fine day", "good"), ("a sad day", "bad")], "test": [("so very fine", "good")]}
    whole = DatasetDict(
        {key: Dataset.from_list([{"text": t, "label": one} for t, one in part], features=texts) for key, part in rows.items()}
    )
    folder = Path(tempfile.mkdtemp())
    whole.save_to_disk(str(folder))
    packed("datasets-save_to_disk-texts", folder)


def by_webdataset() -> None:
    import webdataset as wds

    def shards(name: str, rows: Any, **more: bytes) -> None:
        folder = Path(tempfile.mkdtemp())
        with wds.TarWriter(str(folder / "x.tar")) as sink:
            for one, (split, label, _) in PICTURES.items():
                sink.write({"__key__": f"{split}/{one.replace('/', '_')}", "png": png(one)} | rows(label))
        shutil.copy(folder / "x.tar", HERE / f"webdataset-{name}.tar")

    shards("cls", lambda label: {"cls": LABELS.index(label)})
    shards("json", lambda label: {"json": {"label": label, "caption": "a picture"}})
    shards("txt", lambda label: {"txt": label})


def by_label_studio() -> None:
    from label_studio_sdk.converter import Converter

    config = {
        "boxes": '<View><Image name="image" value="$image"/><RectangleLabels name="label" toName="image">'
        '<Label value="cat"/><Label value="traffic light"/></RectangleLabels></View>',
        "classes": '<View><Image name="image" value="$image"/><Choices name="choice" toName="image">'
        '<Choice value="cat"/><Choice value="traffic light"/></Choices></View>',
        "texts": '<View><Text name="text" value="$text"/><Choices name="sentiment" toName="text" choice="multiple">'
        '<Choice value="good"/><Choice value="bad"/></Choices></View>',
    }
    texts = {"a fine day": ["good"], 'a sad day, "really"': ["bad"], "neither 花": ["good", "bad"]}

    def results(kind: str, name: str) -> list[dict[str, Any]]:
        _, label, boxes = PICTURES[name]
        if kind == "classes":
            return [{"id": "c", "from_name": "choice", "to_name": "image", "type": "choices", "value": {"choices": [label]}}]
        size = {"original_width": 40, "original_height": 30, "image_rotation": 0}
        return [
            size
            | {"id": f"r{at}", "from_name": "label", "to_name": "image", "type": "rectanglelabels"}
            | {
                "value": {"x": x / 0.4, "y": y / 0.3, "width": w / 0.4, "height": h / 0.3, "rotation": 0}
                | {"rectanglelabels": [label]}
            }
            for at, (label, (x, y, w, h)) in enumerate(boxes)
        ]

    for kind, labels in config.items():
        tasks = []
        if kind == "texts":
            for number, (text, class_name) in enumerate(texts.items(), start=1):
                result = [
                    {
                        "id": "c",
                        "from_name": "sentiment",
                        "to_name": "text",
                        "type": "choices",
                        "value": {"choices": class_name},
                    }
                ]
                tasks.append({"id": number, "data": {"text": text}, "annotations": [{"id": number, "result": result}]})
        else:
            for number, name in enumerate(PICTURES, start=1):
                data = {"image": f"/data/upload/1/0a1b2c3d-{name.replace('/', '_')}.png"}
                annotation = {"id": number, "was_cancelled": False, "completed_by": 1, "result": results(kind, name)}
                tasks.append({"id": number, "data": data, "annotations": [annotation], "predictions": []})
        work = Path(tempfile.mkdtemp())
        (work / "in").mkdir()
        (work / "in" / "tasks.json").write_text(json.dumps(tasks))
        for form in ("JSON", "JSON_MIN", "CSV", "TSV"):
            folder = work / form
            if form == "JSON":  # as the server gives it
                folder.mkdir()
                (folder / "result.json").write_text(json.dumps(tasks))
            else:
                Converter(config=labels, project_dir=None).convert(str(work / "in"), str(folder), form, is_dir=True)
            if kind != "texts":
                for name in PICTURES:
                    (folder / f"{name.replace('/', '_')}.png").write_bytes(png(name))
            packed(f"label_studio-{form.lower()}-{kind}", folder)


MAKERS = {"datumaro": by_datumaro, "datasets": by_datasets, "webdataset": by_webdataset, "label_studio": by_label_studio}

if __name__ == "__main__":
    MAKERS[sys.argv[1]]()
