"""All tables as they are after 0003, for a database that has none of them. What mends old rows is left out."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import studio.common.models


class Migration(migrations.Migration):
    replaces = [("projects", "0001_initial"), ("projects", "0002_is_restorable"), ("projects", "0003_overlap")]

    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Project",
            fields=[
                ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("name", models.CharField(max_length=120)),
                ("description", models.TextField(blank=True, default="")),
                ("task", models.CharField(max_length=64)),
                ("task_options", models.JSONField(default=dict)),
                ("label_set", models.JSONField(default=dict)),
                ("deleted_at", models.DateTimeField(null=True)),
                (
                    "workspace",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.workspace"),
                ),
                ("is_restorable", models.BooleanField(default=True)),
                ("overlap", models.CharField(blank=True, default="", max_length=8)),
            ],
            options={
                "indexes": [models.Index(fields=["workspace", "id"], name="project_workspace")],
            },
        ),
    ]
