"""The audit trail: every action has words, the chain of hashes shows what was done to it, filters and files."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from studio.accounts import services
from studio.accounts.access import SYSTEM, principal_of_user
from studio.accounts.audit import audit_record
from studio.accounts.audit_chain import audit_prune, audit_seal, audit_seal_all, audit_verify, row_content, row_sha256
from studio.accounts.audit_subjects import LABELS
from studio.accounts.audit_words import TOPICS, row_sentence
from studio.accounts.models import AuditChain, AuditRow
from studio.accounts.roles import Role
from studio.accounts.security_events import security_event
from studio.projects.services import project_delete
from tests.studio.conftest import PASSWORD
from tests.support.platform_process import ROOT

ACTION = re.compile(r'(?:action=|_record\(\w+, |_audit\(\w+, actor, |_changed\(\w+, actor, |actor, )"([a-z_]+\.[a-z_]+)"')


def rows_make(workspace, number: int) -> None:
    for each in range(number):
        audit_record(
            workspace=workspace.id, actor=SYSTEM, action="project.update", subject=f"prj_{each}", detail={"name": "é€"}
        )


def test_every_action_that_is_recorded_has_words():
    files = [path for folder in ("platform/studio", "labeling") for path in (ROOT / folder).rglob("*.py")]
    recorded = {action for path in files for action in ACTION.findall(path.read_text())}
    assert len(recorded) > 30
    assert recorded - set(TOPICS) == set()
    assert all(row_sentence(AuditRow(action=action)).zh for action in TOPICS), "rows of an old release may have no detail"


def test_sentences_name_what_the_detail_names_and_old_rows_have_plain_ones(client, workspace):
    services.user_sign_up(email="lin@example.org", password=PASSWORD, name="Lin")
    root = f"/api/workspaces/{workspace.id}"
    user = services.member_add(workspace=workspace, email="lin@example.org", role=Role.VIEWER).user_id
    client.patch(f"{root}/members/{user}", {"role": "engineer"}, content_type="application/json")
    client.delete(f"{root}/members/{user}")
    AuditRow.objects.create(
        workspace=workspace, actor_kind="system", actor_id="system", actor_name="M", action="member.remove", subject=user
    )
    sentences = [row["text"] for row in client.get(f"{root}/audit?topic=security").json()["items"]]
    assert sentences[0] == {"en": "Removed a member", "zh": "移除了成员"}
    assert sentences[1] == {"en": "Removed lin@example.org, who was engineer", "zh": "移除了 lin@example.org（工程师）"}
    assert sentences[2]["en"] == "Changed the role of lin@example.org from viewer to engineer"
    assert sentences[3]["zh"] == "添加了 lin@example.org，角色为访客"


@pytest.mark.django_db(transaction=True)
def test_a_row_is_sealed_with_the_commit_and_not_when_the_change_fails(workspace):
    with transaction.atomic():
        rows_make(workspace, 2)
        assert AuditRow.objects.filter(action="project.update", seq=None).count() == 2
    assert not AuditRow.objects.filter(seq=None).exists()
    with transaction.atomic():
        rows_make(workspace, 1)
        transaction.set_rollback(True)
    assert audit_verify(workspace.id).is_whole
    assert AuditRow.objects.filter(action="project.update").count() == 2


def test_rows_of_an_old_database_are_sealed_by_the_clock(workspace):
    rows_make(workspace, 3)
    AuditRow.objects.update(seq=None, sha256="")
    assert audit_seal_all() == AuditRow.objects.count()
    assert audit_verify(workspace.id).is_whole


def test_a_changed_row_shows(workspace):
    rows_make(workspace, 5)
    audit_seal(workspace.id)
    before = audit_verify(workspace.id)
    row = AuditRow.objects.get(workspace=workspace, seq=3)
    AuditRow.objects.filter(id=row.id).update(detail={"name": "another"})
    found = audit_verify(workspace.id)
    assert (found.is_whole, found.fault, found.seq, found.row) == (False, "changed", 3, row.id)
    AuditRow.objects.filter(id=row.id).update(detail=row.detail)
    assert audit_verify(workspace.id) == before
    AuditRow.objects.filter(id=row.id).update(actor_name="Eve")
    assert audit_verify(workspace.id).seq == 3


def test_a_changed_row_with_its_hash_made_anew_shows_at_the_next_one(workspace):
    rows_make(workspace, 4)
    audit_seal(workspace.id)
    rows = {row.seq: row for row in AuditRow.objects.filter(workspace=workspace)}
    rows[2].actor_name = "Eve"
    forged = row_sha256(rows[1].sha256, row_content(rows[2]))
    AuditRow.objects.filter(id=rows[2].id).update(actor_name="Eve", sha256=forged)
    found = audit_verify(workspace.id)
    assert (found.fault, found.seq) == ("changed", 3)


@pytest.mark.parametrize(("seq", "fault"), [(2, "missing"), (-1, "cut")])
def test_a_deleted_row_shows(workspace, seq, fault):
    rows_make(workspace, 4)
    audit_seal(workspace.id)
    last = AuditRow.objects.filter(workspace=workspace).order_by("-seq").values_list("seq", flat=True)[0]
    AuditRow.objects.filter(workspace=workspace, seq=seq if seq > 0 else last).delete()
    found = audit_verify(workspace.id)
    assert (found.fault, found.seq) == (fault, seq if seq > 0 else last)


@pytest.mark.django_db(transaction=True)
def test_writers_side_by_side_make_one_chain(workspace):
    before = AuditRow.objects.filter(workspace=workspace).count()

    def write(number: int) -> None:
        for each in range(10):
            with transaction.atomic():
                audit_record(
                    workspace=workspace.id,
                    actor=SYSTEM,
                    action="project.update",
                    subject=f"{number}-{each}",
                    detail={"name": "x"},
                )
        connection.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(6)))
    audit_seal(workspace.id)
    rows = list(AuditRow.objects.filter(workspace=workspace).order_by("seq").values_list("seq", flat=True))
    assert rows == list(range(1, before + 61))
    assert audit_verify(workspace.id).is_whole


def test_old_rows_go_from_the_beginning_and_the_rest_is_whole(workspace, settings):
    rows_make(workspace, 6)
    audit_seal(workspace.id)
    AuditRow.objects.filter(workspace=workspace, seq__lte=3).update(created_at=timezone.now() - timedelta(days=100))
    # An old database's rows were sealed with their times; here they are made old and sealed anew.
    AuditRow.objects.filter(workspace=workspace).update(seq=None, sha256="")
    AuditChain.objects.filter(workspace=workspace).delete()
    audit_seal(workspace.id)
    assert audit_prune() == 0
    settings.AUDIT_KEEP = timedelta(days=30)
    assert audit_prune() == 3
    found = audit_verify(workspace.id)
    assert (found.is_whole, found.num_pruned) == (True, 3)
    rows_make(workspace, 1)
    assert audit_verify(workspace.id).is_whole
    AuditRow.objects.filter(workspace=workspace, seq=4).delete()
    assert audit_verify(workspace.id).fault == "missing"


def test_the_command_names_the_first_wrong_row(workspace):
    rows_make(workspace, 3)
    out = io.StringIO()
    call_command("audit_verify", stdout=out)
    assert f"{workspace.id}" in out.getvalue()
    assert "whole" in out.getvalue()
    AuditRow.objects.filter(workspace=workspace, seq=2).update(action="project.delete")
    with pytest.raises(CommandError):
        call_command("audit_verify", stdout=out)
    assert "BROKEN at row 2 (changed" in out.getvalue()


def test_filters(client, workspace, owner):
    audit_record(workspace=workspace.id, actor=SYSTEM, action="study.started", subject="stu_1")
    audit_record(workspace=workspace.id, actor=principal_of_user(owner), action="project.update", subject="prj_1")
    root = f"/api/workspaces/{workspace.id}/audit"

    def actions(**query: str) -> list[str]:
        return [row["action"] for row in client.get(root, query).json()["items"]]

    assert actions(actor="system") == ["study.started"]
    assert actions(topic="projects") == ["project.update"]
    assert actions(action="study.started") == ["study.started"]
    assert actions(subject="prj_1") == ["project.update"]
    assert actions(until="2020-01-01T00:00:00Z") == []
    assert "study.started" in actions(since="2020-01-01T00:00:00Z")
    assert client.get(root, {"topic": "weather"}).status_code == 422
    names = [one["name"] for one in client.get(f"{root}/actors").json()]
    assert names == ["Modelyard", "Olga"]


def test_rows_name_the_project_that_they_were_done_in(client, workspace, project, owner):
    root, actor = f"/api/workspaces/{workspace.id}/audit", principal_of_user(owner)
    client.patch(f"/api/projects/{project.id}", {"name": "Nuts"}, content_type="application/json")
    audit_record(workspace=workspace.id, actor=actor, action="study.started", subject="stu_1", project="prj_gone")
    row = client.get(root, {"project": project.id}).json()["items"][0]
    assert (row["action"], row["project"]) == ("project.update", {"id": project.id, "name": "Nuts", "is_deleted": False})
    (row,) = client.get(root, {"project": "prj_gone"}).json()["items"]
    assert row["project"] == {"id": "prj_gone", "name": "", "is_deleted": True}
    assert client.get(root, {"topic": "security"}).json()["items"][0]["project"] is None
    project_delete(project=project, actor=actor)
    (listed,) = client.get(f"{root}/projects").json()
    assert listed == {"id": project.id, "name": "Nuts", "is_deleted": True}
    audit_seal(workspace.id)
    AuditRow.objects.filter(project=project.id).update(project="prj_other")
    assert audit_verify(workspace.id).fault == "changed", "the project is sealed with the row"


def test_what_is_done_in_a_project_is_recorded_with_it():
    """Accounts know workspaces and people; everything above them is about a project."""
    files = [path for folder in ("platform/studio", "labeling") for path in (ROOT / folder).rglob("*.py")]
    calls = {
        f"{path.relative_to(ROOT)}:{node.lineno}": {each.arg for each in node.keywords}
        for path in files
        if "accounts" not in path.parts
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"audit_record", "download_record", "security_event"}
    }
    assert len(calls) > 40
    assert [place for place, named in calls.items() if "project" not in named] == []


def body(answer) -> bytes:
    return b"".join(answer.streaming_content)


def test_files_are_for_people_and_for_checking(client, workspace):
    services.workspace_rename(workspace=workspace, name="=cmd|'/C calc'!A0", actor=SYSTEM)
    audit_record(workspace=workspace.id, actor=SYSTEM, action="project.update", subject="@SUM(1)", detail={"name": "x"})
    root = f"/api/workspaces/{workspace.id}/audit/export"
    answer = client.get(f"{root}?form=csv&language=zh&topic=projects")
    rows = list(csv.DictReader(io.StringIO(body(answer).decode("utf-8-sig"))))
    assert (rows[-1]["subject"], rows[-1]["text"]) == ("'@SUM(1)", "修改了项目“x”")
    lines = [json.loads(line) for line in body(client.get(f"{root}?form=jsonl")).splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert lines[-1]["action"] == "audit.exported"
    before = ""
    for line in lines:
        sha256 = line.pop("sha256")
        assert row_sha256(before, line) == sha256
        before = sha256
    assert client.get(f"/api/workspaces/{workspace.id}/audit/verify").json()["is_whole"] is True


def test_events_of_an_account_are_in_the_trails_of_its_workspaces_only(workspace, owner, caplog):
    lin = services.user_sign_up(email="lin@example.org", password=PASSWORD, name="Lin")
    services.member_add(workspace=workspace, email=lin.email, role=Role.VIEWER)
    with caplog.at_level("INFO", "modelyard.security"):
        security_event("account.sign_in", person=lin, address="192.0.2.7")
        security_event("account.sign_in_failed", address="192.0.2.8")
    rows = AuditRow.objects.filter(action__startswith="account.")
    assert {(row.action, row.actor_name, row.address) for row in rows} == {("account.sign_in", "Lin", "192.0.2.7")}
    assert rows.count() == 2
    assert [json.loads(record.message)["address"] for record in caplog.records] == ["192.0.2.7", "192.0.2.8"]


def test_the_trail_is_for_owners(workspace):
    lin = services.user_sign_up(email="lin@example.org", password=PASSWORD, name="Lin")
    services.member_add(workspace=workspace, email=lin.email, role=Role.ENGINEER)
    browser = Client()
    browser.post("/api/auth/sign-in", {"email": lin.email, "password": PASSWORD}, content_type="application/json")
    for what in ("", "/actors", "/projects", "/verify", "/export"):
        assert browser.get(f"/api/workspaces/{workspace.id}/audit{what}").status_code == 403


def test_things_stand_by_name_and_details_in_words(client, workspace, project, owner):
    actor = principal_of_user(owner)
    expected = {
        "project.labels_set": (
            project.id,
            {"num_items": 3, "is_odd": True, "items": [f"i{n}" for n in range(7)], "role": "viewer"},
        ),
        "artefact.promoted": (
            "art_01m82n37acgm9k90z0dag7p6mh",
            {"before": "none", "reason": "x" * 500, "options": {"a": None}},
        ),
    }
    for action, (subject, detail) in expected.items():
        audit_record(workspace=workspace.id, actor=actor, action=action, subject=subject, detail=detail)
    rows = client.get(f"/api/workspaces/{workspace.id}/audit").json()["items"]
    by_action = {row["action"]: row for row in rows}
    labels = by_action["project.labels_set"]
    assert labels["thing"] == {"en": "Project “Fruit”", "zh": "项目 “Fruit”"}
    facts = {fact["label"]["en"]: fact["value"] for fact in labels["facts"]}
    assert facts["Items"]["en"] in {"3", "i0, i1, i2, i3, i4, …"}
    assert facts["Role"] == {"en": "viewer", "zh": "访客"}
    assert facts["Is odd"]["zh"] == "是"
    promoted = by_action["artefact.promoted"]
    assert promoted["thing"]["en"] == "Model art_01m82n37acgm9k90z0dag7p6mh"  # it is gone
    facts = {fact["label"]["zh"]: fact["value"]["zh"] for fact in promoted["facts"]}
    assert facts == {"原值": "无", "原因": "x" * 200 + "…", "选项": "a：无"}
    assert by_action["workspace.create"]["thing"] is None


@pytest.mark.parametrize(
    ("action", "detail", "facts"),
    [
        ("study.started", {"strategy": "portfolio"}, {"搜索方式": "自动"}),
        ("assist.strategy", {"strategy": "margin"}, {"顺序": "难分高下"}),
        ("items.bulk_changed", {"kind": "split"}, {"类型": "更改划分"}),
        ("label.change", {"plan": {"kind": "split", "source": "a"}}, {"修改内容": "类型：拆分；标签：a"}),
        ("study.started", {"strategy": "from_the_future"}, {"搜索方式": "from_the_future"}),
    ],
)
def test_what_is_stored_is_said_in_words_of_its_action(client, workspace, project, owner, action, detail, facts):
    audit_record(workspace=workspace.id, actor=principal_of_user(owner), action=action, subject=project.id, detail=detail)
    row = client.get(f"/api/workspaces/{workspace.id}/audit?action={action}").json()["items"][0]
    assert {fact["label"]["zh"]: fact["value"]["zh"] for fact in row["facts"]} == facts


def detail_keys(tree: ast.AST) -> set[str]:
    """Keys of what is recorded as ``detail = {...}``, ``detail={...}`` or ``detail["..."] = ...``, or given to ``_record``."""
    keys: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"_record", "_audit", "_changed", "study_record"}:
            given = [each for each in node.args if isinstance(each, ast.Dict)]
            keys |= {key.value for each in given for key in each.keys if isinstance(key, ast.Constant)}
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        if isinstance(node, ast.keyword) and node.arg == "detail":
            value: ast.AST | None = node.value
        elif any(ast.unparse(target).partition("[")[0] == "detail" for target in targets):
            value = node.value
            keys |= {
                each.slice.value for each in targets if isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Constant)
            }
        else:
            continue
        dicts = [each for each in ast.walk(value) if isinstance(each, ast.Dict)] if value else []
        keys |= {key.value for each in dicts for key in each.keys if isinstance(key, ast.Constant)}
    return keys


def test_every_detail_that_is_recorded_has_a_label():
    files = [path for folder in ("platform/studio", "labeling") for path in (ROOT / folder).rglob("*.py")]
    recorded = {key for path in files for key in detail_keys(ast.parse(path.read_text()))}
    assert {"budget", "count", "share", "max_trials", "rule"} <= recorded
    assert not recorded - LABELS.keys()


def test_changed_columns_are_named_in_words(client, workspace, project, owner):
    column = {"name": "origin", "kind": "category", "role": "target"}
    detail = {"columns": [column], "num_changed": 1}
    audit_record(
        workspace=workspace.id, actor=principal_of_user(owner), action="data.columns_set", subject=project.id, detail=detail
    )
    facts = client.get(f"/api/workspaces/{workspace.id}/audit").json()["items"][0]["facts"]
    assert {fact["label"]["zh"]: fact["value"]["zh"] for fact in facts} == {
        "列": "名称：origin；类型：类别；用途：预测目标",
        "修改的列数": "1",
    }


def test_a_key_is_named_once_and_its_end_can_be_read(client, workspace, project):
    body = {"name": "camera", "role": "engineer", "project": project.id}
    made = client.post(f"/api/workspaces/{workspace.id}/keys", body, content_type="application/json")
    assert made.status_code == 201, made.content
    row = client.get(f"/api/workspaces/{workspace.id}/audit?action=key.create").json()["items"][0]
    facts = {fact["label"]["en"]: fact["value"]["en"] for fact in row["facts"]}
    assert row["thing"] is None
    assert facts["Project"] == "“Fruit”"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", facts["Expires"])
