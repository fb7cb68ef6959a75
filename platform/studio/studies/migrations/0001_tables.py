"""The tables of 0001 in one step, for a database that has none of them."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import studio.common.models
from studio.common.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [("studies", "0001_initial")]

    initial = True

    dependencies = [
        ("datasets", "0001_initial"),
        ("jobs", "0001_initial"),
        ("projects", "0001_initial"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Study",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("name", models.CharField(max_length=120)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("running", "Running"),
                                    ("succeeded", "Succeeded"),
                                    ("failed", "Failed"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="running",
                                max_length=16,
                            ),
                        ),
                        ("strategy", models.CharField(max_length=64)),
                        ("families", models.JSONField()),
                        ("single", models.JSONField(null=True)),
                        ("max_trials", models.PositiveIntegerField()),
                        ("concurrency", models.PositiveIntegerField()),
                        ("time_limit_s", models.FloatField(null=True)),
                        ("clock_started_at", models.DateTimeField()),
                        ("pruner", models.CharField(choices=[("none", "None"), ("median", "Median")], max_length=16)),
                        ("seed", models.BigIntegerField()),
                        ("created_by", models.CharField(max_length=40)),
                        ("error", models.JSONField(null=True)),
                        ("ended_at", models.DateTimeField(null=True)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="projects.project"
                            ),
                        ),
                        (
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="datasets.datasetversion"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["project", "id"], name="study_project")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("ended_at__isnull", True), ("state", "running")),
                                    models.Q(models.Q(("state", "running"), _negated=True), ("ended_at__isnull", False)),
                                    _connector="OR",
                                ),
                                name="study_ended_has_a_time",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Trial",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("number", models.PositiveIntegerField()),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("queued", "queued"),
                                    ("running", "running"),
                                    ("succeeded", "succeeded"),
                                    ("failed", "failed"),
                                    ("pruned", "pruned"),
                                    ("cancelled", "cancelled"),
                                ],
                                default="queued",
                                max_length=16,
                            ),
                        ),
                        ("config", models.JSONField()),
                        ("value", models.FloatField(null=True)),
                        ("values", models.JSONField(default=dict)),
                        ("estimated_s", models.FloatField()),
                        ("error", models.JSONField(null=True)),
                        ("started_at", models.DateTimeField(null=True)),
                        ("ended_at", models.DateTimeField(null=True)),
                        (
                            "job",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="jobs.job"
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="trials", to="studies.study"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["job"], name="trial_job")],
                        "constraints": [models.UniqueConstraint(fields=("study", "number"), name="trial_number_once")],
                    },
                ),
                migrations.CreateModel(
                    name="TrialPoint",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "split",
                            models.CharField(
                                choices=[("train", "train"), ("validation", "validation"), ("test", "test")], max_length=16
                            ),
                        ),
                        ("step", models.PositiveBigIntegerField()),
                        ("epoch", models.FloatField()),
                        ("values", models.JSONField()),
                        (
                            "trial",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="points", to="studies.trial"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("trial", "split", "step"), name="trial_point_once")],
                    },
                ),
            ]
        ),
    ]
