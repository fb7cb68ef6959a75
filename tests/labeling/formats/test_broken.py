"""Whatever label files hold, reading ends in annotations and complaints with a place, never in an error."""

from __future__ import annotations

import hashlib
import json
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from automl.contracts.annotation import Box, ClassLabel, Mask, Polygon, Span
from automl.contracts.dataset import ItemRecord, Label, LabelSet, MediaFacts, Split
from automl.contracts.modality import Modality
from studio.datasets.files.formats import (
    LabelFileProblem,
    ParsedLabels,
    format_detect,
    format_load,
    format_names,
    reading_whole,
)
from studio.datasets.files.reasons import REASONS
from tests.labeling.formats.material import Version, Written, claimed, read, versions, write

ALL = tuple(name for name in format_names() if name != "table_rows")  # see test_table_rows
FORMATS = tuple(name for name in format_names(is_written=True) if name in ALL)
PACKED = {"huggingface"}
"""What is written here cannot be spoilt as text; see test_from_peers."""
NAMES = ["a.png", "b.png", "x/c.png", "y/c.png"]


def coco(**parts: object) -> bytes:
    images = [{"id": 1, "file_name": "a.png", "width": 4, "height": 4}]
    whole = {"images": images, "annotations": [], "categories": [{"id": 1, "name": "cat"}]}
    return json.dumps(whole | parts).encode()


def coco_one(**fields: object) -> bytes:
    return coco(annotations=[{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1]} | fields])


def voc(inner: str, name: str = "a.png") -> bytes:
    return f"<annotation><filename>{name}</filename>{inner}</annotation>".encode()


def voc_box(xmin: object, xmax: object, label: str = "cat") -> bytes:
    corners = f"<xmin>{xmin}</xmin><ymin>0</ymin><xmax>{xmax}</xmax><ymax>2</ymax>"
    return voc(f"<object><name>{label}</name><bndbox>{corners}</bndbox></object>")


def labelme(shape: object) -> bytes:
    return json.dumps({"imagePath": "a.png", "imageWidth": 4, "imageHeight": 4, "shapes": [shape]}).encode()


def studio(result: object, **data: object) -> bytes:
    task = {"data": {"image": "/data/upload/1/0a1b2c3d-a.png"} | data, "annotations": [{"result": [result]}]}
    return json.dumps([task]).encode()


def region(**value: object) -> dict[str, object]:
    return {"type": "rectanglelabels", "original_width": 4, "original_height": 4, "value": {"rectanglelabels": ["cat"]} | value}


def cvat(inner: str, name: str = "a.png") -> bytes:
    return f'<annotations><image id="0" name="{name}" width="4" height="4">{inner}</image></annotations>'.encode()


def hub_one(boxes: list[object], labels: list[str]) -> bytes:
    return json.dumps({"file_name": "a.png", "objects": {"bbox": boxes, "categories": labels}}).encode()


def createml(one: object) -> bytes:
    return json.dumps([{"image": "a.png", "annotations": [one]}]).encode()


def datumaro(one: object) -> bytes:
    categories = {"label": {"labels": [{"name": "cat"}]}}
    return json.dumps({"infos": {}, "categories": categories, "items": [{"id": "a", "annotations": [one]}]}).encode()


def vertex(box: object) -> bytes:
    return json.dumps({"imageGcsUri": "gs://bucket/a.png", "boundingBoxAnnotations": [box]}).encode()


def studio_min(image: str, regions: list[object]) -> bytes:
    facts = {"id": 1, "annotator": 1, "annotation_id": 1, "lead_time": 2.5}
    return json.dumps([facts | {"image": f"/data/upload/1/0a1b2c3d-{image}", "k": regions}]).encode()


OPEN_IMAGES = b"ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax\n"
BILLION = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><annotations>&c;</annotations>'
OUTSIDE = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><annotation><filename>&b;</filename></annotation>'
DEEP = b"[" * 100_000

