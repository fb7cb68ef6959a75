"""All tables as they are after 0002, for a database that has none of them. What mends old rows is left out."""

import django.db.models.deletion
import django.utils.timezone
import studio.common.models
from django.db import migrations, models
from studio.common.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [("campaigns", "0001_initial"), ("campaigns", "0002_answers_taken_back")]

    initial = True

    dependencies = [
        ("datasets", "0003_data_and_labelling"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Campaign",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("title", models.CharField(max_length=120)),
                        ("instructions", models.TextField(blank=True, default="")),
                        ("created_by", models.CharField(max_length=40)),
                        ("opinions_per_item", models.PositiveSmallIntegerField(default=1)),
                        ("gold_fraction", models.FloatField(default=0.0)),
                        (
                            "merge",
                            models.CharField(
                                choices=[("majority", "Majority"), ("dawid_skene", "Dawid Skene")],
                                default="majority",
                                max_length=16,
                            ),
                        ),
                        (
                            "state",
                            models.CharField(choices=[("open", "Open"), ("closed", "Closed")], default="open", max_length=8),
                        ),
                        ("deadline_at", models.DateTimeField(null=True)),
                        ("closed_at", models.DateTimeField(null=True)),
                        (
                            "dataset",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="datasets.dataset"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["dataset", "id"], name="campaign_dataset")],
                    },
                ),
                migrations.CreateModel(
                    name="CampaignItem",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("position", models.PositiveIntegerField()),
                        ("gold", models.JSONField(null=True)),
                        (
                            "outcome",
                            models.CharField(
                                choices=[
                                    ("open", "Open"),
                                    ("agreed", "Agreed"),
                                    ("disputed", "Disputed"),
                                    ("settled", "Settled"),
                                ],
                                default="open",
                                max_length=8,
                            ),
                        ),
                        ("num_opinions", models.PositiveSmallIntegerField(default=0)),
                        ("settled_at", models.DateTimeField(null=True)),
                        (
                            "campaign",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="campaigns.campaign"
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
                        "indexes": [
                            models.Index(fields=["campaign", "outcome", "-num_opinions", "position"], name="campaign_item_next")
                        ],
                        "constraints": [models.UniqueConstraint(fields=("campaign", "item"), name="campaign_item_once")],
                    },
                ),
                migrations.CreateModel(
                    name="CampaignLease",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("person", models.CharField(max_length=64)),
                        ("taken_at", models.DateTimeField()),
                        ("leased_until", models.DateTimeField()),
                        (
                            "campaign_item",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="leases", to="campaigns.campaignitem"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["person", "leased_until"], name="campaign_lease_person")],
                        "constraints": [
                            models.UniqueConstraint(fields=("campaign_item", "person"), name="campaign_lease_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CampaignMember",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("person", models.CharField(max_length=64)),
                        (
                            "campaign",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="members", to="campaigns.campaign"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["person", "campaign"], name="campaign_of_person")],
                        "constraints": [models.UniqueConstraint(fields=("campaign", "person"), name="campaign_member_once")],
                    },
                ),
                migrations.CreateModel(
                    name="Opinion",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("person", models.CharField(max_length=64)),
                        ("annotations", models.JSONField(null=True)),
                        ("operation", models.CharField(max_length=64)),
                        ("is_current", models.BooleanField(default=True)),
                        ("duration_s", models.FloatField(null=True)),
                        (
                            "campaign_item",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="opinions",
                                to="campaigns.campaignitem",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["person", "created_at"], name="opinion_by_person")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("is_current", True)),
                                fields=("campaign_item", "person"),
                                name="opinion_current_once",
                            ),
                            models.UniqueConstraint(fields=("campaign_item", "operation"), name="opinion_operation_once"),
                        ],
                    },
                ),
            ]
        ),
    ]
