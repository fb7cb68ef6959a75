"""The model card: the figures of the report, what speaks against trusting them, and names that make no markup."""

from __future__ import annotations

import re

import pytest
import yaml
from markdown_it import MarkdownIt

from studio.accounts.models import AuditRow
from studio.registry.document.markdown import plain
from studio.registry.models import Artefact
from tests.studio.registry import report_material as material
from tests.support.project_setup import setup_make

HOSTILE = "1. [x](javascript:alert(1)) | <script>alert(1)</script> *b* `c`"


@pytest.fixture(params=material.TASKS)
def made(request, db, home, tmp_path):
    """A project and a model of each task."""
    return material.TASKS[request.param](tmp_path / "made")


def card_of(setup, artefact, language: str) -> tuple[dict, str]:
    """Its head and its body."""
    reply = setup.client().get(f"/api/artefacts/{artefact.id}/card.md", {"language": language})
    assert reply.status_code == 200, reply.content
    assert reply["Content-Type"] == "text/markdown; charset=utf-8"
    assert reply["Content-Disposition"] == f'attachment; filename="model-{artefact.number}-card.md"'
    _, head, body = reply.content.decode().split("---\n", 2)
    return yaml.safe_load(head), body


def test_it_has_the_figures_of_the_report_in_both_languages(made):
    setup, artefact = made
    report = setup.client().get(f"/api/artefacts/{artefact.id}/report").json()
    test = next(split for split in report["splits"] if split["split"] == "test")
    for language, sections in (
        ("en", ["What it is for", "Evaluation", "Limits", "The data", "The model"]),
        ("zh", ["用途", "评估", "局限", "数据", "模型"]),
    ):
        head, body = card_of(setup, artefact, language)
        assert head["library_name"] == "onnx"
        assert re.findall(r"^## (.*)$", body, re.MULTILINE) == sections
        tables = rows_of(body)
        measured = [row for row in tables if len(row) == 3 and any(char.isdigit() for char in row[1])]
        assert len(measured) == sum(1 for name in test["metrics"] if name in metrics_of(artefact))
        for row in test["per_class"]:
            assert any(cells[0] == row["label"] and cells[-1] == f"{row['support']}" for cells in tables), row
        assert artefact.id in body
        assert "{" not in body
    assert AuditRow.objects.filter(action="artefact.downloaded", subject=artefact.id).exists()


def metrics_of(artefact: Artefact) -> set[str]:
    from engine.tasks import task_spec

    project = artefact.project
    return {spec.name for spec in task_spec(project.task).metrics_of(project.task_options)}


def rows_of(body: str) -> list[list[str]]:
    """Cells of all tables, as a Markdown reader finds them."""
    rows, cells = [], None
    for token in MarkdownIt("commonmark").enable("table").parse(body):
        if token.type == "tr_open":
            cells = []
        elif token.type == "tr_close":
            rows.append(cells)
            cells = None
        elif token.type == "inline" and cells is not None:
            cells.append("".join(child.content for child in token.children))
    return rows


def test_hostile_names_are_only_letters(db, home, tmp_path):
    setup, artefact = material.pictures(tmp_path / "made")
    Artefact.objects.filter(id=artefact.id).update(note=f"{HOSTILE}\n# no heading")
    type(setup.project).objects.filter(id=setup.project.id).update(name=HOSTILE, description=HOSTILE)
    head, body = card_of(setup, artefact, "en")
    assert head["model_name"] == f"{HOSTILE} {artefact.number}"
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(body)
    assert not re.findall(r"<(script|a|em|code|ol)\b", html)
    assert html.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 3
    assert html.count("<h1>") == 1


TEXTS = ["a|b", "- a", "1) a", "123. a", "# a", "a\n\nb", "\\|", "~~a~~", "![a](b)", "<b>", "&amp;", "==", "---", "a_b_c _d_"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_of_a_person_is_shown_as_it_is(text: str):
    (token,) = (each for each in MarkdownIt("commonmark").enable("table").parse(plain(text)) if each.type == "inline")
    assert "".join(child.content for child in token.children) == " ".join(text.split())


def test_a_guest_of_another_workspace_gets_nothing(db, home, tmp_path):
    _, artefact = material.pictures(tmp_path / "made")
    stranger = setup_make(email="eve@example.org")
    assert stranger.client().get(f"/api/artefacts/{artefact.id}/card.md").status_code == 404
