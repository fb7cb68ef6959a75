"""The tables of 0001 in one step, for a database that has none of them."""

import django.db.models.deletion
import django.utils.timezone
import studio.common.models
from django.db import migrations, models
from studio.common.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [("labeling", "0001_initial")]

    initial = True

    dependencies = [
        ("datasets", "0001_initial"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="AnnotationRevision",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("revision", models.PositiveIntegerField()),
                        ("annotations", models.JSONField(null=True)),
                        ("provenance", models.CharField(blank=True, max_length=64)),
                        ("operation", models.CharField(max_length=64, null=True)),
                        (
                            "item",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="datasets.item"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["provenance", "created_at"], name="revision_by_person")],
                        "constraints": [
                            models.UniqueConstraint(fields=("item", "revision"), name="revision_once"),
                            models.UniqueConstraint(
                                condition=models.Q(("operation__isnull", False)),
                                fields=("item", "operation"),
                                name="operation_once",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Assignment",
                    fields=[
                        (
                            "item",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to="datasets.item",
                            ),
                        ),
                        ("holder", models.CharField(max_length=64)),
                        ("leased_until", models.DateTimeField()),
                        (
                            "dataset",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="datasets.dataset"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["dataset", "holder"], name="assignment_holder")],
                    },
                ),
                migrations.CreateModel(
                    name="Review",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("revision", models.PositiveIntegerField()),
                        ("author", models.CharField(max_length=64)),
                        ("reviewer", models.CharField(max_length=64)),
                        ("decision", models.CharField(choices=[("approve", "Approve"), ("return", "Return")], max_length=16)),
                        ("comment", models.CharField(blank=True, max_length=1000)),
                        (
                            "item",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="datasets.item"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("item", "revision"), name="review_once"),
                            models.CheckConstraint(
                                condition=models.Q(("author", models.F("reviewer")), _negated=True), name="review_by_another"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Suggestion",
                    fields=[
                        (
                            "item",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to="datasets.item",
                            ),
                        ),
                        ("annotations", models.JSONField()),
                        ("provenance", models.CharField(max_length=64)),
                        ("uncertainty_fraction", models.FloatField(null=True)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "dataset",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="datasets.dataset"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["dataset", "-uncertainty_fraction"], name="suggestion_unsure")],
                    },
                ),
            ]
        ),
    ]
