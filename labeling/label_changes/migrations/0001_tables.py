"""The tables of 0001 in one step, for a database that has none of them."""

import django.db.models.deletion
import django.utils.timezone
import studio.common.models
from django.db import migrations, models
from studio.common.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [("label_changes", "0001_initial")]

    initial = True

    dependencies = [
        ("datasets", "0004_counts"),
        ("projects", "0001_initial"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="LabelChange",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("actor", models.JSONField()),
                        ("plan", models.JSONField()),
                        ("label_set_before", models.JSONField()),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("applying", "Applying"),
                                    ("done", "Done"),
                                    ("undoing", "Undoing"),
                                    ("undone", "Undone"),
                                ],
                                default="applying",
                                max_length=8,
                            ),
                        ),
                        ("num_items", models.PositiveIntegerField(default=0)),
                        ("num_kept", models.PositiveIntegerField(default=0)),
                        ("ended_at", models.DateTimeField(null=True)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="projects.project"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["project", "id"], name="label_change_project")],
                    },
                ),
                migrations.CreateModel(
                    name="LabelChangeItem",
                    fields=[
                        ("id", models.BigAutoField(primary_key=True, serialize=False)),
                        ("before", models.JSONField()),
                        ("revision", models.PositiveIntegerField()),
                        (
                            "change",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="items",
                                to="label_changes.labelchange",
                            ),
                        ),
                        (
                            "item",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="datasets.item"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("change", "item"), name="label_change_item_once")],
                    },
                ),
            ]
        ),
    ]