NASTY: list[tuple[str, str, bytes, str, str]] = [
    # format, file, bytes, code, place
    ("coco", "l.json", b"", "label_file_broken", "l.json"),
    ("coco", "l.json", DEEP, "label_file_broken", "l.json"),
    ("coco", "l.json", b"\xff\xfe\x00", "label_file_broken", "l.json"),
    ("coco", "l.json", b"[1, 2]", "label_file_broken", "l.json"),
    ("coco", "l.json", coco(annotations=7), "label_file_broken", "l.json"),
    ("coco", "l.json", coco(images=[{"id": 1}]), "annotation_invalid", "l.json: images[0]"),
    ("coco", "l.json", coco(images=[{"id": 1, "file_name": "no.png"}]), "label_file_missing", "l.json: images[0] no.png"),
    ("coco", "l.json", coco(images=[{"id": 1, "file_name": "c.png"}]), "label_file_ambiguous", "l.json: images[0] c.png"),
    ("coco", "l.json", coco(images=[{"id": [], "file_name": "a.png"}]), "annotation_invalid", "l.json: images[0]"),
    ("coco", "l.json", coco(categories=[{"id": 1, "name": ""}]), "label_invalid", "l.json: categories[0]"),
    ("coco", "l.json", coco(categories=[{"id": 1, "name": "a\nb"}]), "label_invalid", "l.json: categories[0]"),
    ("coco", "l.json", coco(categories=[5]), "annotation_invalid", "l.json: categories[0]"),
    ("coco", "l.json", coco(annotations=[5]), "annotation_invalid", "l.json: annotations[0]"),
    ("coco", "l.json", coco_one(category_id=9), "label_unknown", "l.json: annotations[0]"),
    ("coco", "l.json", coco_one(image_id=9), "label_image_missing", "l.json: annotations (× 1)"),
    ("coco", "l.json", coco_one(bbox=[0, 0, 0, 1]), "annotation_invalid", "l.json: annotations[0]"),
    ("coco", "l.json", coco_one(bbox=[0, 0, 1e999, 1]), "label_file_broken", "l.json"),
    ("coco", "l.json", coco_one(bbox=["0", None, 1, 1]), "annotation_invalid", "l.json: annotations[0]"),
    ("coco", "l.json", coco_one(score=7), "annotation_invalid", "l.json: annotations[0]"),
    ("coco", "l.json", coco_one(segmentation=[[1, 2, 3]]), "annotation_invalid", "l.json: annotations[0]"),
    ("coco", "l.json", coco_one(segmentation=[[1, 2], "x"]), "annotation_invalid", "l.json: annotations[0]"),
    (
        "coco",
        "l.json",
        coco_one(segmentation={"size": [4, 4], "counts": "~~~"}),
        "annotation_invalid",
        "l.json: annotations[0]",
    ),
    ("coco", "l.json", coco_one(segmentation={"size": [4, 4], "counts": [3]}), "annotation_invalid", "l.json: annotations[0]"),
    (
        "coco",
        "l.json",
        coco_one(segmentation={"size": [4, 4], "counts": [-3, 19]}),
        "annotation_invalid",
        "l.json: annotations[0]",
    ),
    ("coco", "l.json", coco_one(keypoints=[1, 2, 2, 3]), "annotation_invalid", "l.json: annotations[0]"),
    ("voc", "a.xml", b"<annotation>", "label_file_broken", "a.xml"),
    ("voc", "a.xml", OUTSIDE, "label_file_broken", "a.xml"),
    ("voc", "a.xml", b"<other/>", "label_file_broken", "a.xml"),
    ("voc", "z.xml", voc("", "z.png"), "label_file_missing", "z.xml"),
    ("voc", "a.xml", voc("<object/>"), "label_invalid", "a.xml: object[0]"),
    ("voc", "a.xml", voc_box(3, 1), "annotation_invalid", "a.xml: object[0]"),
    ("voc", "a.xml", voc_box("nan", 1), "annotation_invalid", "a.xml: object[0]"),
    ("voc", "a.xml", voc_box("inf", 1), "annotation_invalid", "a.xml: object[0]"),
    ("voc", "a.xml", voc_box(0, 1, "x" * 300), "label_invalid", "a.xml: object[0]"),
    ("labelme_xml", "a.xml", b"<annotation>", "label_file_broken", "a.xml"),
    ("labelme_xml", "z.xml", voc("", "z.png"), "label_file_missing", "z.xml"),
    ("labelme_xml", "a.xml", voc_box(0, 1), "annotation_invalid", "a.xml: object[0]"),
    ("labelme_xml", "a.xml", voc("<object><name>cat</name><segm/></object>"), "label_file_missing", "a.xml: object[0]"),
    ("labelme_xml", "a.xml", voc("<object><polygon/></object>"), "label_invalid", "a.xml: object[0]"),
    ("cvat", "l.xml", BILLION, "label_file_broken", "l.xml"),
    ("cvat", "l.xml", cvat("", "no.png"), "label_file_missing", "l.xml: image[0] no.png"),
    ("cvat", "l.xml", cvat('<box label="cat" xtl="0"/>'), "annotation_invalid", "l.xml: image[0].box[0]"),
    ("cvat", "l.xml", cvat('<polygon label="cat" points="1,2;3"/>'), "annotation_invalid", "l.xml: image[0].polygon[0]"),
    ("cvat", "l.xml", cvat('<cuboid label="cat"/>'), "shape_unknown", "l.xml: image[0].cuboid[0]"),
    (
        "cvat",
        "l.xml",
        cvat('<mask label="cat" rle="1, 99999999999" left="0" top="0" width="2" height="2"/>'),
        "annotation_invalid",
        "l.xml: image[0].mask[0]",
    ),
    ("yolo", "a.txt", b"0 0.5 0.5 0.1", "annotation_invalid", "a.txt:1"),
    ("yolo", "a.txt", b"0 0.5 0.5 0.1 0.1\n0 x y z w\n", "annotation_invalid", "a.txt:2"),
    ("yolo", "a.txt", b"-1 0.5 0.5 0.1 0.1", "annotation_invalid", "a.txt:1"),
    ("yolo", "a.txt", b"0 nan 0.5 0.1 0.1", "annotation_invalid", "a.txt:1"),
    ("yolo", "c.txt", b"0 0.5 0.5 0.1 0.1", "label_file_ambiguous", "c.txt"),
    ("yolo", "z.txt", b"0 0.5 0.5 0.1 0.1", "label_file_missing", "z.txt"),
    ("yolo", "data.yaml", b"names: [a, b", "label_file_broken", "data.yaml"),
    ("yolo", "data.yaml", b"names: {x: cat}", "label_invalid", "data.yaml: names[x]"),
    ("yolo", "data.yaml", b"!!python/object/apply:os.system ['true']", "label_file_broken", "data.yaml"),
    ("labelme", "a.json", b"{}", "label_file_broken", "a.json"),
    ("labelme", "a.json", labelme(5), "annotation_invalid", "a.json: shapes[0]"),
    ("labelme", "a.json", labelme({"label": "cat", "points": [[1]]}), "annotation_invalid", "a.json: shapes[0]"),
    ("labelme", "a.json", labelme({"label": 5.5, "points": [[1, 2]]}), "annotation_invalid", "a.json: shapes[0]"),
    ("labelme", "a.json", labelme({"label": "cat", "points": [], "shape_type": "star"}), "shape_unknown", "a.json: shapes[0]"),
    (
        "labelme",
        "a.json",
        labelme({"label": "cat", "points": [[0, 0], [1, 1]], "shape_type": "mask", "mask": "bm9wZQ=="}),
        "annotation_invalid",
        "a.json: shapes[0]",
    ),
    ("label_studio", "l.json", b"{", "label_file_broken", "l.json"),
    ("label_studio", "l.json", b"[5]", "annotation_invalid", "l.json: [0]"),
    ("label_studio", "l.json", b'[{"data": {"image": "no.png"}}]', "label_file_missing", "l.json: [0]"),
    ("label_studio", "l.json", studio(5), "annotation_invalid", "l.json: [0].result[0]"),
    ("label_studio", "l.json", studio(region(x=1)), "annotation_invalid", "l.json: [0].result[0]"),
    ("label_studio", "l.json", studio({"type": "ellipselabels", "value": {}}), "shape_unknown", "l.json: [0].result[0]"),
    (
        "label_studio",
        "l.json",
        studio(
            {"type": "brushlabels", "original_width": 4, "original_height": 4, "value": {"brushlabels": ["cat"], "rle": [1]}}
        ),
        "annotation_invalid",
        "l.json: [0].result[0]",
    ),
    ("easydl", "a.json", b'{"labels": 5}', "label_file_broken", "a.json"),
    ("easydl", "a.json", b'{"labels": [{"name": "cat", "x1": 1}]}', "annotation_invalid", "a.json: labels[0]"),
    ("easydl", "a.json", b'{"labels": [{"name": ""}]}', "label_invalid", "a.json: labels[0]"),
    ("csv_labels", "l.csv", b"file,label\nno.png,cat", "label_file_missing", "l.csv:2 no.png"),
    ("csv_labels", "l.csv", b"file,label\nc.png,cat", "label_file_ambiguous", "l.csv:2 c.png"),
    ("csv_labels", "l.csv", b"a.png", "label_row_invalid", "l.csv:1"),
    ("csv_labels", "l.csv", b'a.png,"' + b"x" * 1_200_000, "label_file_broken", "l.csv"),
    ("text_table", "l.csv", b'text,label\n"good one,a\nbad one,b\n', "table_quote_unclosed", "l.csv:2"),
    ("csv_labels", "l.csv", b'file,label\n"a.png,x\nb.png,y\n', "label_file_broken", "l.csv"),
    ("csv_labels", "l.csv", b"file,label,split\na.png,cat,maybe", "split_unknown", "l.csv:2 a.png"),
    ("csv_labels", "l.csv", b"file,label,xmin,ymin,xmax,ymax\na.png,cat,1,1,0,2", "annotation_invalid", "l.csv:2 a.png"),
    ("csv_labels", "l.xlsx", b"PK\x03\x04nonsense", "label_file_broken", "l.xlsx"),
    ("csv_labels", "l.parquet", b"PAR1nonsensePAR1", "label_file_broken", "l.parquet"),
    ("mask_png", "masks/a.png", b"not a picture", "label_file_broken", "masks/a.png"),
    ("mask_png", "masks/z.png", b"", "label_file_missing", "masks/z.png"),
    ("doccano", "l.jsonl", b"{\n", "label_file_broken", "l.jsonl:1"),
    ("doccano", "l.jsonl", b'{"text": "ab"}\n{"no": 1}', "label_row_invalid", "l.jsonl:2"),
    ("doccano", "l.jsonl", b'{"text": "ab", "label": [[0, 9, "X"]]}', "annotation_invalid", "l.jsonl:1 label[0]"),
    ("doccano", "l.jsonl", b'{"text": "ab", "label": [[1]]}', "annotation_invalid", "l.jsonl:1 label[0]"),
    ("conll", "l.conll", b'# text = "other"\nword B-PER\n', "token_not_in_text", "l.conll:1"),
    ("conll", "l.conll", b"word B-" + b"x" * 300 + b"\n", "label_invalid", "l.conll:1"),
    ("base64_tsv", "l.tsv", b"nothing\there\n", "label_row_invalid", "l.tsv:1"),
    ("webdataset", "a.json", b"[", "label_file_broken", "a.json"),
    ("webdataset", "z.cls", b"1", "label_file_missing", "z.cls"),
    ("webdataset", "a.json", b'{"annotations": [{"kind": "box"}]}', "annotation_invalid", "a.json"),
    ("text_table", "l.csv", b"text,label\na,b,c", "table_row_invalid", "l.csv:2"),
    ("text_table", "l.csv", b"text,label\n,b", "text_blank", "l.csv:2"),
    ("text_table", "l.csv", b"text,label\nab," + b"x" * 300, "label_invalid", "l.csv:2"),
    ("text_table", "l.csv", b"text,split\nab,maybe", "split_unknown", "l.csv:2"),
    ("text_table", "l.csv", b"", "table_without_texts", "l.csv"),
    ("text_table", "l.csv", b'text\n"' + b"x" * 1_200_000, "table_quote_unclosed", "l.csv:2"),
    ("text_table", "l.csv", b'text,label\n"good one,a\nbad one,b\n', "table_quote_unclosed", "l.csv:2"),
    ("csv_labels", "l.csv", b'file,label\n"a.png,x\nb.png,y\n', "label_file_broken", "l.csv"),
    ("text_table", "l.jsonl", b'{"text": "ab"}\n{', "table_row_invalid", "l.jsonl:3"),
    ("text_table", "l.json", b"[", "label_file_broken", "l.json"),
    ("text_table", "l.xlsx", b"PK\x03\x04nonsense", "label_file_broken", "l.xlsx"),
    ("text_table", "l.parquet", b"PAR1nonsensePAR1", "label_file_broken", "l.parquet"),
    ("huggingface", "x.parquet", b"PAR1nonsensePAR1", "label_file_broken", "x.parquet"),
    ("huggingface", "train/x.arrow", b"\xff\xff\xff\xff\x10\x00\x00\x00", "label_file_broken", "train/x.arrow"),
    ("hf_metadata", "metadata.jsonl", b'{"file_name": "no.png", "label": 1}', "label_file_missing", "metadata.jsonl:1"),
    ("hf_metadata", "metadata.jsonl", b'{"label": 1}', "label_row_invalid", "metadata.jsonl:1"),
    ("hf_metadata", "metadata.jsonl", hub_one([[0, 0, 1, 1]], []), "annotation_invalid", "metadata.jsonl:1 a.png"),
    ("hf_metadata", "metadata.jsonl", hub_one([[0, 0, 0, 1]], ["cat"]), "annotation_invalid", "metadata.jsonl:1 a.png"),
    ("hf_metadata", "metadata.jsonl", hub_one([[0, 0, 1, 1]], [""]), "label_invalid", "metadata.jsonl:1 a.png"),
    ("createml", "l.json", b"{}", "label_file_broken", "l.json"),
    ("createml", "l.json", b'[{"image": "no.png"}]', "label_file_missing", "l.json: [0]"),
    (
        "createml",
        "l.json",
        createml({"label": "cat", "coordinates": {"x": 1}}),
        "annotation_invalid",
        "l.json: [0].annotations[0]",
    ),
    ("createml", "l.json", createml({"label": ""}), "label_invalid", "l.json: [0].annotations[0]"),
    ("datumaro_json", "annotations/train.json", b'{"items": 5}', "label_file_broken", "annotations/train.json"),
    ("datumaro_json", "l.json", datumaro({"type": "bbox", "label_id": 7}), "label_unknown", "l.json: items[0].annotations[0]"),
    (
        "datumaro_json",
        "l.json",
        datumaro({"type": "bbox", "label_id": 0}),
        "annotation_invalid",
        "l.json: items[0].annotations[0]",
    ),
    ("datumaro_json", "l.json", datumaro({"type": "cube", "label_id": 0}), "shape_unknown", "l.json: items[0].annotations[0]"),
    ("kitti", "label_2/a.txt", b"cat 0 0 0 1 1 2", "annotation_invalid", "label_2/a.txt:1"),
    ("kitti", "label_2/a.txt", b"cat 0 0 0 9 1 2 2 0 0 0 0 0 0 0", "annotation_invalid", "label_2/a.txt:1"),
    ("kitti", "label_2/z.txt", b"cat 0 0 0 1 1 2 2 0 0 0 0 0 0 0", "label_file_missing", "label_2/z.txt"),
    ("dota", "labelTxt/a.txt", b"1 1 2 1 2 2 1 cat 0", "annotation_invalid", "labelTxt/a.txt:1"),
    ("dota", "labelTxt/a.txt", b"1 1 2 1 2 2 1 2 " + b"x" * 300 + b" 0", "label_invalid", "labelTxt/a.txt:1"),
    ("dota", "labelTxt/c.txt", b"1 1 2 1 2 2 1 2 cat 0", "label_file_ambiguous", "labelTxt/c.txt"),
    (
        "wider_face",
        "wider_face_train_bbx_gt.txt",
        b"a.png\n2\n1 1 2 2\n",
        "annotation_invalid",
        "wider_face_train_bbx_gt.txt:2",
    ),
    ("wider_face", "wider_face_train_bbx_gt.txt", b"a.png\n1\n1 1 2\n", "annotation_invalid", "wider_face_train_bbx_gt.txt:3"),
    ("wider_face", "wider_face_train_bbx_gt.txt", b"z.png\n0\n", "label_file_missing", "wider_face_train_bbx_gt.txt:1 z.png"),
    ("open_images", "l.csv", OPEN_IMAGES + b"z,,cat,1,0,1,0,1", "label_file_missing", "l.csv:2 z"),
    ("open_images", "l.csv", OPEN_IMAGES + b"a,,cat,1,0,x,0,1", "annotation_invalid", "l.csv:2 a"),
    ("open_images", "l.csv", OPEN_IMAGES + b"a,,,1,0,1,0,1", "label_invalid", "l.csv:2 a"),
    ("vertex", "l.jsonl", b"{", "label_file_broken", "l.jsonl:1"),
    ("vertex", "l.jsonl", b'{"imageGcsUri": "gs://b/z.png"}', "label_file_missing", "l.jsonl:1"),
    (
        "vertex",
        "l.jsonl",
        vertex({"displayName": "cat", "xMin": 0}),
        "annotation_invalid",
        "l.jsonl:1 boundingBoxAnnotations[0]",
    ),
    ("label_studio_min", "l.json", b"{}", "label_file_broken", "l.json"),
    ("label_studio_min", "l.json", studio_min("no.png", []), "label_file_missing", "l.json: [1]"),
    (
        "label_studio_min",
        "l.json",
        studio_min("a.png", [{"rectanglelabels": ["cat"], "x": 1}]),
        "annotation_invalid",
        "l.json: [1].k.result[0]",
    ),
    (
        "label_studio_min",
        "l.json",
        studio_min("a.png", [{"timelinelabels": ["cat"]}]),
        "shape_unknown",
        "l.json: [1].k.result[0]",
    ),
    ("voc_classes", "ImageSets/Main/cat_train.txt", b"a 2", "label_row_invalid", "ImageSets/Main/cat_train.txt:1"),
    ("voc_classes", "ImageSets/Main/cat_train.txt", b"z 1", "label_file_missing", "ImageSets/Main/cat_train.txt:1"),
    ("image_list", "train.txt", b"z.png 1", "label_file_missing", "train.txt:1 z.png"),
    ("image_list", "train.txt", b"a.png", "label_row_invalid", "train.txt:1"),
    ("cifar", "data_batch_1", b"\x80\x04cos\nsystem\n.", "label_file_broken", "data_batch_1"),
    ("cifar", "batches.meta", b"nonsense", "label_file_broken", "batches.meta"),
    ("mnist_csv", "train.csv", b"-2," + b"7," * 15 + b"7", "label_unknown", "train.csv:1"),
    ("mnist_csv", "train.csv", b"x," + b"7," * 15 + b"7", "annotation_invalid", "train.csv:1"),
    ("mnist_idx", "train-images-idx3-ubyte", b"nonsense", "label_file_broken", "train-images-idx3-ubyte"),
    (
        "mnist_idx",
        "train-images-idx3-ubyte",
        b"\0\0\x08\x03\0\0\0\x01\0\0\0\x01\0\0\0\x01\xff",
        "label_file_missing",
        "train-images-idx3-ubyte",
    ),
    ("fasttext", "l.ft", b"__label__cat\n", "text_blank", "l.ft:1"),
    ("fasttext", "l.ft", b"__label__" + b"x" * 300 + b" a text\n", "label_invalid", "l.ft:1"),
    ("image_folder", "items.csv", b"file,label\nno.png,cat", "label_file_missing", "items.csv:2 no.png"),
    ("paddleocr", "Label.txt", b"a.png\t[{]", "annotation_invalid", "Label.txt:1"),
    (
        "paddleocr",
        "Label.txt",
        b'b.png\t[{"transcription": "x", "points": [[0, 0], [2, 0], [2, 2], [0, 2]]}]\na.png\t{}',
        "annotation_invalid",
        "Label.txt:2",
    ),
    (
        "paddleocr",
        "Label.txt",
        b'b.png\t[{"transcription": "x", "points": [[0, 0], [2, 0], [2, 2], [0, 2]]}]\na.png []',
        "annotation_invalid",
        "Label.txt:2",
    ),
    ("paddleocr", "Label.txt", b"no.png\t[]", "label_file_missing", "Label.txt:1"),
    ("paddleocr", "Label.txt", b"c.png\t[]", "label_file_ambiguous", "Label.txt:1"),
    ("paddleocr", "Label.txt", b"a.png\t[5]", "annotation_invalid", "Label.txt:1[0]"),
    ("paddleocr", "Label.txt", b'a.png\t[{"transcription": "x"}]', "annotation_invalid", "Label.txt:1[0]"),
    (
        "paddleocr",
        "Label.txt",
        b'a.png\t[{"transcription": "x", "points": [[0, 0], [1, 0]]}]',
        "annotation_invalid",
        "Label.txt:1[0]",
    ),
]


