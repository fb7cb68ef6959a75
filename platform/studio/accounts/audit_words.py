"""What each action of the audit trail means, as a sentence that people read. An action without words here fails a test.

A sentence is filled from the row's detail; where an older row does not have what it names, the plain one stands in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from automl.contracts.base import Text
from studio.accounts.models import AuditRow
from studio.accounts.quotas import NAMES as QUOTA_NAMES
from studio.accounts.roles import Role


class Topic(StrEnum):
    """What an action is about, for the filter of the page."""

    SECURITY = "security"
    PROJECTS = "projects"
    DATA = "data"
    LABELS = "labels"
    MODELS = "models"
    DEPLOYMENTS = "deployments"


@dataclass(frozen=True)
class Words:
    """Topic and sentences of an action."""

    topic: Topic
    said: Text
    plain: Text | None = None
    """Without anything of the detail; None where ``said`` names nothing."""


def _words(topic: Topic, en: str, zh: str, plain_en: str = "", plain_zh: str = "") -> Words:
    return Words(topic, Text(en=en, zh=zh), Text(en=plain_en, zh=plain_zh) if plain_en else None)


_SECURITY = {
    "account.sign_in": ("Signed in", "登录"),
    "account.sign_in_failed": ("Sign-in failed", "登录失败"),
    "account.sign_in_blocked": ("Sign-in was blocked after too many wrong passwords", "密码错误次数过多，登录被暂时阻止"),
    "account.sign_out": ("Signed out", "退出登录"),
    "account.password_changed": ("Changed the password", "修改了密码"),
    "account.password_reset_asked": ("Asked for a link to reset the password", "申请了重置密码的链接"),
    "account.password_reset": ("Reset the password by a link", "通过链接重置了密码"),
    "account.email_changed": ("Changed the e-mail address", "更改了邮箱"),
    "account.email_confirmed": ("Confirmed the e-mail address", "验证了邮箱"),
    "account.sessions_ended": ("Ended other sessions", "结束了其他会话"),
    "account.mfa_enabled": ("Turned on two-factor authentication", "启用了双重验证"),
    "account.mfa_disabled": ("Turned off two-factor authentication", "停用了双重验证"),
    "account.recovery_codes_made": ("Made new recovery codes", "重新生成了恢复码"),
    "account.passkey_added": ("Added a passkey", "添加了通行密钥"),
    "account.passkey_removed": ("Removed a passkey", "移除了通行密钥"),
    "account.provider_connected": ("Connected an account of another provider", "关联了第三方账号"),
    "account.provider_disconnected": ("Disconnected an account of another provider", "解除了第三方账号的关联"),
    "account.reauthenticated": ("Confirmed the identity again", "再次验证了身份"),
    "account.deleted": ("Deleted the account", "删除了账号"),
    "member.invite": ("Invited {email} as {role}", "邀请 {email} 加入，角色为{role}", "Invited a person", "邀请了一名成员"),
    "member.invite_revoke": (
        "Withdrew the invitation of {email}",
        "撤回了对 {email} 的邀请",
        "Withdrew an invitation",
        "撤回了邀请",
    ),
    "member.join": ("{email} joined as {role}", "{email} 加入，角色为{role}", "Joined the workspace", "加入了工作空间"),
    "member.reset_link": (
        "Made a link to a new password for {email}",
        "为 {email} 生成了重设密码的链接",
        "Made a link to a new password for a member",
        "为成员生成了重设密码的链接",
    ),
    "member.leave": ("{email} left", "{email} 退出了工作空间", "Left the workspace", "退出了工作空间"),
    "member.add": ("Added {email} as {role}", "添加了 {email}，角色为{role}", "Added a member", "添加了成员"),
    "member.set_role": (
        "Changed the role of {email} from {from} to {to}",
        "将 {email} 的角色由{from}改为{to}",
        "Changed the role of a member",
        "更改了成员的角色",
    ),
    "member.remove": ("Removed {email}, who was {role}", "移除了 {email}（{role}）", "Removed a member", "移除了成员"),
    "key.create": ("Created the API key “{name}”", "创建了 API 密钥“{name}”", "Created an API key", "创建了 API 密钥"),
    "key.first_used": (
        "The API key “{name}” was used for the first time",
        "API 密钥“{name}”首次使用",
        "An API key was used",
        "密钥被使用",
    ),
    "key.delete": ("Revoked the API key “{name}”", "吊销了 API 密钥“{name}”", "Revoked an API key", "吊销了 API 密钥"),
    "key.ended": (
        "The API key “{name}” ended with its owner's membership",
        "API 密钥“{name}”随其所有者的成员资格一同失效",
        "An API key ended",
        "API 密钥已失效",
    ),
    "key.expired": ("The API key “{name}” expired", "API 密钥“{name}”已过期", "An API key expired", "API 密钥已过期"),
    "quota.exceeded": ("The quota “{quota}” was reached", "已达到配额“{quota}”", "A quota was reached", "已达到配额"),
    "quota.set": ("Set the quota “{quota}”", "设置了配额“{quota}”", "Set a quota", "设置了配额"),
    "export.downloaded": ("Downloaded an exported model", "下载了导出的模型"),
    "version.downloaded": ("Downloaded a data version", "下载了数据版本"),
    "archive.downloaded": ("Downloaded a project archive", "下载了项目存档"),
    "labels.downloaded": ("Downloaded the labels of a project", "下载了项目的标注"),
    "artefact.downloaded": (
        "Downloaded the file {file} of a model",
        "下载了模型文件 {file}",
        "Downloaded a file of a model",
        "下载了模型文件",
    ),
    "audit.exported": ("Downloaded the audit log", "下载了操作记录"),
    "workspace.create": ("Created the workspace", "创建了工作空间"),
    "workspace.rename": ("Renamed the workspace from “{from}” to “{to}”", "将工作空间由“{from}”更名为“{to}”"),
}
_PROJECTS = {
    "project.create": ("Created the project “{name}”", "创建了项目“{name}”"),
    "project.update": ("Changed the project “{name}”", "修改了项目“{name}”"),
    "project.delete": ("Deleted the project “{name}”", "删除了项目“{name}”"),
    "project.restore": ("Restored the project “{name}”", "恢复了项目“{name}”"),
    "project.labels_set": ("Changed the classes", "修改了类别"),
    "project.archive_export": ("Started to export a project archive", "开始导出项目存档"),
    "project.archive_import": ("Imported a project archive", "导入了项目存档"),
    "job.cancel": ("Cancelled a job", "取消了作业"),
}
_DATA = {
    "data.collect": ("Collected data from a source", "从数据源采集了数据"),
    "data.columns_set": ("Changed the columns", "修改了列设置"),
    "version.committed": ("Created a data version", "创建了数据版本"),
    "dataset.restored": ("Restored a data version", "恢复到了某个数据版本"),
    "item.deleted": ("Deleted {num_items} items", "删除了 {num_items} 条数据", "Deleted items", "删除了数据"),
    "item.quarantined": ("Put {num_items} items aside", "隔离了 {num_items} 条数据", "Put items aside", "隔离了数据"),
    "item.restored": ("Brought {num_items} items back", "恢复了 {num_items} 条数据", "Brought items back", "恢复了数据"),
    "items.bulk_changed": ("Changed many items at once", "批量修改了数据"),
    "items.bulk_undone": ("Undid a change of many items", "撤销了批量修改"),
    "quality.acted": (
        "Acted on a quality finding ({num_items} items)",
        "处理了数据质量问题（{num_items} 条）",
        "Acted on a quality finding",
        "处理了数据质量问题",
    ),
    "quality.undone": ("Undid an action on a quality finding", "撤销了数据质量处理"),
}
_LABELS = {
    "label.change": ("Changed classes together with their labels", "修改了类别及其标注"),
    "label.change_undone": ("Undid a change of classes", "撤销了类别修改"),
    "assist.strategy": ("Changed the order in which items are labelled", "更改了标注顺序"),
    "campaign.created": ("Created the campaign “{title}”", "新建了标注任务“{title}”"),
    "campaign.changed": ("Changed the campaign “{title}”", "修改了标注任务“{title}”"),
    "campaign.merged": ("Merged the answers of a campaign", "合并了标注任务的结果"),
    "campaign.settled": ("Settled an item of a campaign", "裁定了标注任务中的一条数据"),
    "comment.added": ("Wrote a comment", "发表了评论"),
    "comment.edited": ("Edited a comment", "编辑了评论"),
    "comment.resolved": ("Resolved a comment", "将评论标为已解决"),
    "comment.reopened": ("Reopened a comment", "重新打开了评论"),
    "comment.deleted": ("Deleted a comment", "删除了评论"),
    "comment.restored": ("Restored a comment", "恢复了评论"),
}
_MODELS = {
    "study.started": ("Started a training", "开始了训练"),
    "study.cancelled": ("Cancelled a training", "取消了训练"),
    "study.finishing": ("Ended a training early", "提前完成了训练"),
    "study.extended": ("Extended a training", "延长了训练"),
    "artefact.evaluate": ("Evaluated a model", "评估了模型"),
    "artefact.promoted": ("Changed the stage of a model", "更改了模型的阶段"),
    "export.created": ("Started to export a model", "开始导出模型"),
}
_DEPLOYMENTS = {
    "deployment.created": ("Created the deployment “{slug}”", "创建了部署“{slug}”"),
    "deployment.changed": ("Changed a deployment", "修改了部署"),
    "deployment.deleted": ("Deleted the deployment “{slug}”", "删除了部署“{slug}”"),
}
_BY_TOPIC: Mapping[Topic, Mapping[str, tuple[str, ...]]] = {
    Topic.SECURITY: _SECURITY,
    Topic.PROJECTS: _PROJECTS,
    Topic.DATA: _DATA,
    Topic.LABELS: _LABELS,
    Topic.MODELS: _MODELS,
    Topic.DEPLOYMENTS: _DEPLOYMENTS,
}
WORDS: Mapping[str, Words] = {
    action: _words(topic, *sentences) for topic, actions in _BY_TOPIC.items() for action, sentences in actions.items()
}
"""By action."""
ROLE_NAMES: Mapping[str, Text] = {
    Role.OWNER.value: Text(en="owner", zh="所有者"),
    Role.ENGINEER.value: Text(en="engineer", zh="工程师"),
    Role.LABELLER.value: Text(en="labeller", zh="标注员"),
    Role.VIEWER.value: Text(en="viewer", zh="访客"),
    Role.ANNOTATOR.value: Text(en="annotator", zh="外部标注员"),
}
_NAMED: Mapping[str, Mapping[str, Text]] = {
    "member": ROLE_NAMES,
    "quota": {quota.value: name for quota, name in QUOTA_NAMES.items()},
}
"""First word of an action -> what values in its detail are called."""


def row_said(row: AuditRow) -> Text:
    """What a row tells, in words."""
    words = WORDS.get(row.action)
    if words is None:
        return Text(en=row.action, zh=row.action)
    try:
        return _filled(words.said, row.detail, _NAMED.get(row.action.partition(".")[0], {}))
    except KeyError:
        return words.plain or Text(en=row.action, zh=row.action)


def row_topic(row: AuditRow) -> Topic:
    """What a row is about."""
    words = WORDS.get(row.action)
    return Topic.SECURITY if words is None else words.topic


def _filled(said: Text, detail: Mapping[str, Any], names: Mapping[str, Text]) -> Text:
    named = {field: names[str(value)] for field, value in detail.items() if str(value) in names}
    en = {field: named[field].en if field in named else value for field, value in detail.items()}
    zh = {field: named[field].zh if field in named else value for field, value in detail.items()}
    return Text(en=said.en.format_map(en), zh=said.zh.format_map(zh))
