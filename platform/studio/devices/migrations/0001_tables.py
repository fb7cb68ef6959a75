"""The tables of 0001 in one step, for a database that has none of them."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import studio.common.models
from studio.common.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [("devices", "0001_initial")]

    initial = True

    dependencies = [
        ("deployments", "0009_retraining"),
        ("projects", "0002_is_restorable"),
        ("registry", "0003_compression"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Device",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("name", models.CharField(max_length=120)),
                        ("secret_sha256", models.CharField(max_length=64, unique=True)),
                        ("facts", models.JSONField(default=dict)),
                        ("created_by", models.CharField(max_length=40)),
                        ("attempt", models.PositiveIntegerField(default=0)),
                        ("allows_other_labels", models.BooleanField(default=False)),
                        ("sends_inputs", models.BooleanField(default=False)),
                        ("last_seen_at", models.DateTimeField(null=True)),
                        ("state", models.CharField(blank=True, default="", max_length=16)),
                        ("model", models.CharField(blank=True, default="", max_length=40)),
                        ("backend", models.CharField(blank=True, default="", max_length=40)),
                        ("memory_mib", models.FloatField(null=True)),
                        ("num_restarts", models.PositiveIntegerField(default=0)),
                        ("num_waiting", models.PositiveIntegerField(default=0)),
                        ("num_dropped", models.JSONField(default=dict)),
                        ("error", models.JSONField(null=True)),
                        (
                            "assigned",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="deployments.export",
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
                        "indexes": [models.Index(fields=["project", "id"], name="device_project")],
                    },
                ),
                migrations.CreateModel(
                    name="DeviceRollout",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("allows_other_labels", models.BooleanField(default=False)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("first", "First"),
                                    ("everywhere", "Everywhere"),
                                    ("failed", "Failed"),
                                    ("stopped", "Stopped"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("created_by", models.CharField(max_length=40)),
                        (
                            "artefact",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="registry.artefact"
                            ),
                        ),
                        (
                            "first",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="devices.device"
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
                        "indexes": [models.Index(fields=["project", "id"], name="device_rollout_project")],
                    },
                ),
                migrations.CreateModel(
                    name="DeviceUsage",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("key", models.CharField(max_length=64)),
                        ("begins_at", models.DateTimeField()),
                        ("ends_at", models.DateTimeField()),
                        ("model", models.CharField(max_length=40)),
                        ("num_calls", models.PositiveIntegerField()),
                        ("num_failed", models.PositiveIntegerField()),
                        ("p50_ms", models.FloatField(null=True)),
                        ("p95_ms", models.FloatField(null=True)),
                        ("p99_ms", models.FloatField(null=True)),
                        (
                            "device",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="usage", to="devices.device"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["device", "ends_at"], name="device_usage_time")],
                        "constraints": [models.UniqueConstraint(fields=("device", "key"), name="device_usage_once")],
                    },
                ),
                migrations.CreateModel(
                    name="JoinCode",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("secret_sha256", models.CharField(max_length=64, unique=True)),
                        ("expires_at", models.DateTimeField()),
                        ("created_by", models.CharField(max_length=40)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="projects.project"
                            ),
                        ),
                    ],
                    options={
                        "abstract": False,
                    },
                ),
                migrations.CreateModel(
                    name="Measurement",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("device_name", models.CharField(max_length=120)),
                        ("backend", models.CharField(max_length=40)),
                        ("environment", models.CharField(max_length=200)),
                        ("num_runs", models.PositiveIntegerField()),
                        ("p50_ms", models.FloatField()),
                        ("p95_ms", models.FloatField()),
                        ("p99_ms", models.FloatField()),
                        ("per_second", models.FloatField()),
                        ("memory_mib", models.FloatField(null=True)),
                        ("created_by", models.CharField(max_length=40)),
                        (
                            "artefact",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="registry.artefact"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["artefact", "id"], name="measurement_artefact")],
                    },
                ),
            ]
        ),
    ]