@pytest.mark.parametrize(("name", "file", "data", "code", "place"), NASTY, ids=[f"{n}-{i}" for i, (n, *_) in enumerate(NASTY)])
def test_a_broken_file_is_complained_of_by_its_place(name, file, data, code, place):
    reading = format_load(name).read(NAMES, {file: data})
    assert (place, code) in [(one.name, one.code) for one in reading.complaints]
    list(reading.contents)


OF_OBJECTS = {"annotation_invalid", "label_invalid", "label_unknown", "shape_unknown", "token_not_in_text"}
"""What is said of an object rather than of a file."""


@pytest.mark.parametrize(("name", "file", "data", "code", "place"), NASTY, ids=[f"{n}-{i}" for i, (n, *_) in enumerate(NASTY)])
def test_an_item_whose_objects_cannot_be_read_is_not_looked_at_and_empty(name, file, data, code, place):
    reading = reading_whole(format_load(name).read(NAMES, {file: data}))
    if code in OF_OBJECTS and "images" not in place and "categories" not in place:
        assert () not in reading.annotations.values()
        assert all(one.item not in reading.annotations for one in reading.complaints)


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in PACKED])
def test_an_item_with_a_label_that_cannot_be_read_stays_unlabelled(name):
    """Of every format found: one label's name is spoilt in all files, the other is read as ever."""
    form = format_load(name)
    version = two_items(form)
    written = write(form, version)
    spoilt = {path: data.replace(b"spoilme", b"x" * 300) for path, data in written.label_files.items()}
    names = [path.replace("spoilme", "x" * 300) for path in written.names]
    assert spoilt != written.label_files or names != written.names
    blob_of = {path.replace("spoilme", "x" * 300): blob for path, blob in written.blob_of.items()}
    reading, blob_of = read(form, Written(names, spoilt, blob_of))
    by_blob = {blob_of[path]: found for path, found in reading_whole(reading).annotations.items()}
    bad, good = (record.blob for record in version.records)
    assert bad not in by_blob
    assert len(by_blob[good]) == 1
    assert reading.complaints


