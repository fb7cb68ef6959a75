"""People, workspaces, memberships, API keys, the audit trail and failed sign-ins."""

from __future__ import annotations

from importlib import import_module
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from studio.accounts.roles import PROJECT_ROLES, Role
from studio.accounts.sight import Access
from studio.common.models import ID_LENGTH, Base

ROLE_CHOICES = [(role.value, role.value) for role in Role]


class Language(models.TextChoices):
    """Languages of the product."""

    EN = "en"
    ZH = "zh"


class Theme(models.TextChoices):
    """How the front end looks."""

    LIGHT = "light"
    DARK = "dark"
    AUTO = "auto"


class User(Base, AbstractBaseUser):
    """A person, known by an email address."""

    ID_PREFIX = "usr"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=120)
    language = models.CharField(max_length=2, choices=Language.choices, default=Language.EN)
    theme = models.CharField(max_length=5, choices=Theme.choices, default=Theme.AUTO)
    is_active = models.BooleanField(default=True)
    must_confirm_email = models.BooleanField(default=False)
    """Whether signing in asks for a confirmed address: of accounts made while mail was set up."""

    has_notice_mail = models.BooleanField(default=True)
    """Whether notices that nobody reads in the app are mailed, where mail is set up."""

    access_read: Access | None = None
    """Roles and exceptions, where they were read along with the person of a session."""

    objects = BaseUserManager["User"]()

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_any_case")]


class Session(AbstractBaseSession):
    """A browser that somebody may be signed in with."""

    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="+")
    """Who, as the data say too; None before the sign-in. Every request finds the session and the person by one query."""
    last_seen_at = models.DateTimeField(default=timezone.now)
    """When it was used last, to a few minutes."""

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """Where Django looks for it."""
        store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
        return store


class Workspace(Base):
    """What belongs together: people, projects, keys. Nothing crosses its border."""

    ID_PREFIX = "wsp"

    name = models.CharField(max_length=120)


class Membership(models.Model):
    """A person's role in a workspace."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=16, choices=ROLE_CHOICES)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "user"], name="membership_once"),
            models.CheckConstraint(condition=models.Q(role__in=[role.value for role in Role]), name="membership_role_known"),
        ]


class RestrictedProject(models.Model):
    """A project that is open to named people only; one without such a row is open to its workspace."""

    project = models.CharField(max_length=ID_LENGTH, primary_key=True)
    """Its id: projects are an app above."""
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")


class ProjectMember(models.Model):
    """A member of a workspace who is named in one of its projects, with the role there."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    project = models.CharField(max_length=ID_LENGTH)
    """Its id: projects are an app above."""
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=16, choices=ROLE_CHOICES)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="project_member_once"),
            models.CheckConstraint(
                condition=models.Q(role__in=[role.value for role in PROJECT_ROLES]), name="project_member_role_known"
            ),
        ]


class Invitation(Base):
    """A link by which people join a workspace, or one project of it. Only the hash of its secret is kept."""

    ID_PREFIX = "inv"

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=16, choices=ROLE_CHOICES)
    """In the workspace, or in the project if it is for one."""
    project = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    """Id of the only project that it is for: who joins by it is a guest of the workspace; empty: the workspace."""
    email = models.EmailField(max_length=254, blank=True)
    """Whom it is for, in lower case; empty: whoever has the link."""
    secret_sha256 = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    expires_at = models.DateTimeField()
    max_uses = models.PositiveIntegerField(default=1)
    num_uses = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["workspace", "id"], name="invitation_workspace")]


class ApiKey(Base):
    """A machine's key, which belongs to the person who made it. Only the hash of the secret is kept.

    What it may do and whether it works is decided by ``studio.accounts.key_rules``.
    """

    ID_PREFIX = "key"

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=120)
    role = models.CharField(max_length=16, choices=ROLE_CHOICES)
    secret_sha256 = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=12)
    """First characters of the secret, so that a person recognises it."""
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    is_predict_only = models.BooleanField(default=False)
    """Whether it may do nothing but call deployments, whatever its role."""
    project = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    """Id of the only project that it is for; empty: every one of the workspace."""
    deployment = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    """Id of the only deployment that it may call; empty: every one."""
    ended_at = models.DateTimeField(null=True)
    """Since when it works no longer: it was revoked, or its owner was removed from the workspace."""
    is_revoked = models.BooleanField(default=False)
    """Then no list shows it; its name stays in histories."""
    is_expiry_told = models.BooleanField(default=False)
    """Whether the audit trail says already that its time is over."""


