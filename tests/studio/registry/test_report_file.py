"""The report as a file: the numbers of the API, in both languages, with nothing in it that runs or asks anybody."""

from __future__ import annotations

import re
import typing
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from automl.contracts.base import Text
from automl.contracts.report import ClassMetrics, Slice, SliceReport
from automl.contracts.task import TaskUI
from engine.tasks import task_names, task_spec
from studio.accounts.models import AuditRow, User
from studio.datasets.models import Item
from studio.registry.document.blocks import NAMES, block_named
from studio.registry.document.headline import cautions
from studio.registry.document.labels import has_too_few
from studio.registry.document.page import sheet_of
from studio.registry.models import Artefact
from tests.studio.registry import report_material as material
from tests.support.project_setup import ingest, picture, setup_make, zip_of

HOSTILE = "<script>alert(1)</script>\"'&<b"
VOID = {"meta"}


@pytest.fixture(params=material.TASKS)
def made(request, db, home, tmp_path):
    """A project and a model of each task."""
    return material.TASKS[request.param](tmp_path / "made")


@pytest.fixture
def pictures(db, home, tmp_path):
    return material.pictures(tmp_path / "made")


class Read(HTMLParser):
    """What a file holds: exact values, tags and attributes, and that each tag is closed where it should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.values: list[float] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "data":
            self.values.append(float(dict(attrs)["value"]))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.text += data


def file_of(setup, artefact, **query):
    reply = setup.client().get(f"/api/artefacts/{artefact.id}/report.html", query)
    assert reply.status_code == 200, reply.content
    return reply


def read(setup, artefact, **query):
    return Read(file_of(setup, artefact, **query).content.decode())


def numbers_in(report):
    """All that a reader should find, from the answer of the API."""
    for split in report["splits"]:
        yield from split["metrics"].values()
        yield from (end for ends in split["intervals"].values() for end in ends)
        yield from (row["support"] for row in split["per_class"])
        labels = [row for row in split["per_class"] if not has_too_few(ClassMetrics(**row))]
        yield from (row[name] for row in labels for name in ("precision", "recall", "f1"))
        if not split["roc"]:
            yield from (row["average_precision"] for row in labels if row["average_precision"] is not None)
        yield from (row["average_precision"] for row in split["per_size"] if row["support"])
        yield from (count for row in split["confusion"] for count in row)
        yield from (curve["area"] for curve in split["roc"])
        yield from (curve["error"] for curve in split["calibration"])
        if split["regression"]:
            yield from split["regression"]["absolute_error_quantiles"]
            yield from split["regression"]["error_quantiles"]
    for effect in (report["table"] or {"effects": []})["effects"]:
        yield from (effect["importance"], effect["importance_std"], effect["mean_abs_shap"])
    coverage = report["coverage"] or {"labels": [], "numbers": []}
    for line in (*coverage["labels"], *coverage["numbers"]):
        yield line["error_rate"]
        if line["measure"]:
            yield line["measure"]["num_covered"] / line["measure"]["num_items"]
            yield line["reach"] if "reach" in line else line["measure"]["num_asked"] / line["measure"]["num_items"]
    yield from (report["train_seconds"], report["latency_ms"], report["model_bytes"])


def test_each_chart_that_a_task_may_name_has_its_part():
    charts = typing.get_args(typing.get_args(TaskUI.model_fields["report_charts"].annotation)[0])
    assert sorted(chart.replace("-", "_") for chart in charts) == sorted(NAMES)
    for task in task_names():
        assert all(block_named(chart) for chart in task_spec(task).ui.report_charts)


def test_the_file_has_the_numbers_of_the_api(made):
    setup, artefact = made
    report = setup.client().get(f"/api/artefacts/{artefact.id}/report").json()
    expected = [float(value) for value in numbers_in(report)]
    found = read(setup, artefact)
    assert len(expected) > 20
    assert [value for value in expected if value not in found.values] == []
    assert "svg" in found.tags


def test_a_label_with_a_handful_of_items_has_no_figures(pictures):
    _, artefact = pictures
    sheet = sheet_of(artefact, "en")
    sheet = replace(sheet, metrics=tuple(each for each in sheet.metrics if each.name == "f1_macro"))
    rare = ClassMetrics(label="rare one", precision=0.1234, recall=0.2345, f1=0.3456, support=4)
    known = rare.model_copy(update={"label": "known one", "support": 5})
    both = sheet.report.splits[0].model_copy(update={"num_items": 200, "per_class": [rare, known]})
    one = both.model_copy(update={"per_class": [known]})
    drawn = [Read(str(block_named("per-class").draw(sheet, split))) for split in (both, one)]
    assert [each.values.count(0.2345) for each in drawn] == [1, 1]
    assert ["fewer than 5" in each.text for each in drawn] == [True, False]
    assert ["few_of_label" in cautions(sheet, split) for split in (both, one)] == [True, False]


def test_both_languages_have_all_of_it(made):
    setup, artefact = made
    english, chinese = read(setup, artefact, language="en"), read(setup, artefact, language="zh")
    assert english.values == chinese.values
    assert english.tags == chinese.tags
    assert ("Test split" in english.text, "测试集" in chinese.text) == (True, True)
    assert re.search(r"[一-鿿]{4}", re.sub(r"好, the \w+ of number \d+", "", english.text)) is None
    assert "{" not in re.sub(r"(?s)<style>.*</style>", "", file_of(setup, artefact, language="zh").content.decode())


def test_the_language_is_that_of_the_person_who_asks(pictures):
    setup, artefact = pictures
    assert ("lang", "en") in read(setup, artefact).attributes
    User.objects.filter(id=setup.owner.id).update(language="zh")
    assert ("lang", "zh-CN") in read(setup, artefact).attributes
    assert setup.client().get(f"/api/artefacts/{artefact.id}/report.html?language=xx").status_code == 422


def test_it_is_one_file_that_runs_nothing_and_asks_nobody(made):
    setup, artefact = made
    reply = file_of(setup, artefact)
    assert reply["Content-Disposition"] == 'attachment; filename="model-1-report.html"'
    found = Read(reply.content.decode())
    assert not {"script", "link", "iframe", "object", "img", "form", "a"} & set(found.tags)
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    addresses = [value for name, value in found.attributes if name in {"src", "href", "action"}]
    assert all(value.startswith("data:image/jpeg;base64,") for value in addresses)
    assert "url(" not in reply.content.decode()
    assert ("content", "default-src 'none'; img-src data:; style-src 'unsafe-inline'") in found.attributes
    assert AuditRow.objects.filter(action="artefact.downloaded", subject=artefact.id).exists()


def test_the_worst_items_come_with_what_they_are(made):
    setup, artefact = made
    found = read(setup, artefact)
    page = setup.client().get(f"/api/artefacts/{artefact.id}/report/items?split=test&only=errors&order=loss&limit=12").json()
    assert page["items"]
    for item in page["items"]:
        assert item["name"] in found.text
        assert item["loss"] in found.values
        if item["text"]:
            assert item["text"] in found.text
        if item["row"]:
            assert f"age: {item['row']['age']}" in found.text
        for box in (each for each in item["truth"] if each["kind"] == "box"):
            assert ("width", str(box["width"])) in found.attributes
    shown = sum(value.startswith("data:") for name, value in found.attributes if name == "href")
    has_pictures = any(item["width_px"] for item in page["items"])
    assert (shown > 0) is has_pictures


def test_a_picture_that_is_gone_leaves_the_rest(pictures):
    setup, artefact = pictures
    before = read(setup, artefact)
    Item.objects.filter(dataset=setup.dataset).delete()
    after = read(setup, artefact)
    assert "image" in before.tags
    assert "image" not in after.tags
    assert after.values == before.values


def test_hostile_names_are_only_letters(db, home, tmp_path):
    setup = setup_make()
    setup.labels(HOSTILE, "dog")
    names = [f'"><img src=x onerror=alert(1)>{number}.png' for number in range(40)]
    ingest(setup.dataset, zip_of({f"dog/{name}": picture(number) for number, name in enumerate(names)}), labels="folder")
    version = material.version_commit(dataset=setup.dataset, actor=setup.actor)[0]
    made = material.artefact_write(tmp_path / "made", labels=(HOSTILE, "dog"))
    artefact = material.artefact_stored(setup, version, made, material.class_report(version, (HOSTILE, "dog")))
    Artefact.objects.filter(id=artefact.id).update(note=HOSTILE)
    type(setup.project).objects.filter(id=setup.project.id).update(name="</title></style>" + HOSTILE)
    found = read(setup, artefact)
    assert not {"script", "img"} & set(found.tags)
    assert "onerror" not in [name for name, _ in found.attributes]
    assert found.text.count(HOSTILE) > 3
    assert "onerror=alert(1)" in found.text


def test_a_guest_of_another_workspace_gets_nothing(pictures):
    _, artefact = pictures
    stranger = setup_make(email="eve@example.org")
    assert stranger.client().get(f"/api/artefacts/{artefact.id}/report.html").status_code == 404


def test_the_guarantee_in_use_is_marked_and_shown_label_by_label(pictures):
    setup, artefact = pictures
    chosen = {"coverage": {"error_rate": 0.2, "scope": "all"}}
    assert setup.client().patch(f"/api/artefacts/{artefact.id}", chosen, content_type="application/json").status_code == 200
    artefact.refresh_from_db()
    report = setup.client().get(f"/api/artefacts/{artefact.id}/report").json()["coverage"]
    (line,) = [each for each in report["labels"] if (each["error_rate"], each["scope"]) == (0.2, "all")]
    for language, used, few in (("en", "20% (in use)", "needs 99 items"), ("zh", "20%（使用中）", "至少需要 99 个样本")):
        found = read(setup, artefact, language=language)
        assert used in found.text
        assert few in found.text
        for label in line["measure"]["labels"]:
            assert label["num_covered"] / label["num_items"] in found.values


def part(**changes) -> Slice:
    """A group of dark pictures, unless something else is said of it."""
    written = {
        "fact": "brightness",
        "name": Text(en="Brightness", zh="亮度"),
        "scale": "number",
        "high": 0.2,
        "num_items": 38,
        "measured": 0.61,
        "interval": (0.48, 0.72),
        "rest": 0.93,
        "rest_interval": (0.9, 0.95),
        "worse_by": 0.32,
        "worse_by_interval": (0.2, 0.44),
        "p_value": 1e-6,
        "adjusted_p_value": 1e-5,
        "is_worse": True,
    }
    return Slice.model_validate(written | changes)


@pytest.mark.parametrize(
    ("changes", "en", "zh"),
    [
        ({}, "Brightness &lt; 0.2", "亮度 &lt; 0.2"),
        ({"low": 0.1}, "Brightness: 0.1 to &lt; 0.2", "亮度：0.1 至 0.2（不含）"),
        ({"low": 0.8, "high": None}, "Brightness ≥ 0.8", "亮度 ≥ 0.8"),
        ({"high": None, "value": "<b>night</b>"}, "Brightness: &lt;b&gt;night&lt;/b&gt;", "亮度：&lt;b&gt;night&lt;/b&gt;"),
        ({"high": None, "value": ""}, "Brightness: not given", "亮度：缺失"),
        ({"scale": "time", "high": 86_400.0}, "Brightness &lt; 1970-01-02", "亮度 &lt; 1970-01-02"),
    ],
)
def test_groups_that_are_surely_worse_are_listed(pictures, changes, en: str, zh: str):
    _, artefact = pictures
    worse, maybe = part(**changes), part(name=Text(en="Sharpness", zh="清晰度"), is_worse=False)
    found = SliceReport(
        measure="accuracy",
        is_higher_better=True,
        value=0.9,
        interval=(0.87, 0.93),
        num_tested=17,
        num_worse=1,
        slices=(worse, maybe),
    )
    for language, condition in (("en", en), ("zh", zh)):
        sheet = sheet_of(artefact, language)
        html = block_named("slices").draw(sheet, sheet.report.splits[0].model_copy(update={"slices": found}))
        assert f"<td>{condition}</td>" in html
        assert '<data value="0.61">61.0%</data>' in html
        assert "17" in html
        assert "Sharpness" not in html
        assert "清晰度" not in html
