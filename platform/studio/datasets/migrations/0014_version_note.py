"""A note that the platform wrote is kept as its code and values, beside the English sentence that it was read from before."""

from django.db import migrations, models

BEGIN, END = "Before version ", " was restored"


def codes_fill(apps, schema_editor):
    """Notes written so far: a sentence with a number of at most nine digits."""
    versions = apps.get_model("datasets", "DatasetVersion").objects
    changed = []
    for version in versions.filter(note__startswith=BEGIN, note__endswith=END).only("id", "note"):
        number = version.note[len(BEGIN) : -len(END)]
        if number.isascii() and number.isdecimal() and len(number) <= 9:
            version.note_code, version.note_params = "before_restore", {"number": int(number)}
            changed.append(version)
    versions.bulk_update(changed, ["note_code", "note_params"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("datasets", "0013_upload_predict")]

    operations = [
        migrations.AddField(
            model_name="datasetversion",
            name="note_code",
            field=models.CharField(blank=True, default="", max_length=40),
        ),
        migrations.AddField(
            model_name="datasetversion",
            name="note_params",
            field=models.JSONField(default=dict),
        ),
        migrations.RunPython(codes_fill, migrations.RunPython.noop),
    ]