class AuditRow(Base):
    """Who did what to which thing. Once it is sealed, ``studio.accounts.audit_chain`` detects whether it was changed since."""

    ID_PREFIX = "aud"

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    actor_kind = models.CharField(max_length=8)
    actor_id = models.CharField(max_length=ID_LENGTH)
    actor_name = models.CharField(max_length=120)
    action = models.CharField(max_length=64)
    subject = models.CharField(max_length=ID_LENGTH)
    project = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    """Id of the one that it was done in; empty of what concerns the workspace or an account."""
    detail = models.JSONField(default=dict)
    address = models.CharField(max_length=64, blank=True, default="")
    """Of the network, where an event of security came from; empty where nobody asked."""
    seq = models.PositiveBigIntegerField(null=True, editable=False)
    """Place in the workspace's chain, from 1; None until the row is sealed, a moment after its transaction."""
    sha256 = models.CharField(max_length=64, blank=True, default="", editable=False)
    """Of the row before and of this row."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "seq"], name="audit_seq_once")]
        indexes = [
            models.Index(fields=["workspace", "id"], name="audit_workspace"),
            models.Index(fields=["project", "id"], condition=~models.Q(project=""), name="audit_project"),
            models.Index(fields=["workspace"], condition=models.Q(seq__isnull=True), name="audit_unsealed"),
        ]


class AuditChain(models.Model):
    """Where the audit trail of a workspace stands: its end, and what was deleted at its beginning."""

    workspace = models.OneToOneField(Workspace, on_delete=models.CASCADE, related_name="+")
    num_rows = models.PositiveBigIntegerField(default=0)
    """Rows ever sealed: the place of the last one."""
    sha256 = models.CharField(max_length=64, blank=True, default="")
    """Of the last one."""
    num_pruned = models.PositiveBigIntegerField(default=0)
    """Rows at the beginning that were kept long enough and are gone."""
    pruned_sha256 = models.CharField(max_length=64, blank=True, default="")
    """Of the last one that is gone: what the first row that is left was sealed after."""


class SignInFailure(models.Model):
    """A wrong password; kept for the window of the rate limit."""

    account_sha256 = models.CharField(max_length=64)
    """Hash of the address typed: somebody's password may have landed in that field."""
    address = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["address", "at"], name="sign_in_failure_address")]


class WorkspaceQuota(models.Model):
    """What a workspace may use at most, where it is not what the settings say for all."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    quota = models.CharField(max_length=32)
    """One of ``studio.accounts.quotas.Quota``."""
    limit = models.PositiveBigIntegerField(null=True)
    """None: there is none."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "quota"], name="workspace_quota_once")]


class RateCount(models.Model):
    """How often somebody asked for something costly since a moment; ``studio.accounts.rates`` counts here."""

    rate = models.CharField(max_length=32)
    """One of ``studio.accounts.rates.Rate``."""
    caller = models.CharField(max_length=64)
    """Id of the person or key, or the address of the network of whoever did not sign in."""
    since_s = models.BigIntegerField()
    """Seconds since the epoch: when the window began."""
    num = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rate", "caller"], name="rate_count_once")]


class SharedCache(models.Model):
    """Django's cache in the database, for what all web processes must know: limits of django-allauth, codes that were used.

    Its columns are those that ``django.core.cache.backends.db`` asks for.
    """

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "accounts_sharedcache"


class Notice(Base):
    """Something that a person should know of: listed once, until it is read."""

    ID_PREFIX = "ntc"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    project = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    """Id of the project that it is about: whoever does not see it does not see its notices; empty: of none."""
    kind = models.CharField(max_length=32)
    """One of ``studio.accounts.notices.NoticeKind``."""
    subject = models.CharField(max_length=ID_LENGTH)
    """Id of what it is about: what is taken back takes its notices along."""
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    """Whose doing it is; None: nobody's, or somebody's whose account is deleted."""
    values = models.JSONField(default=dict)
    """What its sentence names, besides who."""
    path = models.CharField(max_length=300)
    """The page that it leads to, below the public address."""
    read_at = models.DateTimeField(null=True)
    mail_at = models.DateTimeField(null=True)
    """When it is mailed if it is not read by then; None: never, or done."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind", "subject"], name="notice_once")]
        indexes = [
            models.Index(fields=["user", "id"], name="notice_user"),
            models.Index(fields=["user"], condition=models.Q(read_at__isnull=True), name="notice_unread"),
            models.Index(fields=["mail_at"], condition=models.Q(mail_at__isnull=False), name="notice_to_mail"),
            models.Index(fields=["subject"], name="notice_subject"),
        ]
