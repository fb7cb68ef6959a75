"""All tables as they are after 0004, for a database that has none of them. What mends old rows is left out."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import studio.common.models


class Migration(migrations.Migration):
    replaces = [
        ("jobs", "0001_initial"),
        ("jobs", "0002_job_title_text"),
        ("jobs", "0003_batch_parts"),
        ("jobs", "0004_is_paused"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("projects", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("kind", models.CharField(max_length=32)),
                ("subject", models.CharField(blank=True, default="", max_length=40)),
                ("payload", models.JSONField(default=dict)),
                ("idempotency_key", models.CharField(max_length=200, unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "queued"),
                            ("leased", "leased"),
                            ("running", "running"),
                            ("succeeded", "succeeded"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                            ("stopped", "stopped"),
                        ],
                        default="queued",
                        max_length=16,
                    ),
                ),
                ("stage", models.CharField(blank=True, default="", max_length=64)),
                ("progress_fraction", models.FloatField(default=0.0)),
                ("remaining_s", models.FloatField(null=True)),
                ("error", models.JSONField(null=True)),
                ("warnings", models.JSONField(default=list)),
                ("metrics", models.JSONField(default=dict)),
                ("attempt", models.PositiveIntegerField(default=0)),
                ("max_attempts", models.PositiveIntegerField(default=3)),
                ("lease_owner", models.CharField(blank=True, default="", max_length=120)),
                ("lease_until", models.DateTimeField(null=True)),
                ("heartbeat_at", models.DateTimeField(null=True)),
                ("queued_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("sent_at", models.DateTimeField(null=True)),
                ("stop_requested", models.CharField(blank=True, default="", max_length=16)),
                ("events_offset", models.BigIntegerField(default=0)),
                ("started_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("end_claimed_until", models.DateTimeField(null=True)),
                ("end_handled_at", models.DateTimeField(null=True)),
                (
                    "project",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="projects.project"),
                ),
                (
                    "workspace",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.workspace"),
                ),
                ("title", models.JSONField()),
                ("batch_parts", models.PositiveSmallIntegerField(default=1)),
                ("is_paused", models.BooleanField(default=False)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["project", "id"], name="job_project"),
                    models.Index(fields=["workspace", "id"], name="job_workspace"),
                    models.Index(fields=["state", "lease_until"], name="job_state_lease"),
                    models.Index(
                        condition=models.Q(("end_handled_at__isnull", True)), fields=["ended_at"], name="job_end_unhandled"
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["queued", "leased", "running", "succeeded", "failed", "cancelled", "stopped"])
                        ),
                        name="job_state_known",
                    )
                ],
            },
        ),
    ]
