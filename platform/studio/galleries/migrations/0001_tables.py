"""The tables of 0001 in one step, for a database that has none of them."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import studio.common.models
from studio.common.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [("galleries", "0001_initial")]

    initial = True

    dependencies = [
        ("deployments", "0008_input_facts"),
        ("jobs", "0002_job_title_text"),
        ("projects", "0002_is_restorable"),
        ("registry", "0003_compression"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Gallery",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("name", models.CharField(max_length=120)),
                        ("false_match_rate", models.CharField(max_length=16)),
                        ("revision", models.PositiveBigIntegerField(default=0)),
                        ("created_by", models.CharField(max_length=40)),
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
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="deployments.deployment",
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
                        "indexes": [models.Index(fields=["project", "id"], name="gallery_project")],
                    },
                ),
                migrations.CreateModel(
                    name="GalleryEntry",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("name", models.CharField(max_length=256)),
                        ("blob", models.CharField(max_length=64)),
                        ("size_bytes", models.BigIntegerField()),
                        ("created_by", models.CharField(max_length=40)),
                        (
                            "gallery",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="galleries.gallery"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["gallery", "name"], name="gallery_entry_name")],
                        "constraints": [models.UniqueConstraint(fields=("gallery", "blob"), name="gallery_entry_once")],
                    },
                ),
                migrations.CreateModel(
                    name="EntryVector",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("artefact", models.CharField(max_length=40)),
                        ("values", models.BinaryField()),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="vectors", to="galleries.galleryentry"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("entry", "artefact"), name="entry_vector_once")],
                    },
                ),
            ]
        ),
    ]
