"""All tables as they are after 0010, for a database that has none of them. What mends old rows is left out."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import studio.common.models
from studio.common.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("deployments", "0001_initial"),
        ("deployments", "0002_kept_answer"),
        ("deployments", "0003_refusal_code"),
        ("deployments", "0004_call_count"),
        ("deployments", "0005_variants"),
        ("deployments", "0006_rollouts"),
        ("deployments", "0007_alerts"),
        ("deployments", "0008_input_facts"),
        ("deployments", "0009_retraining"),
        ("deployments", "0010_desired"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("accounts", "0006_quotas"),
        ("datasets", "0013_upload_predict"),
        ("jobs", "0001_initial"),
        ("projects", "0001_initial"),
        ("registry", "0001_initial"),
        ("registry", "0003_compression"),
        ("studies", "0006_several_objectives"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="LogOffset",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("path", models.CharField(max_length=255, unique=True)),
                        ("offset_bytes", models.BigIntegerField(default=0)),
                    ],
                ),
                migrations.CreateModel(
                    name="Deployment",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("name", models.CharField(max_length=120)),
                        ("slug", models.SlugField(max_length=64)),
                        ("thresholds", models.JSONField(default=dict)),
                        (
                            "keep_inputs",
                            models.CharField(
                                choices=[("none", "None"), ("uncertain", "Uncertain"), ("all", "All")],
                                default="none",
                                max_length=16,
                            ),
                        ),
                        ("min_uncertainty", models.FloatField(default=0.5)),
                        ("retention_days", models.PositiveIntegerField(default=30)),
                        ("created_by", models.CharField(max_length=40)),
                        (
                            "artefact",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="registry.artefact"
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="projects.project"
                            ),
                        ),
                        (
                            "workspace",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.workspace"
                            ),
                        ),
                        (
                            "desired",
                            models.CharField(
                                choices=[("running", "Running"), ("stopped", "Stopped")], default="running", max_length=16
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["project", "id"], name="deployment_project")],
                        "constraints": [models.UniqueConstraint(fields=("workspace", "slug"), name="deployment_slug_once")],
                    },
                ),
                migrations.CreateModel(
                    name="Export",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("target", models.CharField(max_length=64)),
                        ("options", models.JSONField(default=dict)),
                        ("report", models.JSONField(null=True)),
                        ("blob", models.CharField(blank=True, default="", max_length=64)),
                        ("created_by", models.CharField(max_length=40)),
                        (
                            "artefact",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="registry.artefact"
                            ),
                        ),
                        (
                            "job",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="jobs.job"
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="projects.project"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["artefact", "id"], name="export_artefact")],
                    },
                ),
                migrations.CreateModel(
                    name="PredictionLog",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("at", models.DateTimeField()),
                        ("artefact", models.CharField(blank=True, default="", max_length=40)),
                        ("key", models.CharField(blank=True, default="", max_length=40)),
                        ("status", models.PositiveSmallIntegerField()),
                        ("latency_ms", models.FloatField()),
                        ("num_pictures", models.PositiveIntegerField()),
                        ("top", models.JSONField(default=list)),
                        ("uncertainty", models.FloatField(null=True)),
                        ("input_sha256", models.CharField(max_length=64, null=True)),
                        (
                            "deployment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="deployments.deployment"
                            ),
                        ),
                        ("held", models.JSONField(null=True)),
                        ("code", models.CharField(blank=True, default="", max_length=64)),
                        ("fallback_code", models.CharField(blank=True, default="", max_length=64)),
                        ("fallback_from", models.CharField(blank=True, default="", max_length=40)),
                        ("is_pinned", models.BooleanField(default=False)),
                        ("facts", models.JSONField(null=True)),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["deployment", "id"], name="prediction_deployment"),
                            models.Index(fields=["deployment", "at"], name="prediction_deployment_at"),
                            models.Index(
                                condition=models.Q(("input_sha256__isnull", False)),
                                fields=["deployment", "uncertainty"],
                                name="prediction_uncertain",
                            ),
                            models.Index(
                                condition=models.Q(("input_sha256__isnull", False)),
                                fields=["input_sha256"],
                                name="prediction_input",
                            ),
                            models.Index(
                                condition=models.Q(("facts__isnull", False)),
                                fields=["deployment", "id"],
                                name="prediction_facts",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CallCount",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("day", models.DateField()),
                        ("calls", models.PositiveBigIntegerField(default=0)),
                        (
                            "workspace",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.workspace"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("workspace", "day"), name="call_count_once")],
                    },
                ),
                migrations.CreateModel(
                    name="ShadowCall",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("at", models.DateTimeField()),
                        ("artefact", models.CharField(max_length=40)),
                        ("answered_by", models.CharField(blank=True, default="", max_length=40)),
                        ("code", models.CharField(blank=True, default="", max_length=64)),
                        ("latency_ms", models.FloatField()),
                        ("top", models.JSONField(default=list)),
                        ("uncertainty", models.FloatField(null=True)),
                        ("disagreement", models.FloatField(null=True)),
                        ("place", models.PositiveIntegerField(default=0)),
                        ("held", models.JSONField(null=True)),
                        ("input_sha256", models.CharField(max_length=64, null=True)),
                        (
                            "deployment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="deployments.deployment"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["deployment", "artefact", "at"], name="shadow_call_at"),
                            models.Index(
                                condition=models.Q(("input_sha256__isnull", False)),
                                fields=["input_sha256"],
                                name="shadow_call_input",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Variant",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("share", models.PositiveSmallIntegerField(default=0)),
                        ("is_shadow", models.BooleanField(default=False)),
                        (
                            "artefact",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="registry.artefact"
                            ),
                        ),
                        (
                            "deployment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="variants",
                                to="deployments.deployment",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["id"],
                        "constraints": [
                            models.UniqueConstraint(fields=("deployment", "artefact"), name="variant_once"),
                            models.UniqueConstraint(
                                condition=models.Q(("is_shadow", True)), fields=("deployment",), name="variant_one_shadow"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("is_shadow", False), ("share__lte", 100)),
                                    models.Q(("is_shadow", True), ("share", 0)),
                                    _connector="OR",
                                ),
                                name="variant_share",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CallFeedback",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("call", models.CharField(max_length=40)),
                        ("place", models.PositiveSmallIntegerField(default=0)),
                        ("received_at", models.DateTimeField()),
                        ("artefact", models.CharField(max_length=40)),
                        ("is_pinned", models.BooleanField(default=False)),
                        ("truth", models.JSONField()),
                        ("loss", models.FloatField()),
                        (
                            "deployment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="deployments.deployment"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["deployment", "received_at"], name="call_feedback_at")],
                        "constraints": [models.UniqueConstraint(fields=("call", "place"), name="call_feedback_once")],
                    },
                ),
                migrations.CreateModel(
                    name="Rollout",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("measure", models.CharField(choices=[("feedback", "Feedback"), ("errors", "Errors")], max_length=16)),
                        ("margin", models.FloatField(default=0.0)),
                        ("steps", models.JSONField()),
                        ("step_minutes", models.PositiveIntegerField()),
                        ("step", models.PositiveSmallIntegerField(default=0)),
                        ("step_at", models.DateTimeField()),
                        ("evidence", models.JSONField(default=dict)),
                        ("calls", models.JSONField(default=dict)),
                        ("judged_until", models.DateTimeField()),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("running", "Running"),
                                    ("promoted", "Promoted"),
                                    ("rolled_back", "Rolled Back"),
                                    ("stopped", "Stopped"),
                                ],
                                default="running",
                                max_length=16,
                            ),
                        ),
                        ("history", models.JSONField(default=list)),
                        ("created_by", models.CharField(max_length=40)),
                        ("ended_by", models.CharField(blank=True, default="", max_length=40)),
                        ("ended_at", models.DateTimeField(null=True)),
                        (
                            "baseline",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="registry.artefact"
                            ),
                        ),
                        (
                            "candidate",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="registry.artefact"
                            ),
                        ),
                        (
                            "deployment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="deployments.deployment"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("state", "running")), fields=("deployment",), name="rollout_one_running"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="AlertRules",
                    fields=[
                        (
                            "deployment",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="alert_rules",
                                serialize=False,
                                to="deployments.deployment",
                            ),
                        ),
                        ("webhook_url", models.CharField(blank=True, default="", max_length=2000)),
                        ("secret_sealed", models.TextField(blank=True, default="")),
                        ("emails", models.JSONField(default=list)),
                        ("conditions", models.JSONField(default=dict)),
                    ],
                ),
                migrations.CreateModel(
                    name="Alert",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("condition", models.CharField(max_length=64)),
                        ("began_at", models.DateTimeField()),
                        ("ended_at", models.DateTimeField(null=True)),
                        ("figures", models.JSONField(default=dict)),
                        ("end_figures", models.JSONField(null=True)),
                        ("subject", models.CharField(blank=True, default="", max_length=40)),
                        (
                            "deployment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="deployments.deployment"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["deployment", "id"], name="alert_deployment")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at__isnull", True)),
                                fields=("deployment", "condition"),
                                name="alert_one_standing",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("subject", ""), _negated=True),
                                fields=("deployment", "condition", "subject"),
                                name="alert_told_once",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="AlertDelivery",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        (
                            "event",
                            models.CharField(
                                choices=[("began", "Began"), ("ended", "Ended"), ("happened", "Happened")], max_length=16
                            ),
                        ),
                        ("channel", models.CharField(choices=[("webhook", "Webhook"), ("mail", "Mail")], max_length=16)),
                        ("target", models.CharField(max_length=320)),
                        (
                            "state",
                            models.CharField(
                                choices=[("waiting", "Waiting"), ("delivered", "Delivered"), ("failed", "Failed")],
                                default="waiting",
                                max_length=16,
                            ),
                        ),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("next_at", models.DateTimeField()),
                        ("sent_at", models.DateTimeField(null=True)),
                        ("status", models.PositiveSmallIntegerField(null=True)),
                        ("code", models.CharField(blank=True, default="", max_length=64)),
                        (
                            "alert",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="deliveries", to="deployments.alert"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state", "waiting")), fields=["next_at"], name="alert_delivery_due"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("alert", "event", "channel", "target"), name="alert_delivery_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RetrainRule",
                    fields=[
                        (
                            "deployment",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="retrain_rule",
                                serialize=False,
                                to="deployments.deployment",
                            ),
                        ),
                        ("reasons", models.JSONField(default=dict)),
                        ("starts_rollout", models.BooleanField(default=False)),
                        ("holds_since", models.JSONField(default=dict)),
                        ("blocked", models.JSONField(null=True)),
                    ],
                ),
                migrations.CreateModel(
                    name="Retraining",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("reason", models.CharField(max_length=64)),
                        ("figures", models.JSONField(default=dict)),
                        (
                            "state",
                            models.CharField(
                                choices=[("training", "Training"), ("offered", "Offered"), ("failed", "Failed")],
                                default="training",
                                max_length=16,
                            ),
                        ),
                        ("code", models.CharField(blank=True, default="", max_length=64)),
                        ("ended_at", models.DateTimeField(null=True)),
                        (
                            "artefact",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="registry.artefact",
                            ),
                        ),
                        (
                            "deployment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="deployments.deployment"
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="studies.study"
                            ),
                        ),
                        (
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="datasets.datasetversion"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["deployment", "id"], name="retraining_deployment")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("state", "training")), fields=("deployment",), name="retraining_one_running"
                            )
                        ],
                    },
                ),
            ]
        ),
    ]