def two_items(form) -> Version:
    """One object each; the labels are ``spoilme`` and ``fine``."""
    labels = LabelSet(labels=(Label(name="fine", color="#ff0000"), Label(name="spoilme", color="#00ff00")))
    is_text = Modality.IMAGE not in form.MEDIA or "span" in form.KINDS
    records, blobs = [], {}
    for index, label in enumerate(("spoilme", "fine")):
        data = f"text {index}".encode() if is_text else b"\x89PNG\r\n\x1a\n" + bytes(40) + bytes([index])
        blob = hashlib.sha256(data).hexdigest()
        blobs[blob] = data
        sides = {"num_characters": 6} if is_text else {"width": 4, "height": 4}
        media = MediaFacts(format="txt" if is_text else "png", size_bytes=len(data), **sides)
        found = {
            "class": ClassLabel(label=label),
            "box": Box(label=label, x=0, y=0, width=2, height=2),
            "polygon": Polygon(label=label, points=((0, 0), (3, 0), (3, 3))),
            "span": Span(label=label, start=0, end=4, id="s"),
            "mask": Mask(label=label, width=4, height=4, counts="2260"),
        }
        one = next(found[kind] for kind in ("box", "class", "span", "polygon", "mask") if kind in form.KINDS)
        fields = {"item": f"itm_{index:026d}", "name": f"{index}.{'txt' if is_text else 'png'}", "blob": blob}
        records.append(
            ItemRecord(**fields, media=media, split=Split.TRAIN, group="g", annotations=(one,), provenance="person:usr_x")
        )
    return Version(labels, records, blobs)


