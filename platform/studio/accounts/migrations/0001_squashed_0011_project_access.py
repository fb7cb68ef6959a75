"""All tables as they are after 0011, for a database that has none of them. What mends old rows is left out."""

import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import studio.common.models
from studio.common.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("accounts", "0001_initial"),
        ("accounts", "0002_role_annotator"),
        ("accounts", "0003_session"),
        ("accounts", "0004_audit_chain"),
        ("accounts", "0005_keys"),
        ("accounts", "0006_quotas"),
        ("accounts", "0007_invitations"),
        ("accounts", "0008_rates"),
        ("accounts", "0009_shared_cache"),
        ("accounts", "0010_notices"),
        ("accounts", "0011_project_access"),
    ]

    initial = True

    dependencies = [
        ("sessions", "0001_initial"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Workspace",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("name", models.CharField(max_length=120)),
                    ],
                    options={
                        "abstract": False,
                    },
                ),
                migrations.CreateModel(
                    name="User",
                    fields=[
                        ("password", models.CharField(max_length=128, verbose_name="password")),
                        ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("email", models.EmailField(max_length=254, unique=True)),
                        ("name", models.CharField(max_length=120)),
                        ("language", models.CharField(choices=[("en", "En"), ("zh", "Zh")], default="en", max_length=2)),
                        (
                            "theme",
                            models.CharField(
                                choices=[("light", "Light"), ("dark", "Dark"), ("auto", "Auto")], default="auto", max_length=5
                            ),
                        ),
                        ("is_active", models.BooleanField(default=True)),
                        ("must_confirm_email", models.BooleanField(default=False)),
                        ("has_notice_mail", models.BooleanField(default=True)),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(django.db.models.functions.text.Lower("email"), name="user_email_any_case")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SignInFailure",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("account_sha256", models.CharField(max_length=64)),
                        ("address", models.CharField(max_length=64)),
                        ("at", models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        "indexes": [models.Index(fields=["address", "at"], name="sign_in_failure_address")],
                    },
                ),
                migrations.CreateModel(
                    name="ApiKey",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("name", models.CharField(max_length=120)),
                        (
                            "role",
                            models.CharField(
                                choices=[
                                    ("owner", "owner"),
                                    ("engineer", "engineer"),
                                    ("labeller", "labeller"),
                                    ("viewer", "viewer"),
                                    ("annotator", "annotator"),
                                    ("guest", "guest"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("secret_sha256", models.CharField(max_length=64, unique=True)),
                        ("hint", models.CharField(max_length=12)),
                        ("expires_at", models.DateTimeField(null=True)),
                        ("last_used_at", models.DateTimeField(null=True)),
                        (
                            "created_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "workspace",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.workspace"
                            ),
                        ),
                        ("is_predict_only", models.BooleanField(default=False)),
                        ("project", models.CharField(blank=True, default="", max_length=40)),
                        ("deployment", models.CharField(blank=True, default="", max_length=40)),
                        ("ended_at", models.DateTimeField(null=True)),
                        ("is_revoked", models.BooleanField(default=False)),
                        ("is_expiry_told", models.BooleanField(default=False)),
                    ],
                    options={
                        "abstract": False,
                    },
                ),
                migrations.CreateModel(
                    name="Membership",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "role",
                            models.CharField(
                                choices=[
                                    ("owner", "owner"),
                                    ("engineer", "engineer"),
                                    ("labeller", "labeller"),
                                    ("viewer", "viewer"),
                                    ("annotator", "annotator"),
                                    ("guest", "guest"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                            ),
                        ),
                        (
                            "workspace",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.workspace"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("workspace", "user"), name="membership_once"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("role__in", ["owner", "engineer", "labeller", "viewer", "annotator", "guest"])
                                ),
                                name="membership_role_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="AuditRow",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("actor_kind", models.CharField(max_length=8)),
                        ("actor_id", models.CharField(max_length=40)),
                        ("actor_name", models.CharField(max_length=120)),
                        ("action", models.CharField(max_length=64)),
                        ("subject", models.CharField(max_length=40)),
                        ("detail", models.JSONField(default=dict)),
                        (
                            "workspace",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.workspace"
                            ),
                        ),
                        ("address", models.CharField(blank=True, default="", max_length=64)),
                        ("seq", models.PositiveBigIntegerField(editable=False, null=True)),
                        ("sha256", models.CharField(blank=True, default="", editable=False, max_length=64)),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["workspace", "id"], name="audit_workspace"),
                            models.Index(
                                condition=models.Q(("seq__isnull", True)), fields=["workspace"], name="audit_unsealed"
                            ),
                        ],
                        "constraints": [models.UniqueConstraint(fields=("workspace", "seq"), name="audit_seq_once")],
                    },
                ),
                migrations.CreateModel(
                    name="Session",
                    fields=[
                        (
                            "session_key",
                            models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="session key"),
                        ),
                        ("session_data", models.TextField(verbose_name="session data")),
                        ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                        (
                            "user",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("last_seen_at", models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        "verbose_name": "session",
                        "verbose_name_plural": "sessions",
                        "abstract": False,
                    },
                ),
                migrations.CreateModel(
                    name="AuditChain",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("num_rows", models.PositiveBigIntegerField(default=0)),
                        ("sha256", models.CharField(blank=True, default="", max_length=64)),
                        ("num_pruned", models.PositiveBigIntegerField(default=0)),
                        ("pruned_sha256", models.CharField(blank=True, default="", max_length=64)),
                        (
                            "workspace",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.workspace"
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="WorkspaceQuota",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("quota", models.CharField(max_length=32)),
                        ("limit", models.PositiveBigIntegerField(null=True)),
                        (
                            "workspace",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.workspace"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("workspace", "quota"), name="workspace_quota_once")],
                    },
                ),
                migrations.CreateModel(
                    name="Invitation",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        (
                            "role",
                            models.CharField(
                                choices=[
                                    ("owner", "owner"),
                                    ("engineer", "engineer"),
                                    ("labeller", "labeller"),
                                    ("viewer", "viewer"),
                                    ("annotator", "annotator"),
                                    ("guest", "guest"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("email", models.EmailField(blank=True, max_length=254)),
                        ("secret_sha256", models.CharField(max_length=64, unique=True)),
                        ("expires_at", models.DateTimeField()),
                        ("max_uses", models.PositiveIntegerField(default=1)),
                        ("num_uses", models.PositiveIntegerField(default=0)),
                        (
                            "created_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "workspace",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.workspace"
                            ),
                        ),
                        ("project", models.CharField(blank=True, default="", max_length=40)),
                    ],
                    options={
                        "indexes": [models.Index(fields=["workspace", "id"], name="invitation_workspace")],
                    },
                ),
                migrations.CreateModel(
                    name="RateCount",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("rate", models.CharField(max_length=32)),
                        ("caller", models.CharField(max_length=64)),
                        ("since_s", models.BigIntegerField()),
                        ("num", models.PositiveIntegerField()),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("rate", "caller"), name="rate_count_once")],
                    },
                ),
                migrations.CreateModel(
                    name="SharedCache",
                    fields=[
                        ("cache_key", models.CharField(max_length=255, primary_key=True, serialize=False)),
                        ("value", models.TextField()),
                        ("expires", models.DateTimeField(db_index=True)),
                    ],
                    options={
                        "db_table": "accounts_sharedcache",
                    },
                ),
                migrations.CreateModel(
                    name="Notice",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("kind", models.CharField(max_length=32)),
                        ("subject", models.CharField(max_length=40)),
                        ("values", models.JSONField(default=dict)),
                        ("path", models.CharField(max_length=300)),
                        ("read_at", models.DateTimeField(null=True)),
                        ("mail_at", models.DateTimeField(null=True)),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                            ),
                        ),
                        (
                            "workspace",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.workspace"
                            ),
                        ),
                        ("project", models.CharField(blank=True, default="", max_length=40)),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["user", "id"], name="notice_user"),
                            models.Index(condition=models.Q(("read_at__isnull", True)), fields=["user"], name="notice_unread"),
                            models.Index(
                                condition=models.Q(("mail_at__isnull", False)), fields=["mail_at"], name="notice_to_mail"
                            ),
                            models.Index(fields=["subject"], name="notice_subject"),
                        ],
                        "constraints": [models.UniqueConstraint(fields=("user", "kind", "subject"), name="notice_once")],
                    },
                ),
                migrations.CreateModel(
                    name="ProjectMember",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("project", models.CharField(max_length=40)),
                        (
                            "role",
                            models.CharField(
                                choices=[
                                    ("owner", "owner"),
                                    ("engineer", "engineer"),
                                    ("labeller", "labeller"),
                                    ("viewer", "viewer"),
                                    ("annotator", "annotator"),
                                    ("guest", "guest"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                            ),
                        ),
                        (
                            "workspace",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.workspace"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "user"), name="project_member_once"),
                            models.CheckConstraint(
                                condition=models.Q(("role__in", ["engineer", "labeller", "viewer", "annotator"])),
                                name="project_member_role_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RestrictedProject",
                    fields=[
                        ("project", models.CharField(max_length=40, primary_key=True, serialize=False)),
                        (
                            "workspace",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.workspace"
                            ),
                        ),
                    ],
                ),
            ]
        ),
    ]
