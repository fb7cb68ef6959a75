"""What rows of the audit trail are about, in words: the thing by its kind and name, and the rest of the detail as facts.

Things are found by the prefix of their ids, whichever room has them; what is gone keeps its id for a name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import models

from automl.contracts.base import Text
from engine.tasks import task_names, task_spec
from studio.accounts.audit_words import ROLE_NAMES, WORDS, row_said
from studio.accounts.models import AuditRow
from studio.accounts.quotas import NAMES as QUOTA_NAMES

_ID = re.compile(r"([a-z]{3})_[0-9a-z]{20,}")
_SHOWN = 5
"""Entries of a list that are shown."""
_CHARS = 200
_KINDS: Mapping[str, tuple[Text, str]] = {
    "usr": (Text(en="Person", zh="成员"), "name"),
    "wsp": (Text(en="Workspace", zh="工作空间"), "name"),
    "key": (Text(en="API key", zh="API 密钥"), "name"),
    "inv": (Text(en="Invitation", zh="邀请"), "email"),
    "prj": (Text(en="Project", zh="项目"), "name"),
    "dst": (Text(en="Data set", zh="数据集"), "project__name"),
    "dsv": (Text(en="Version", zh="版本"), "number"),
    "upl": (Text(en="Upload", zh="上传"), "name"),
    "itm": (Text(en="Item", zh="数据"), "name"),
    "job": (Text(en="Job", zh="任务"), "title"),
    "stu": (Text(en="Study", zh="训练"), "name"),
    "art": (Text(en="Model", zh="模型"), "number"),
    "dep": (Text(en="Deployment", zh="部署"), "name"),
    "exp": (Text(en="Export", zh="导出"), "target"),
    "cmp": (Text(en="Campaign", zh="标注任务"), "title"),
    "cmt": (Text(en="Comment", zh="评论"), "text"),
}
"""Prefix of an id -> what such a thing is called, and the column that tells one from another."""
_LABELS: Mapping[str, Text] = {
    "name": Text(en="Name", zh="名称"),
    "email": Text(en="Email", zh="邮箱"),
    "role": Text(en="Role", zh="角色"),
    "from": Text(en="Before", zh="原值"),
    "before": Text(en="Before", zh="原值"),
    "to": Text(en="Now", zh="现值"),
    "after": Text(en="Now", zh="现值"),
    "reason": Text(en="Reason", zh="原因"),
    "owner": Text(en="Owner", zh="所有者"),
    "quota": Text(en="Quota", zh="配额"),
    "used": Text(en="Used", zh="已用"),
    "limit": Text(en="Limit", zh="上限"),
    "file": Text(en="File", zh="文件"),
    "format": Text(en="Format", zh="格式"),
    "form": Text(en="Format", zh="格式"),
    "pictures": Text(en="With files", zh="含文件"),
    "num_items": Text(en="Items", zh="数据条数"),
    "num_named": Text(en="Items chosen", zh="所选条数"),
    "items": Text(en="Items", zh="数据"),
    "item": Text(en="Item", zh="数据"),
    "labels": Text(en="Labels", zh="标签"),
    "plan": Text(en="Change", zh="修改内容"),
    "kind": Text(en="Kind", zh="类型"),
    "filter": Text(en="Filter", zh="筛选条件"),
    "task": Text(en="Task", zh="任务类型"),
    "version": Text(en="Version", zh="版本"),
    "split": Text(en="Part of the data", zh="数据划分"),
    "artefact": Text(en="Model", zh="模型"),
    "target": Text(en="Target", zh="目标"),
    "options": Text(en="Options", zh="选项"),
    "strategy": Text(en="Order", zh="顺序"),
    "provider": Text(en="Provider", zh="登录方式"),
    "sessions": Text(en="Sessions", zh="会话数"),
    "slug": Text(en="Address", zh="地址"),
    "stage": Text(en="Stage", zh="阶段"),
    "archive": Text(en="Archive", zh="存档"),
    "expires_at": Text(en="Expires", zh="到期时间"),
    "predict_only": Text(en="Predict only", zh="仅预测"),
    "project": Text(en="Project", zh="项目"),
    "deployment": Text(en="Deployment", zh="部署"),
}
_YES, _NO, _NONE = Text(en="yes", zh="是"), Text(en="no", zh="否"), Text(en="none", zh="无")
_VALUES = {**ROLE_NAMES, **{quota.value: name for quota, name in QUOTA_NAMES.items()}}


@dataclass(frozen=True)
class Fact:
    """One thing that the detail tells."""

    label: Text
    value: Text


@dataclass(frozen=True)
class About:
    """What a row is about, beside its sentence."""

    thing: Text | None
    """Kind and name; None where the row is about its workspace, the sentence names it, or nobody knows the kind."""
    facts: list[Fact]


def rows_about(rows: Collection[AuditRow]) -> dict[str, About]:
    """By the id of the row."""
    found = _names({each for row in rows for each in _ids([row.subject, row.detail])})
    return {row.id: About(_thing(row, found), _facts(row, found)) for row in rows}


def _thing(row: AuditRow, names: Mapping[str, Text]) -> Text | None:
    kind = _KINDS.get(row.subject[:3])
    if kind is None or row.subject.startswith("wsp_") or row.subject == row.actor_id:
        return None
    name = names.get(row.subject, Text(en=row.subject, zh=row.subject))
    if name.en.strip("“”") in row_said(row).en:
        return None  # the sentence names it
    return Text(en=f"{kind[0].en} {name.en}", zh=f"{kind[0].zh} {name.zh}")


def _facts(row: AuditRow, names: Mapping[str, Text]) -> list[Fact]:
    words = WORDS.get(row.action)
    said = set(re.findall(r"\{(\w+)\}", words.said.en)) if words else set()
    told = ((key, value) for key, value in row.detail.items() if key not in said and value not in ("", [], {}))
    return [
        Fact(_LABELS.get(key) or _plain(key.replace("_", " ").capitalize()), _told(key, value, names)) for key, value in told
    ]


def _told(key: str, value: Any, names: Mapping[str, Text]) -> Text:  # noqa: ANN401 - JSON
    if key == "task" and value in task_names():
        return task_spec(value).title
    if key.endswith("_at") and isinstance(value, str):
        return _plain(value[:16].replace("T", " ") + " UTC")
    return _value(value, names)


def _value(value: Any, names: Mapping[str, Text]) -> Text:  # noqa: ANN401 - JSON
    if value is None:
        return _NONE
    if isinstance(value, bool):
        return _YES if value else _NO
    if isinstance(value, list):
        shown = [_value(each, names) for each in value[:_SHOWN]]
        more = [_plain("…")] if len(value) > _SHOWN else []
        return Text(en=", ".join(each.en for each in shown + more), zh="、".join(each.zh for each in shown + more))
    if isinstance(value, dict):
        pairs = [(str(key).replace("_", " "), _value(each, names)) for key, each in list(value.items())[:_SHOWN]]
        return Text(en="; ".join(f"{key}: {each.en}" for key, each in pairs), zh="；".join(f"{k}：{v.zh}" for k, v in pairs))
    text = str(value)
    return names.get(text) or _VALUES.get(text) or _plain(text if len(text) <= _CHARS else f"{text[:_CHARS]}…")


def _plain(text: str) -> Text:
    return Text(en=text, zh=text)


def _ids(values: Iterable[Any]) -> set[str]:
    """Ids anywhere within JSON."""
    return {match[0] for match in _ID.finditer(json.dumps(list(values)))}


def _names(ids: Collection[str]) -> dict[str, Text]:
    """Names of the things among these ids, by one statement a table."""
    tables = {_prefix(model): model for model in apps.get_models()}
    named: dict[str, Text] = {}
    for prefix in {each[:3] for each in ids} & _KINDS.keys() & tables.keys():
        wanted = [each for each in ids if each.startswith(f"{prefix}_")]
        column = _KINDS[prefix][1]
        rows = tables[prefix]._base_manager.filter(pk__in=wanted).values_list("pk", column)
        named |= {str(key): _named(value) for key, value in rows if value not in (None, "")}
    return named


def _prefix(model: type[models.Model]) -> str:
    prefix = getattr(model, "ID_PREFIX", None)
    return prefix if prefix is not None else "dsv" if model._meta.label == "datasets.DatasetVersion" else ""


def _named(value: Any) -> Text:  # noqa: ANN401 - a column of text, a number, or a text in both languages
    if isinstance(value, dict):
        return Text(en=str(value.get("en", "")), zh=str(value.get("zh", "")))
    text = f"{value}" if isinstance(value, int) else f"“{str(value)[:80]}”"
    return _plain(text)