def test_what_can_be_read_of_a_broken_item_is_proposed():
    box = Box(label="cat", x=0, y=0, width=1, height=1)
    reading = ParsedLabels(annotations={"a.png": (box,), "b.png": ()})
    reading.complaints.append(LabelFileProblem("l.json: [1]", "annotation_invalid", "a.png"))
    whole = reading_whole(reading)
    assert (whole.annotations, whole.predictions) == ({"b.png": ()}, {"a.png": (box,)})


def test_every_format_has_nasty_inputs():
    assert {name for name, *_ in NASTY} == set(ALL)


def test_a_good_neighbour_is_read_beside_a_broken_one():
    rows = b"0 0.5 0.5 0.5 0.5\nbroken\n1 0.5 0.5 0.1 0.1\n"
    reading = format_load("yolo").read(NAMES, {"a.txt": rows, "classes.txt": b"cat\ndog\n"})
    assert [one.label for one in reading_whole(reading).predictions["a.png"]] == ["cat", "dog"]
    assert [one.name for one in reading.complaints] == ["a.txt:2"]


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damage_anywhere_never_ends_in_an_error(name, data):
    form = format_load(name)
    written = write(form, data.draw(versions(form)))
    chance = random.Random(data.draw(st.integers(0, 2**32)))
    damaged = {path: _damaged(content, chance) for path, content in written.label_files.items()}
    reading, _ = read(form, Written(written.names, damaged, written.blob_of))
    assert all(one.code in REASONS and one.name for one in reading.complaints)
    format_detect(written.names, claimed(Written(written.names, damaged, written.blob_of)))


