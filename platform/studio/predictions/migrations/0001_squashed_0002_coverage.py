"""All tables as they are after 0002, for a database that has none of them. What mends old rows is left out."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import studio.common.models
from studio.common.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [("predictions", "0001_initial"), ("predictions", "0002_coverage")]

    initial = True

    dependencies = [
        ("datasets", "0013_upload_predict"),
        ("jobs", "0002_job_title_text"),
        ("projects", "0002_is_restorable"),
        ("registry", "0001_initial"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="PredictionRun",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("created_by", models.CharField(max_length=40)),
                        (
                            "source",
                            models.CharField(
                                choices=[("items", "Items"), ("version", "Version"), ("files", "Files")], max_length=16
                            ),
                        ),
                        ("filter", models.JSONField(null=True)),
                        ("until", models.CharField(blank=True, default="", max_length=40)),
                        ("num_expected", models.PositiveIntegerField(null=True)),
                        ("num_results", models.PositiveIntegerField(default=0)),
                        ("num_failed", models.PositiveIntegerField(default=0)),
                        ("columns", models.JSONField(default=list)),
                        ("num_suggested", models.PositiveIntegerField(null=True)),
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
                        (
                            "suggest_job",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="jobs.job"
                            ),
                        ),
                        (
                            "version",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="datasets.datasetversion",
                            ),
                        ),
                        ("coverage", models.JSONField(default=dict)),
                        ("num_asked", models.PositiveIntegerField(default=0)),
                    ],
                    options={
                        "indexes": [models.Index(fields=["project", "id"], name="prediction_run_project")],
                    },
                ),
                migrations.CreateModel(
                    name="PredictionPart",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("number", models.PositiveIntegerField()),
                        ("first", models.PositiveIntegerField()),
                        ("num_results", models.PositiveIntegerField()),
                        ("num_failed", models.PositiveIntegerField()),
                        ("position", models.CharField(max_length=40)),
                        ("size_bytes", models.BigIntegerField()),
                        ("blob", models.CharField(max_length=64)),
                        (
                            "run",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="parts",
                                to="predictions.predictionrun",
                            ),
                        ),
                        ("num_asked", models.PositiveIntegerField(default=0)),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("run", "number"), name="prediction_part_number_once")],
                    },
                ),
                migrations.CreateModel(
                    name="PredictionFile",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("number", models.PositiveIntegerField()),
                        ("name", models.CharField(max_length=512)),
                        ("size_bytes", models.BigIntegerField()),
                        ("blob", models.CharField(max_length=64)),
                        (
                            "run",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="files",
                                to="predictions.predictionrun",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("run", "number"), name="prediction_file_number_once")],
                    },
                ),
            ]
        ),
    ]
