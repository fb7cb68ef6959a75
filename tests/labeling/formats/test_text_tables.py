"""Tables of texts as people have them: which column is the text, which the label, and what of it cannot be used."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from automl.contracts.annotation import ClassLabel
from automl.contracts.dataset import Split
from automl.contracts.modality import Modality
from labeling.formats import text_table
from studio.datasets.files.formats import LabelFileProblem, ParsedLabels, format_detect
from studio.datasets.files.reasons import REASONS
from studio.datasets.files.table_options import TableOptions
from studio.datasets.models import Item, Reject, Upload
from studio.datasets.uploads.errors import TableOptionsMisplacedError
from studio.datasets.versions.manifest import version_commit
from tests.support.project_setup import ProjectSetup, home, ingest, picture, setup, setup_make, zip_of

__all__ = ["home", "setup"]

Expected = list[tuple[str, tuple[str, ...] | None]]


def xlsx(**sheets: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def parquet(**columns: list[object]) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


@dataclass(frozen=True)
class Table:
    """A table, and what it says: each text with its labels, None where it is unlabelled."""

    name: str
    data: bytes
    expected: Expected
    complaints: list[tuple[str, str]] = field(default_factory=list)
    names: list[str] | None = None
    splits: list[Split | None] | None = None


GOOD, BAD = ("good",), ("bad",)
SMS = "Call 0900 now, you have won a holiday for two in the sun"
HAM = "shall we meet at the station at nine, or is it too early"
TABLES = {
    "the plain one": Table(
        "r.csv", b"text,label\nfine,good\npoor,bad\n", [("fine", GOOD), ("poor", BAD)], names=["r.csv#2", "r.csv#3"]
    ),
    "quotes with line ends and commas": Table(
        "r.csv",
        b'label,text\ngood,"He said ""yes"",\nand left"\nbad,"a,b;c\td"\n',
        [('He said "yes",\nand left', GOOD), ("a,b;c\td", BAD)],
    ),
    "a mark and windows line ends": Table("r.csv", "\ufefftext,label\r\n好,good\r\n".encode(), [("好", GOOD)]),
    "semicolons": Table(
        "r.csv", b"text;label\nwell, yes;good\nno, never, ever;bad\n", [("well, yes", GOOD), ("no, never, ever", BAD)]
    ),
    "tabs": Table(
        "r.tsv", b"label\ttext_a\n1\thello, you, there\n0\tgo; away\n", [("hello, you, there", ("1",)), ("go; away", ("0",))]
    ),
    "tabs in a csv": Table("r.csv", b"text\tlabel\na, b, c\tgood\nd\tbad\n", [("a, b, c", GOOD), ("d", BAD)]),
    "gb18030 with chinese heads": Table(
        "评论.csv",
        "编号,评论内容,情感\n1,很好，喜欢,好评\n2,太差了,差评\n".encode("gb18030"),
        [("很好，喜欢", ("好评",)), ("太差了", ("差评",))],
    ),
    "utf-16 of a spreadsheet": Table("r.csv", "text\tlabel\n好 的\tgood\n".encode("utf-16"), [("好 的", GOOD)]),
    "empty rows and blank texts": Table(
        "r.csv",
        b"\n\ntext,label\n\nfine,good\n,bad\n  ,bad\n,,,\npoor,bad\n",
        [("fine", GOOD), ("poor", BAD)],
        complaints=[("r.csv:6", "text_blank"), ("r.csv:7", "text_blank")],
        names=["r.csv#5", "r.csv#9"],
    ),
    "missing labels": Table(
        "r.csv", b"text,label\nfine,good\nwho knows,\nshort row\n", [("fine", GOOD), ("who knows", None), ("short row", None)]
    ),
    "numbers as labels": Table(
        "r.csv", b"review,sentiment\nfine,1\npoor,0\nso so,-1\n", [("fine", ("1",)), ("poor", ("0",)), ("so so", ("-1",))]
    ),
    "two columns of texts": Table(
        "r.csv",
        b"comment,content,label\nok,the food was really very good,good\nno,never coming back here,bad\n",
        [("the food was really very good", GOOD), ("never coming back here", BAD)],
    ),
    "the same row twice": Table("r.csv", b"text,label\nfine,good\nfine,good\n", [("fine", GOOD), ("fine", GOOD)]),
    "no rows": Table("r.csv", b"text,label\n", [], complaints=[("r.csv", "table_without_texts")]),
    "sheets": Table(
        "r.xlsx",
        xlsx(
            train=[["text", "label"], ["fine", "good"]],
            Notes=[["remember", "the milk"]],
            test=[["text", "label"], ["poor", "bad"], [None, None], [12, "bad"]],
        ),
        [("fine", GOOD), ("poor", BAD), ("12", BAD)],
        names=["r.xlsx#2", "r.xlsx/test#2", "r.xlsx/test#4"],
        splits=[Split.TRAIN, Split.TEST, Split.TEST],
    ),
    "parquet with numbers, gaps and lists": Table(
        "r.parquet",
        parquet(id=[1, 2, 3], content=["fine", "poor", None], label=[["a", "b|c"], [], None]),
        [("fine", ("a", "b|c")), ("poor", None)],
        complaints=[("r.parquet:4", "text_blank")],
    ),
    "parquet with labels that are not a number": Table(
        "r.parquet", parquet(text=["fine", "poor"], label=[1.0, float("nan")]), [("fine", ("1",)), ("poor", None)]
    ),
    "json lines": Table(
        "r.jsonl",
        b'{"text": "fine", "label": 1, "meta": {"a": 1}}\nnot json\n{"text": "poor", "label": null}\n{"label": 1}\n',
        [("fine", ("1",)), ("poor", None)],
        complaints=[("r.jsonl:3", "table_row_invalid"), ("r.jsonl:5", "text_blank")],
    ),
    "a list of json": Table("r.json", json.dumps([{"sentence": "好\n的", "class": "good"}]).encode(), [("好\n的", GOOD)]),
    "several labels in a cell": Table(
        "r.csv", b"text,tags\nfine,food|room\npoor,a\\|b\n", [("fine", ("food", "room")), ("poor", ("a|b",))]
    ),
    "a column a label": Table(
        "r.csv",
        b"id,comment,toxic,rude\n1,you fool,1,1\n2,hello,0,0\n3,who knows,,\n",
        [("you fool", ("toxic", "rude")), ("hello", ()), ("who knows", None)],
    ),
    "splits": Table(
        "r.csv",
        "text,label,split\nfine,good,train\npoor,bad,测试集\nso so,bad,later\n".encode(),
        [("fine", GOOD), ("poor", BAD), ("so so", BAD)],
        complaints=[("r.csv:4", "split_unknown")],
        splits=[Split.TRAIN, Split.TEST, None],
    ),
    "no head": Table(
        "r.csv",
        f'spam,"{SMS}"\nham,"{HAM}"\nspam,"{SMS} again"\nham,"{HAM} or late"\n'.encode(),
        [(SMS, ("spam",)), (HAM, ("ham",)), (SMS + " again", ("spam",)), (HAM + " or late", ("ham",))],
        names=[f"r.csv#{n}" for n in range(1, 5)],
    ),
    "a head of unknown words": Table(
        "r.csv",
        f'v1,v2\nspam,"{SMS}"\nham,"{HAM}"\nspam,"{SMS}!"\n'.encode(),
        [(SMS, ("spam",)), (HAM, ("ham",)), (SMS + "!", ("spam",))],
    ),
    "texts alone, with commas": Table(
        "r.csv",
        b"text\nhello, you\nyes, me\nno, not you\nwell, well\n",
        [("hello, you", None), ("yes, me", None), ("no, not you", None), ("well, well", None)],
    ),
    "texts that were not quoted": Table(
        "r.csv",
        b"text,label\nfine,good\nwell, no, never,bad\npoor,bad\n",
        [("fine", GOOD), ("poor", BAD)],
        complaints=[("r.csv:3", "table_row_invalid")],
    ),
    "labels that cannot be": Table(
        "r.csv",
        b"text,label\nfine," + b"g" * 300 + b"\npoor,bad\n",
        [("fine", None), ("poor", BAD)],
        complaints=[("r.csv:2", "label_invalid")],
    ),
    "a damaged sheet": Table("r.xlsx", xlsx(a=[["text"], ["fine"]])[:900], [], complaints=[("r.xlsx", "label_file_broken")]),
    "no texts at all": Table("r.csv", b"a,b\n1,2\n3,4\n", [], complaints=[("r.csv", "table_without_texts")]),
}


def labels(annotations: tuple[ClassLabel, ...] | None) -> tuple[str, ...] | None:
    return None if annotations is None else tuple(one.label for one in annotations)


def contents(reading: ParsedLabels) -> list[tuple[str, str]]:
    return [(one[0], one[1].decode()) for one in reading.contents if not isinstance(one, LabelFileProblem)]


@pytest.mark.parametrize("case", TABLES)
def test_a_table_is_read_as_people_mean_it(case):
    table = TABLES[case]
    reading = text_table.read([], {table.name: table.data})
    found = contents(reading)
    assert [(text, labels(reading.annotations.get(name))) for name, text in found] == table.expected
    assert [(one.name, one.code) for one in reading.complaints] == table.complaints
    assert all(code in REASONS for _, code in table.complaints)
    assert len({name for name, _ in found}) == len(found)
    if table.names is not None:
        assert [name for name, _ in found] == table.names
    if table.splits is not None:
        assert [reading.splits.get(name) for name, _ in found] == table.splits
    if table.expected:
        assert format_detect([table.name], {table.name: table.data}, Modality.TEXT) == "text_table"


FOREIGN = {
    "labels of files": ("l.csv", b"file,label\na.txt,good\nb.txt,bad\n", "csv_labels"),
    "labels of files without a head": ("l.csv", b"a.txt,good\nb.txt,bad\n", "csv_labels"),
    "doccano": ("a.jsonl", b'{"id": 1, "text": "fine", "label": ["good"]}\n', "doccano"),
    "doccano with spans": ("a.jsonl", b'{"text": "Bob ran", "labels": [[0, 3, "PER"]]}\n', "doccano"),
    "conll": ("a.conll", b"Bob\tB-PER\n", "conll"),
}


@pytest.mark.parametrize("case", FOREIGN)
def test_files_of_other_formats_are_left_to_them(case):
    name, data, expected = FOREIGN[case]
    assert format_detect([name, "a.txt", "b.txt"], {name: data}, Modality.TEXT) == expected


def test_formats_of_pictures_are_not_asked_in_a_project_of_texts():
    coco = b'{"images": [], "annotations": [], "categories": []}'
    assert format_detect(["a.json"], {"a.json": coco}) == "coco"
    assert format_detect(["a.json"], {"a.json": coco}, Modality.TEXT) is None


@pytest.fixture
def texts(db, home) -> ProjectSetup:
    """A project of texts with one label each."""
    return setup_make(task="text_classification")


def rejects(upload: Upload) -> list[tuple[str, str]]:
    return sorted(Reject.objects.filter(upload=upload).exclude(code="validation_carved").values_list("name", "code"))


def labels_by_text(dataset) -> dict[str, list[str] | None]:
    rows = Item.objects.filter(dataset=dataset, deleted_at=None)
    return {row.text: None if row.annotations is None else [one["label"] for one in row.annotations] for row in rows}


@pytest.mark.parametrize("kind", ["file", "archive", "labels_csv"])
@pytest.mark.parametrize("source", ["auto", "text_table"])
def test_a_table_that_is_uploaded_becomes_items(texts, kind, source):
    ingest(texts.dataset, zip_of({"good/a.txt": b"there before"}), labels="folder")
    table = b"text,label\nfine,good\npoor,bad\nthere before,bad\nfine,good\nfine,bad\nopen,\n"
    upload = ingest(texts.dataset, table, name="r.csv", kind=kind, labels=source)
    assert (upload.state, upload.num_items, upload.num_duplicates) == ("done", 3, 3)
    assert labels_by_text(texts.dataset) == {"there before": ["good"], "fine": ["good"], "poor": ["bad"], "open": None}
    assert rejects(upload) == [("r.csv#4", "label_kept"), ("r.csv#6", "label_kept")]
    names = Item.objects.filter(dataset=texts.dataset, upload=upload).values_list("name", flat=True)
    assert sorted(names) == ["r.csv#2", "r.csv#3", "r.csv#7"]
    texts.refresh()
    assert set(texts.project.labels.names) == {"good", "bad"}


@pytest.mark.parametrize("kind", ["file", "archive", "labels_csv"])
def test_a_sheet_of_excel_is_a_table_and_no_archive(texts, kind):
    sheet = xlsx(Reviews=[["text", "label"], ["fine", "good"], ["poor", "bad"]])
    upload = ingest(texts.dataset, sheet, name="r.xlsx", kind=kind, labels="auto")
    assert (labels_by_text(texts.dataset), rejects(upload)) == ({"fine": ["good"], "poor": ["bad"]}, [])


def test_an_archive_of_tables_and_texts_of_no_use(texts):
    files = {
        "data/train.csv": b"text,label\nfine,good\n" + b"x" * 120_000 + b",bad\n",
        "data/test.csv": b"text,label\npoor,bad\n",
        "data/photo.png": picture(1),
        "data/readme.md": b"all about it",
    }
    upload = ingest(texts.dataset, zip_of(files), labels="auto")
    assert labels_by_text(texts.dataset) == {"fine": ["good"], "poor": ["bad"], "all about it": None}
    assert rejects(upload) == [("data/photo.png", "picture_among_texts"), ("data/train.csv#3", "text_too_long")]
    assert dict(Item.objects.exclude(text="all about it").values_list("text", "split")) == {"fine": "train", "poor": "test"}


def test_texts_of_a_table_may_come_without_what_it_says_of_them(texts):
    upload = ingest(texts.dataset, b"text,label\nfine,good\npoor,bad\n", name="r.csv", kind="file", labels="none")
    assert (upload.num_items, labels_by_text(texts.dataset)) == (2, {"fine": None, "poor": None})


def test_a_table_of_labels_speaks_of_the_texts_that_are_there(texts):
    ingest(texts.dataset, zip_of({"a.txt": b"first of all", "b.txt": b"second"}))
    upload = ingest(
        texts.dataset, b"file,label\na.txt,good\nb.txt,bad\nc.txt,bad\n", name="l.csv", kind="labels_csv", labels="auto"
    )
    assert labels_by_text(texts.dataset) == {"first of all": ["good"], "second": ["bad"]}
    assert rejects(upload) == [("l.csv:4 c.txt", "label_file_missing")]


def test_a_large_table_is_read_in_portions(texts):
    rows = "".join(f"text number {n},{'good' if n % 2 else 'bad'}\n" for n in range(2500))
    upload = ingest(texts.dataset, f"text,label\n{rows}".encode(), name="r.csv", kind="file", labels="auto")
    assert (upload.num_items, upload.num_labelled, rejects(upload)) == (2500, 2500, [])


def test_two_texts_of_one_name_keep_their_own_annotations(texts):
    lines = [{"text": "first", "file": "a.txt", "label": ["good"]}, {"text": "second", "file": "a.txt", "label": ["bad"]}]
    upload = ingest(texts.dataset, "\n".join(map(json.dumps, lines)).encode(), name="d.jsonl", kind="file", labels="auto")
    assert (labels_by_text(texts.dataset), rejects(upload)) == ({"first": ["good"], "second": ["bad"]}, [])


LINES = "a fine day, they say|good|7\na poor day, I say|bad|8\n"
CHOSEN = {
    "a separator, a head and columns": (
        "r.csv",
        f"what|stars|nr\n{LINES}".encode(),
        {"separator": "|", "has_head": True, "columns": {"text": 0, "label": 2}},
        {"a fine day, they say": ["7"], "a poor day, I say": ["8"]},
        [{"stars": "good"}, {"stars": "bad"}],
    ),
    "no head, although it seems one": (
        "r.csv",
        b"text,label\nfine and well,good\n",
        {"has_head": False, "columns": {"text": 0}},
        {"text": None, "fine and well": None},
        [{"column_2": "label"}, {"column_2": "good"}],
    ),
    "no separator at all": (
        "r.csv",
        b"text\nwell, yes\nno, never\n",
        {"separator": ""},
        {"well, yes": None, "no, never": None},
        [{}, {}],
    ),
    "another encoding": (
        "r.csv",
        "text;label\ncafé à côté;déçu\n".encode("cp1252"),
        {"encoding": "windows-1252"},
        {"café à côté": ["déçu"]},
        [{}],
    ),
    "one sheet": (
        "r.xlsx",
        xlsx(Old=[["text", "label"], ["fine", "good"]], New=[["text", "label"], ["poor", "bad"]]),
        {"sheet": "New"},
        {"poor": ["bad"]},
        [{}],
    ),
}


@pytest.mark.parametrize("case", CHOSEN)
def test_a_table_is_previewed_and_read_as_a_person_says(texts, case):
    name, data, said, expected, facts = CHOSEN[case]
    upload = ingest(texts.dataset, data, name=name, kind="file", labels="auto", table=TableOptions.model_validate(said))
    assert (labels_by_text(texts.dataset), rejects(upload)) == (expected, [])
    assert [row.metadata for row in Item.objects.filter(dataset=texts.dataset).order_by("id")] == facts
    query = {key: value for key, value in said.items() if key != "columns"} | said.get("columns", {})
    shown = preview(texts, name, data, **query).json()
    assert set(shown["metadata"]) == {column for one in facts for column in one}
    assert shown["is_fit"]
    assert [row[shown["options"]["columns"]["text"]] for row in shown["rows"]] == list(expected)


def preview(setup: ProjectSetup, name: str, data: bytes, **query: object):
    url = f"/api/datasets/{setup.dataset.id}/uploads/table-preview"
    named = {key: str(value).lower() if isinstance(value, bool) else value for key, value in query.items()}
    return setup.client().post(url, data, content_type="application/octet-stream", query_params={"name": name, **named})


def test_a_preview_says_what_is_guessed_and_offered(texts):
    cut = "review;stars;when\n很好;5;today\n不太好;2;tod".encode("gb18030")
    shown = preview(texts, "r.csv", cut, is_whole=False).json()
    assert (shown["columns"], shown["rows"]) == (["review", "stars", "when"], [["很好", "5", "today"]])
    guessed = {"separator": ";", "encoding": "gb18030", "has_head": True, "columns": {"text": 0, "label": None}}
    assert {name: value for name, value in shown["options"].items() if value is not None} == guessed
    assert shown["offered"] == ["columns", "encoding", "has_head", "separator"]
    wide = preview(texts, "r.tsv", "text\tlabel\n好\tgood\n".encode("utf-16")[:-3], is_whole=False).json()
    assert (wide["options"]["encoding"], wide["columns"], wide["rows"]) == ("utf-16", ["text", "label"], [])
    book = preview(texts, "r.xlsx", xlsx(One=[["text"], ["a day"]], Two=[["text"], ["a night"]]), sheet="Two").json()
    assert (book["sheets"], book["rows"]) == (["One", "Two"], [["a night"]])


def test_what_does_not_fit_a_table_is_refused_with_the_reason(texts):
    answers = [
        preview(texts, "r.csv", "text\ncafé\n".encode("cp1252"), encoding="utf-8"),
        preview(texts, "r.xlsx", xlsx(One=[["text"], ["a day"]]), sheet="Two"),
        preview(texts, "r.xlsx", b"no zip"),
        preview(texts, "r.csv", b"text\nfine\n", sheet="Two"),
        preview(texts, "r.csv", b"text\nfine\n", decimal=","),
    ]
    codes = ["table_unreadable"] * 3 + ["table_options_misplaced"] * 2
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(422, code) for code in codes]
    reasons = ("table_encoding_wrong", "table_sheet_missing", "label_file_broken")
    assert [answer.json()["params"]["reason"]["en"] for answer in answers[:3]] == [REASONS[code].en for code in reasons]
    said = TableOptions.model_validate({"columns": {"text": 3}})
    upload = ingest(texts.dataset, b"text\nfine\n", name="r.csv", kind="file", labels="auto", table=said)
    assert rejects(upload) == [("r.csv", "table_column_missing")]
    with pytest.raises(TableOptionsMisplacedError):
        ingest(texts.dataset, b"text\nfine\n", name="r.csv", kind="file", table=TableOptions(sheet="One"))


def test_other_columns_of_a_table_become_metadata_that_items_are_found_by(texts):
    rows = f"text,label,shop,reply=to,note\nfine,good,Ulm,a,{'x' * 300}\npoor,bad,Bonn,,short\nfine,good,Kiel,,\n"
    for _ in range(2):  # the second time the items are there
        upload = ingest(texts.dataset, rows.encode(), name="r.csv", kind="file", labels="auto")
    assert [code for _, code in rejects(upload)] == ["metadata_too_long"]
    found = {row.text: row.metadata for row in Item.objects.filter(dataset=texts.dataset)}
    assert found == {"fine": {"shop": "Ulm", "reply-to": "a"}, "poor": {"shop": "Bonn", "note": "short"}}
    ingest(texts.dataset, b"text,shop,city\npoor,Ulm,Bonn\n", name="s.csv", kind="file", labels="auto")
    url = f"/api/datasets/{texts.dataset.id}"
    for meta, expected in {"shop=Ulm": ["fine"], "shop=Bonn": ["poor"], "city=Bonn": ["poor"], "shop=Kiel": []}.items():
        items = texts.client().get(f"{url}/items", {"meta": meta}).json()["items"]
        assert [one["text"] for one in items] == expected
    assert texts.client().get(f"{url}/facets").json()["metadata"] == ["city", "note", "reply-to", "shop"]


@pytest.mark.parametrize("form", ["text_table", "doccano", "image_folder", "csv_labels"])
def test_a_download_of_rows_comes_back_as_it_was(texts, form):
    rows = 'text,label,split\n"two\nlines",good,train\n"=1+1, ""x""",bad,validation\n  white ,bad,test\nplain,good,train\n'
    ingest(texts.dataset, rows.encode(), name="r.csv", kind="file", labels="auto")
    texts.refresh()
    version, _ = version_commit(dataset=texts.dataset, actor=texts.actor)
    answer = texts.client().get(f"/api/versions/{version.id}/download?format={form}")
    other = setup_make(email="eve@example.org", task="text_classification")
    upload = ingest(other.dataset, b"".join(answer.streaming_content), name="d.zip", labels="auto")
    assert rejects(upload) == []
    fields = ("text", "annotations", "split", *(["name"] if form in {"text_table", "doccano"} else []))
    before = sorted(Item.objects.filter(dataset=texts.dataset).values_list(*fields))
    assert sorted(Item.objects.filter(dataset=other.dataset).values_list(*fields)) == before
    assert len(before) == 4