def _damaged(content: bytes, chance: random.Random) -> bytes:
    """Cut off, with flipped bytes, or with one of its values replaced."""
    kind = chance.randrange(4)
    if kind == 0 or not content:
        return content[: chance.randrange(len(content) + 1)]
    if kind == 1:
        body = bytearray(content)
        for _ in range(1 + len(body) // 100):
            body[chance.randrange(len(body))] = chance.randrange(256)
        return bytes(body)
    try:
        tree = json.loads(content)
    except ValueError:
        words = content.split(b'"')
        words[chance.randrange(len(words))] = chance.choice([b"", b"-1", b"1e400", b"NaN", b"\x00", b"9" * 400, "花".encode()])
        return b'"'.join(words)
    _spoiled(tree, chance)
    return json.dumps(tree).encode()


def _spoiled(tree: object, chance: random.Random) -> None:
    """Walks down at random and replaces a value by something of another kind."""
    junk = [None, -1, 1e308, "", "x", [], {}, [[]], True, "9" * 400, {"a": [1]}]
    while isinstance(tree, (dict, list)) and tree:
        key = chance.choice(list(tree) if isinstance(tree, dict) else range(len(tree)))
        if not isinstance(tree[key], (dict, list)) or not tree[key] or chance.random() < 0.3:
            tree[key] = chance.choice(junk)
            return
        tree = tree[key]
