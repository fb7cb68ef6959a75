"""All tables as they are after 0015, for a database that has none of them. What mends old rows is left out."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import studio.common.models
from studio.common.create_models import CreateModels
from studio.datasets.migrations._counters_0004 import drop_sql, install_sql


def triggers_install(apps, schema_editor):
    for statement in install_sql(schema_editor.connection.vendor):
        schema_editor.execute(statement, params=None)


def triggers_drop(apps, schema_editor):
    for statement in drop_sql(schema_editor.connection.vendor):
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):
    replaces = [
        ("datasets", "0001_initial"),
        ("datasets", "0002_upload_created_by"),
        ("datasets", "0003_data_and_labelling"),
        ("datasets", "0004_counts"),
        ("datasets", "0005_upload_label_sources"),
        ("datasets", "0006_bulk_quarantine"),
        ("datasets", "0007_split_source"),
        ("datasets", "0008_item_text"),
        ("datasets", "0009_columns"),
        ("datasets", "0010_row_revision"),
        ("datasets", "0011_stratified_splits"),
        ("datasets", "0012_split_rule"),
        ("datasets", "0013_upload_predict"),
        ("datasets", "0014_version_note"),
        ("datasets", "0015_upload_touched"),
    ]

    initial = True

    dependencies = [
        ("jobs", "0001_initial"),
        ("projects", "0001_initial"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="DatasetVersion",
                    fields=[
                        ("id", models.CharField(max_length=30, primary_key=True, serialize=False)),
                        ("number", models.PositiveIntegerField()),
                        ("created_at", models.DateTimeField()),
                        ("created_by", models.CharField(max_length=64)),
                        ("note", models.CharField(blank=True, max_length=500)),
                        ("manifest", models.JSONField()),
                        (
                            "parent",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="datasets.datasetversion",
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="projects.project"
                            ),
                        ),
                        ("branch", models.CharField(default="main", max_length=64)),
                        ("note_code", models.CharField(blank=True, default="", max_length=40)),
                        ("note_params", models.JSONField(default=dict)),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("project", "number"), name="version_number_once")],
                    },
                ),
                migrations.CreateModel(
                    name="Dataset",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("name", models.CharField(max_length=200)),
                        ("validation_fraction", models.FloatField(default=0.15)),
                        ("test_fraction", models.FloatField(default=0.15)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="projects.project"
                            ),
                        ),
                        (
                            "base",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="datasets.datasetversion",
                            ),
                        ),
                        ("branch", models.CharField(default="main", max_length=64)),
                        ("columns", models.JSONField(null=True)),
                        ("columns_revision", models.PositiveIntegerField(default=0)),
                        ("split_rule", models.JSONField(null=True)),
                    ],
                    options={
                        "indexes": [models.Index(fields=["project", "id"], name="dataset_project")],
                    },
                ),
                migrations.CreateModel(
                    name="Upload",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("name", models.CharField(max_length=512)),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("file", "File"),
                                    ("archive", "Archive"),
                                    ("labels_csv", "Labels Csv"),
                                    ("batch", "Batch"),
                                    ("feedback", "Feedback"),
                                    ("predict", "Predict"),
                                ],
                                max_length=16,
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("receiving", "Receiving"),
                                    ("ingesting", "Ingesting"),
                                    ("done", "Done"),
                                    ("failed", "Failed"),
                                ],
                                default="receiving",
                                max_length=16,
                            ),
                        ),
                        ("size_bytes", models.BigIntegerField()),
                        ("received_bytes", models.BigIntegerField(default=0)),
                        ("sha256", models.CharField(blank=True, max_length=64)),
                        ("blob", models.CharField(blank=True, max_length=64)),
                        ("relative_path", models.CharField(blank=True, max_length=512)),
                        ("label", models.CharField(blank=True, max_length=256)),
                        ("labels", models.CharField(default="none", max_length=16)),
                        ("num_items", models.PositiveIntegerField(default=0)),
                        ("num_duplicates", models.PositiveIntegerField(default=0)),
                        ("num_labelled", models.PositiveIntegerField(default=0)),
                        ("ended_at", models.DateTimeField(null=True)),
                        (
                            "dataset",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="datasets.dataset"
                            ),
                        ),
                        (
                            "job",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="jobs.job"
                            ),
                        ),
                        ("created_by", models.CharField(max_length=40)),
                        ("touched_at", models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        "indexes": [models.Index(fields=["dataset", "id"], name="upload_dataset")],
                    },
                ),
                migrations.CreateModel(
                    name="Item",
                    fields=[
                        ("id", studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                        ("name", models.CharField(max_length=512)),
                        ("blob", models.CharField(max_length=64)),
                        ("width", models.PositiveIntegerField()),
                        ("height", models.PositiveIntegerField()),
                        ("format", models.CharField(max_length=16)),
                        ("size_bytes", models.BigIntegerField()),
                        ("group", models.CharField(max_length=128)),
                        (
                            "split",
                            models.CharField(
                                choices=[("train", "train"), ("validation", "validation"), ("test", "test")], max_length=16
                            ),
                        ),
                        ("deleted_at", models.DateTimeField(null=True)),
                        (
                            "state",
                            models.CharField(
                                choices=[("unlabelled", "Unlabelled"), ("annotated", "Annotated")],
                                default="unlabelled",
                                max_length=16,
                            ),
                        ),
                        ("annotations", models.JSONField(null=True)),
                        ("revision", models.PositiveIntegerField(default=0)),
                        ("annotated_at", models.DateTimeField(null=True)),
                        ("provenance", models.CharField(blank=True, max_length=64)),
                        (
                            "dataset",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="datasets.dataset"
                            ),
                        ),
                        (
                            "upload",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="datasets.upload"
                            ),
                        ),
                        ("metadata", models.JSONField(default=dict)),
                        ("quarantine", models.CharField(blank=True, default="", max_length=40)),
                        (
                            "split_by",
                            models.CharField(
                                choices=[
                                    ("import", "Import"),
                                    ("person", "Person"),
                                    ("carved", "Carved"),
                                    ("stratified", "Stratified"),
                                    ("rule", "Rule"),
                                ],
                                max_length=16,
                                null=True,
                            ),
                        ),
                        ("text", models.TextField(null=True)),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("deleted_at__isnull", True)), fields=["dataset", "id"], name="item_page"
                            ),
                            models.Index(
                                condition=models.Q(("deleted_at__isnull", True)),
                                fields=["dataset", "state", "id", "deleted_at", "size_bytes"],
                                name="item_state_page",
                            ),
                            models.Index(
                                condition=models.Q(("deleted_at__isnull", True)),
                                fields=["dataset", "split", "id", "deleted_at"],
                                name="item_split_page",
                            ),
                            models.Index(
                                condition=models.Q(("deleted_at__isnull", True)),
                                fields=["dataset", "provenance", "id", "deleted_at"],
                                name="item_by_page",
                            ),
                            models.Index(
                                condition=models.Q(("quarantine", ""), _negated=True),
                                fields=["dataset", "quarantine", "id"],
                                name="item_quarantine_page",
                            ),
                            models.Index(
                                condition=models.Q(("deleted_at__isnull", True), _negated=True),
                                fields=["dataset", "id", "quarantine"],
                                name="item_gone_page",
                            ),
                            models.Index(
                                condition=models.Q(("deleted_at__isnull", True), ("annotated_at__isnull", False)),
                                fields=["dataset", "annotated_at", "deleted_at"],
                                name="item_annotated_at",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("dataset", "blob"), name="item_one_per_blob"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("annotated_at__isnull", False), ("state", "annotated")),
                                    models.Q(("annotated_at__isnull", True), ("state", "unlabelled")),
                                    _connector="OR",
                                ),
                                name="item_state_says_annotated",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ItemLabel",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("label", models.CharField(max_length=256)),
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
                        "indexes": [models.Index(fields=["dataset", "label", "item"], name="item_label_page")],
                        "constraints": [models.UniqueConstraint(fields=("item", "label"), name="item_label_once")],
                    },
                ),
                migrations.CreateModel(
                    name="Reject",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("name", models.CharField(max_length=1024)),
                        ("code", models.CharField(max_length=64)),
                        (
                            "upload",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="rejects", to="datasets.upload"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["upload", "id"], name="reject_upload")],
                    },
                ),
                migrations.CreateModel(
                    name="CountChange",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("facet", models.CharField(max_length=16)),
                        ("value", models.CharField(max_length=256)),
                        ("change", models.BigIntegerField()),
                        (
                            "dataset",
                            models.ForeignKey(
                                db_constraint=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="datasets.dataset",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["dataset", "facet", "value"], name="count_change_sum")],
                    },
                ),
                migrations.CreateModel(
                    name="ItemFact",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("name", models.CharField(max_length=64)),
                        ("value", models.CharField(max_length=256)),
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
                        "indexes": [models.Index(fields=["dataset", "name", "value", "item"], name="item_fact_page")],
                        "constraints": [models.UniqueConstraint(fields=("item", "name"), name="item_fact_once")],
                    },
                ),
                migrations.CreateModel(
                    name="ItemFlag",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("kind", models.CharField(max_length=32)),
                        ("severity", models.FloatField()),
                        ("detail", models.JSONField(default=dict)),
                        ("created_at", models.DateTimeField()),
                        ("dismissed_at", models.DateTimeField(null=True)),
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
                        "indexes": [
                            models.Index(
                                condition=models.Q(("dismissed_at__isnull", True)),
                                fields=["dataset", "kind", "item"],
                                name="item_flag_page",
                            )
                        ],
                        "constraints": [models.UniqueConstraint(fields=("item", "kind"), name="item_flag_once")],
                    },
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
                                    ("quarantine", "Quarantine"),
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
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="datasets.dataset"
                            ),
                        ),
                        (
                            "job",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="jobs.job"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["dataset", "id"], name="bulk_change_page")],
                    },
                ),
                migrations.CreateModel(
                    name="BulkItem",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("item", models.CharField(max_length=40)),
                        ("before", models.JSONField(null=True)),
                        (
                            "change",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="datasets.bulkchange"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["change", "item"], name="bulk_item_walk")],
                    },
                ),
                migrations.CreateModel(
                    name="RowRevision",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("blob", models.CharField(max_length=64)),
                        ("text", models.TextField()),
                        ("changed_by", models.CharField(max_length=64)),
                        ("changed_at", models.DateTimeField()),
                        (
                            "item",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="row_revisions", to="datasets.item"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["item", "id"], name="row_revision_item")],
                    },
                ),
            ]
        ),
        migrations.RunPython(
            triggers_install,
            triggers_drop,
        ),
    ]
