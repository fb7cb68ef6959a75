from django.db import migrations, models


def attached_fill(apps, schema_editor):
    """What is known of older builds: their gallery."""
    exports = apps.get_model("deployments", "Export")
    for export in exports.objects.all().iterator():
        kept = export.gallery
        if kept is None or "revision" in kept:
            export.attached = {"gallery": kept and {"id": kept["id"], "revision": kept["revision"]}}
            export.save(update_fields=["attached"])


class Migration(migrations.Migration):

    dependencies = [
        ('deployments', '0011_export_gallery'),
    ]

    operations = [
        migrations.AddField(
            model_name='export',
            name='attached',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.RunPython(attached_fill, migrations.RunPython.noop),
    ]
