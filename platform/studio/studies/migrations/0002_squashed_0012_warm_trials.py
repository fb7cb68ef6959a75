"""The columns that 0002 to 0012 added, for a database that has none of them: a new one, or that of a first release."""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("studies", "0002_study_is_finishing"),
        ("studies", "0003_study_teacher"),
        ("studies", "0004_refits"),
        ("studies", "0005_study_start"),
        ("studies", "0006_several_objectives"),
        ("studies", "0007_pruners_and_target"),
        ("studies", "0008_paused_at"),
        ("studies", "0009_cures"),
        ("studies", "0010_ranges"),
        ("studies", "0011_num_processes"),
        ("studies", "0012_warm_trials"),
    ]

    dependencies = [
        ("registry", "0001_initial"),
        ("studies", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="study",
            name="is_finishing",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="study",
            name="teacher",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="registry.artefact"
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="learns_test",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="study",
            name="max_answer_ratio",
            field=models.FloatField(default=1.0),
        ),
        migrations.AddField(
            model_name="study",
            name="objective",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
        migrations.AddField(
            model_name="study",
            name="refits",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="trial",
            name="evidence",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="trial",
            name="members",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="study",
            name="start",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="registry.artefact"
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="also_improves",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="study",
            name="chosen_trial",
            field=models.CharField(blank=True, default="", max_length=40),
        ),
        migrations.AddField(
            model_name="trial",
            name="footprint",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="study",
            name="target",
            field=models.FloatField(null=True),
        ),
        migrations.AlterField(
            model_name="study",
            name="pruner",
            field=models.CharField(max_length=64),
        ),
        migrations.AddField(
            model_name="study",
            name="paused_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="study",
            name="at_most",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="study",
            name="cure",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
        migrations.AddField(
            model_name="study",
            name="cured_from",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="cured_by", to="studies.study"
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="device",
            field=models.CharField(default="auto", max_length=16),
        ),
        migrations.AddField(
            model_name="study",
            name="ranges",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="study",
            name="num_processes",
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name="study",
            name="warm_trials",
            field=models.JSONField(default=list),
        ),
        migrations.RunPython(
            import_module("studio.studies.migrations.0006_several_objectives").footprints_copy, migrations.RunPython.noop
        ),
    ]
