"""All tables as they are after 0004, for a database that has none of them. What mends old rows is left out."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import studio.common.models
from studio.common.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("registry", "0001_initial"),
        ("registry", "0002_thresholds_and_note"),
        ("registry", "0003_compression"),
        ("registry", "0004_coverage"),
    ]

    initial = True

    dependencies = [
        ("datasets", "0001_initial"),
        ("jobs", "0001_initial"),
        ("jobs", "0002_job_title_text"),
        ("projects", "0001_initial"),
        ("studies", "0001_initial"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Artefact",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("number", models.PositiveIntegerField()),
                        ("tree", models.CharField(max_length=200)),
                        (
                            "stage",
                            models.CharField(
                                choices=[
                                    ("none", "None"),
                                    ("candidate", "Candidate"),
                                    ("production", "Production"),
                                    ("archived", "Archived"),
                                ],
                                default="none",
                                max_length=16,
                            ),
                        ),
                        ("manifest", models.JSONField()),
                        ("latency_ms", models.FloatField()),
                        ("model_bytes", models.BigIntegerField()),
                        ("size_bytes", models.BigIntegerField()),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="projects.project"
                            ),
                        ),
                        (
                            "trial",
                            models.OneToOneField(
                                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="studies.trial"
                            ),
                        ),
                        (
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="datasets.datasetversion"
                            ),
                        ),
                        ("note", models.CharField(blank=True, default="", max_length=500)),
                        ("thresholds", models.JSONField(default=dict)),
                        (
                            "parent",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="registry.artefact",
                            ),
                        ),
                        ("coverage", models.JSONField(default=dict)),
                    ],
                    options={
                        "indexes": [models.Index(fields=["project", "id"], name="artefact_project")],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "number"), name="artefact_number_once"),
                            models.UniqueConstraint(
                                condition=models.Q(("stage", "production")), fields=("project",), name="artefact_one_production"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Evaluation",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        (
                            "split",
                            models.CharField(
                                choices=[("train", "train"), ("validation", "validation"), ("test", "test")], max_length=16
                            ),
                        ),
                        ("metrics", models.JSONField()),
                        ("num_items", models.PositiveIntegerField()),
                        (
                            "artefact",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="evaluations", to="registry.artefact"
                            ),
                        ),
                        (
                            "job",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="jobs.job"
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
                        "constraints": [
                            models.UniqueConstraint(fields=("artefact", "version", "split"), name="evaluation_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StageChange",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "before",
                            models.CharField(
                                choices=[
                                    ("none", "None"),
                                    ("candidate", "Candidate"),
                                    ("production", "Production"),
                                    ("archived", "Archived"),
                                ],
                                max_length=16,
                            ),
                        ),
                        (
                            "after",
                            models.CharField(
                                choices=[
                                    ("none", "None"),
                                    ("candidate", "Candidate"),
                                    ("production", "Production"),
                                    ("archived", "Archived"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("reason", models.CharField(max_length=1000)),
                        ("by", models.CharField(max_length=40)),
                        ("at", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "artefact",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="stage_changes",
                                to="registry.artefact",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Compression",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("budget", models.JSONField()),
                        ("tree", models.CharField(blank=True, default="", max_length=200)),
                        ("report", models.JSONField(null=True)),
                        (
                            "artefact",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="compressions", to="registry.artefact"
                            ),
                        ),
                        (
                            "job",
                            models.OneToOneField(
                                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="jobs.job"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["artefact", "id"], name="compression_artefact")],
                    },
                ),
            ]
        ),
    ]
