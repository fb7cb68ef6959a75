from django.db import migrations, models


def attached_fill(apps, schema_editor):
    """Agents of version 2 said which gallery they have, those of version 1 nothing."""
    devices = apps.get_model("devices", "Device")
    for device in devices.objects.exclude(last_seen_at=None).iterator():
        device.attached = {"gallery": device.gallery} if device.version >= 2 else {}
        device.save(update_fields=["attached"])


class Migration(migrations.Migration):

    dependencies = [
        ('deployments', '0012_export_attached'),
        ('devices', '0002_gallery'),
    ]

    operations = [
        migrations.AddField(
            model_name='device',
            name='attached',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.RunPython(attached_fill, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name='device',
            name='gallery',
        ),
    ]
