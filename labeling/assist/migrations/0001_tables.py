"""The tables of 0001 in one step, for a database that has none of them."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models
from studio.common.create_models import CreateModels

import labeling.assist.strategies


class Migration(migrations.Migration):
    replaces = [("assist", "0001_initial")]

    initial = True

    dependencies = [
        ("datasets", "0004_counts"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Assist",
                    fields=[
                        (
                            "dataset",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to="datasets.dataset",
                            ),
                        ),
                        (
                            "strategy",
                            models.CharField(
                                choices=[
                                    ("mixed", "mixed"),
                                    ("uncertainty", "uncertainty"),
                                    ("margin", "margin"),
                                    ("diversity", "diversity"),
                                    ("random", "random"),
                                    ("oldest", "oldest"),
                                ],
                                default=labeling.assist.strategies.Strategy["MIXED"],
                                max_length=16,
                            ),
                        ),
                        ("queue", models.JSONField(default=list)),
                        ("dirty_at", models.DateTimeField(null=True)),
                        ("busy_until", models.DateTimeField(null=True)),
                    ],
                ),
                migrations.CreateModel(
                    name="Head",
                    fields=[
                        (
                            "dataset",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to="datasets.dataset",
                            ),
                        ),
                        ("name", models.CharField(max_length=40)),
                        ("content", models.BinaryField()),
                        ("labels", models.JSONField()),
                        ("num_items", models.PositiveIntegerField()),
                        ("accuracy_fraction", models.FloatField(null=True)),
                        ("fitted_at", models.DateTimeField()),
                    ],
                ),
                migrations.CreateModel(
                    name="SuggestionAnswer",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("revision", models.PositiveIntegerField()),
                        ("by", models.CharField(max_length=64)),
                        ("is_accepted", models.BooleanField()),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "dataset",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="datasets.dataset"
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
                        "indexes": [models.Index(fields=["dataset", "-id"], name="suggestion_answer_newest")],
                        "constraints": [models.UniqueConstraint(fields=("item", "revision"), name="suggestion_answer_once")],
                    },
                ),
            ]
        ),
    ]
