"""Counts are kept from here on: triggers write them, and those of the rows there are are filled in. A dataset follows a version."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import studio.common.models
from studio.datasets.migrations._counters_0004 import COUNTS, TABLES, drop_sql, install_sql, rows_sql


def triggers_install(apps, schema_editor):
    for statement in install_sql(schema_editor.connection.vendor):
        schema_editor.execute(statement, params=None)


def triggers_drop(apps, schema_editor):
    for statement in drop_sql(schema_editor.connection.vendor):
        schema_editor.execute(statement, params=None)


def counts_fill(apps, schema_editor):
    for table in TABLES:
        rows = rows_sql(table, f"datasets_{table}")
        schema_editor.execute(f"INSERT INTO {COUNTS} (dataset_id, facet, value, change) {rows}", params=None)
    schema_editor.execute(f"DELETE FROM {COUNTS} WHERE change = 0", params=None)


def base_fill(apps, schema_editor):
    version, dataset = apps.get_model("datasets", "DatasetVersion"), apps.get_model("datasets", "Dataset")
    last = version.objects.filter(project=models.OuterRef("project")).order_by("-number").values("id")[:1]
    dataset.objects.filter(base=None).update(base=models.Subquery(last))


class Migration(migrations.Migration):
    dependencies = [
        ("datasets", "0003_data_and_labelling"),
    ]

    operations = [
        migrations.AlterField(
            model_name="countchange",
            name="dataset",
            # Deleting a dataset's rows counts them down after its counts have gone: those last rows point nowhere.
            field=models.ForeignKey(
                db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="datasets.dataset"
            ),
        ),
        migrations.CreateModel(
            name="BulkChange",
            fields=[
                ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("created_by", models.JSONField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("label", "Label"),
                            ("delete", "Delete"),
                            ("restore", "Restore"),
                            ("split", "Split"),
                            ("metadata", "Metadata"),
                        ],
                        max_length=16,
                    ),
                ),
                ("change", models.JSONField()),
                ("filter", models.JSONField(null=True)),
                ("until", models.CharField(blank=True, max_length=40)),
                ("position", models.CharField(blank=True, max_length=40)),
                ("num_expected", models.PositiveIntegerField(default=0)),
                ("num_items", models.PositiveIntegerField(default=0)),
                ("num_undone", models.PositiveIntegerField(default=0)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("running", "Running"),
                            ("done", "Done"),
                            ("stopped", "Stopped"),
                            ("undoing", "Undoing"),
                            ("undone", "Undone"),
                        ],
                        default="running",
                        max_length=16,
                    ),
                ),
                (
                    "dataset",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="datasets.dataset"),
                ),
                (
                    "job",
                    models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="jobs.job"),
                ),
            ],
            options={"indexes": [models.Index(fields=["dataset", "id"], name="bulk_change_page")]},
        ),
        migrations.CreateModel(
            name="BulkItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("item", models.CharField(max_length=40)),
                ("before", models.JSONField(null=True)),
                (
                    "change",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="datasets.bulkchange"),
                ),
            ],
            options={"indexes": [models.Index(fields=["change", "item"], name="bulk_item_walk")]},
        ),
        migrations.AddIndex(
            model_name="item",
            index=models.Index(
                condition=models.Q(("deleted_at__isnull", True), _negated=True),
                fields=["dataset", "id", "quarantine"],
                name="item_gone_page",
            ),
        ),
        migrations.AddIndex(
            model_name="item",
            index=models.Index(
                fields=["dataset", "annotated_at", "deleted_at"],
                name="item_annotated_at",
                condition=models.Q(("deleted_at__isnull", True), ("annotated_at__isnull", False)),
            ),
        ),
        migrations.RunPython(triggers_install, triggers_drop),
        migrations.RunPython(counts_fill, migrations.RunPython.noop),
        migrations.RunPython(base_fill, migrations.RunPython.noop),
    ]
