from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

ROWS = 500


def footprints_copy(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Trials of before keep what the registry knows of their models."""
    trials = apps.get_model("studies", "Trial").objects
    artefacts = apps.get_model("registry", "Artefact").objects.filter(trial__isnull=False).order_by("id")
    batch = []
    for trial_id, latency_ms, model_bytes in artefacts.values_list("trial_id", "latency_ms", "model_bytes").iterator(ROWS):
        batch.append(trials.model(id=trial_id, footprint={"latency_ms": latency_ms, "model_bytes": model_bytes}))
        if len(batch) == ROWS:
            trials.bulk_update(batch, ["footprint"])
            batch = []
    trials.bulk_update(batch, ["footprint"])


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0001_initial"),
        ("studies", "0005_study_start"),
    ]

    operations = [
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
        migrations.RunPython(footprints_copy, migrations.RunPython.noop),
    ]
